"""The page for Cockpit in a browser. `lab.py` describes which parts are real."""
import array
import json
import os
import signal
import subprocess
import tempfile
import threading
import unittest

import recorded
from browser import Browser, Keys, until
from lab import CONFIGURATION, HERE, MARKUP, Lab


#: The output of `tacet timeline --json` on an uneventful day.
HISTORY = {"version": 1, "now_usec": 1_795_269_600_000_000, "since_usec": 0, "until_usec": None,
           "offsets": [{"from_usec": 0, "ahead_sec": 3600}], "lanes": [], "problems": []}


class PageTest(unittest.TestCase):
    """A lab, Cockpit and a new browser, which the tests of a class share because each takes seconds to start."""
    looks_only = False
    configuration = CONFIGURATION
    tracks = ("One.wav", "Two.wav", "Three.wav")
    size = (1280, 900)
    starts = True

    @classmethod
    def setUpClass(cls):
        cls.lab = Lab(cls.looks_only, cls.configuration, cls.tracks)
        cls.addClassCleanup(cls.lab.close)
        if cls.starts:
            cls.lab.start_daemon()
        cls.page = Browser(cls.lab.start_cockpit(), *cls.size)
        cls.addClassCleanup(cls.page.close)
        cls.page.open()
        cls.page.ready()

    def tearDown(self):
        self.assertEqual(self.page.complaints(), [])

    def hold(self, name):
        """Asserts a signal until it is released or the test ends."""
        self.lab.hold(name)
        self.addCleanup(lambda: name in self.lab.holders and self.lab.release(name))

    def says(self, text, selector="#why"):
        until(f"‘{text}’ in {selector}", lambda: text in self.page.text(selector))


class PlainTests(PageTest):
    """Use by a user who may send commands."""

    def setUp(self):
        self.page.top()
        self.lab.tacet("play")
        self.says("Playing", "#mood")

    def test_says_why_in_the_daemons_words(self):
        self.says("Playing ‘")
        self.assertIn("wav’ at ", self.page.text("#why"))
        self.hold("phone-call")
        self.says("because phone-call (asserted by tacet")
        self.says("Quiet", "#mood")
        # The time in the sentence advances.
        first = self.page.text("#why")
        until("later sentence", lambda: self.page.text("#why") != first and "phone-call" in self.page.text("#why"))
        self.says("because phone-call (asserted by tacet", "#spoken")
        self.lab.release("phone-call")
        self.says("Playing", "#mood")

    def test_only_a_new_cause_is_spoken(self):
        self.lab.tacet("pause")
        self.says("because it was paused", "#spoken")
        spoken, shown = self.page.text("#spoken"), self.page.text("#why")
        until("later sentence", lambda: self.page.text("#why") != shown)
        until("another", lambda: self.page.text("#why") not in (shown, spoken))
        self.assertEqual(self.page.text("#spoken"), spoken)

    def test_headline_on_a_phone_has_no_process_ids(self):
        self.hold("phone-call")
        self.says("(asserted by tacet, process ")
        self.page.size(360, 740)
        self.addCleanup(self.page.size, *self.size)
        self.says("(asserted by tacet)")
        self.assertNotIn("process", self.page.text("#why"))

    def test_plays_and_pauses(self):
        self.page.click("[data-command=pause]")
        self.says("Quiet", "#mood")
        self.says("Done.", "#answer")
        self.assertIn("because it was paused", self.lab.why())
        self.page.click("[data-command=play]")
        self.says("Playing", "#mood")
        self.assertIn("Playing", self.lab.why())

    def test_goes_to_the_next_track_and_back(self):
        track = self.page.text("#track").split(" · ")[0]
        self.page.click("[data-command=next]")
        until("next track", lambda: self.page.text("#track").split(" · ")[0] != track)
        other = self.page.text("#track").split(" · ")[0]
        self.assertIn(other, self.lab.scene())
        self.page.click("[data-command=previous]")
        until("previous track", lambda: self.page.text("#track").split(" · ")[0] != other)

    def test_playing_during_a_call_is_answered(self):
        self.lab.tacet("pause")
        self.hold("phone-call")
        self.says("active", "#signal-list")
        self.page.click("[data-command=play]")
        self.says("as soon as nothing blocks it", "#answer")
        self.lab.release("phone-call")
        self.says("Playing", "#mood")

    def test_changes_the_volume_and_mutes(self):
        self.page.find("#volume").send_keys(Keys.END)
        self.says("0 dB", "#volume-value")
        self.page.find("#volume").send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_LEFT)
        until("volume", lambda: '"volume_db" d -3' in self.lab.scene())
        self.says("−3 dB", "#volume-value")
        self.page.click("#mute")
        until("mute", lambda: '"volume_db" d -120' in self.lab.scene())
        until("pressed button", lambda: self.page.find("#mute").get_attribute("aria-pressed") == "true")
        self.says("mute", "#volume-value")
        self.says("the volume is mute")
        self.page.click("#mute")
        until("volume as before", lambda: '"volume_db" d -3' in self.lab.scene())

    def test_volume_follows_others(self):
        self.lab.tacet("volume", "-20dB")
        until("slider", lambda: self.page.find("#volume").get_attribute("value") == "-20")
        self.lab.tacet("volume", "0dB")

    def test_announces_and_hushes(self):
        self.page.click("[aria-label='Announce gong']")
        until("sound in progress", lambda: "playing" in self.page.row("sounds", "gong"))
        self.says("gong is announced.", "#sound-answer")
        self.page.picture("announcing")
        self.page.click("#hush")
        until("end of the sound", lambda: "playing" not in self.page.row("sounds", "gong"))
        self.assertIn('s ""', self.lab.property("org.tacet.Session1", "Sound"))
        self.page.click("#hush")
        self.says("there is no announcement", "#sound-answer")

    def test_an_answer_moves_nothing(self):
        def places():
            return self.page.script(
                "const top = id => document.getElementById(id).getBoundingClientRect().top;"
                "return ['signals', 'sounds', 'timeline'].map(id => Math.round(top(id) - top('control')))")
        until("no answer", lambda: not self.page.text("#answer") and not self.page.text("#sound-answer"))
        self.says("3 tracks.", "#found")
        before = places()
        self.page.click("[data-command=play]")
        self.says(".", "#answer")
        self.page.click("#hush")
        self.says("there is no announcement", "#sound-answer")
        self.assertEqual(places(), before)

    def test_unreadable_sound_says_so_and_cannot_be_announced(self):
        self.assertIn("its file cannot be read", self.page.row("sounds", "siren"))
        self.assertIn("missing.wav", self.page.text("#health-list"))
        self.assertFalse(self.page.find("[aria-label='Announce siren']").is_enabled())

    def test_shows_signals_and_outputs_as_they_change(self):
        self.assertIn("not asserted", self.page.row("signals", "alarm"))
        until("amplifier on", lambda: self.page.row("outputs", "amplifier").endswith("on"))
        self.hold("alarm")
        until("active alarm", lambda: "active" in self.page.row("signals", "alarm"))
        self.says("Turned down", "#mood")
        self.lab.release("alarm")
        until("released alarm", lambda: "not asserted" in self.page.row("signals", "alarm"))

    def test_shows_what_is_wrong(self):
        self.assertTrue(self.page.visible("#health"))
        self.assertIn("siren", self.page.text("#health-list"))
        self.assertIn("output amplifier is lost", self.page.text("#health-list"))

    def test_shows_the_version(self):
        self.assertRegex(self.page.text("#footer"), r"^Tacet \d+\.\d+")


class PictureTests(PageTest):
    """The timeline."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        until("timeline", lambda: cls.page.all("#chart .span"))

    def labels(self, kind=""):
        return self.page.script(
            "return [...document.querySelectorAll(`#chart .span${arguments[0]}`)].map(node => node.getAttribute('aria-label'))",
            kind)

    def at(self, ago):
        """Returns the time of day this many hours ago, as the board shows it."""
        time = self.lab.recorded_at - ago * 3600
        return subprocess.run(["date", "-d", f"@{int(time)}", "+%H:%M"], env=self.lab.environment, capture_output=True,
                              text=True, check=True).stdout.strip()

    def test_draws_interruptions_with_their_latency_and_end(self):
        calls = self.labels(".interruption")
        self.assertEqual(len(calls), 3, calls)
        self.assertIn(f"{self.at(5)}", calls[0])
        for words in ("interrupted by phone-call", "3min", "took effect after 52 ms, complete after 112 ms", "then: plays ‘One.flac’"):
            self.assertIn(words, calls[0])
        self.assertIn("reason: appWasSuspended", calls[2])

    def test_draws_the_power_cut_although_the_clock_was_wrong(self):
        cuts = self.labels(".outage")
        self.assertEqual(len(cuts), 1, cuts)
        self.assertIn("no power", cuts[0])
        # The outage lasts from the last saved state to the first entry of the next boot, by the clock as it was set
        # later.
        self.assertRegex(cuts[0], rf"{self.at(3)}:\d\d – {self.at(2.495)}")
        # It is certain only from the next boot on.
        self.assertRegex(cuts[0], r"\(\d[^)]* to \d")

    def test_draws_each_kind(self):
        for kind, words in [
            (".ducked", "turned down to -14 dB"), (".sound", "cue siren"), (".output", "amplifier on"), (".fault", "fault: stuck (alarm)"),
            (".fault", "sound device lost; "), (".fault", "No such device"), (".fault", "gong expired"), (".command", "pause; "),
            (".command", "by playerctl"), (".playing", "playing; "), (".quiet", "quiet: interrupted"), (".quiet", "quiet: paused"),
            (".notice", "started"), (".ducked", "ducked to -14 dB by alarm"),
        ]:
            self.assertTrue(any(words in label for label in self.labels(kind)), f"{words}: {self.labels(kind)}")
        self.assertEqual(self.page.script(
            "return [...document.querySelectorAll('#chart text.lane')].map(node => node.firstChild.data)")[:5],
            ["Music", "Interruptions", "Turned down", "phone-call", "<b>door</b>"])

    def test_draws_spans_where_they_belong(self):
        call, cut = [self.page.script(
            "const box = document.querySelectorAll(arguments[0])[0].lastElementChild.getBoundingClientRect();"
            "const all = document.querySelector('#chart svg').getBoundingClientRect();"
            "return [box.left - all.left - 150, box.width, all.width - 150]", kind)
            for kind in ("#chart .span.interruption", "#chart .span.outage")]
        hours, minutes = self.at(0).split(":")
        minutes = int(hours) * 60 + int(minutes)
        for (left, width, whole), begin, length in [(call, 5, 3 / 60), (cut, 3 - 4 / 3600, 0.5)]:
            self.assertAlmostEqual(left / whole, 1 - begin * 60 / minutes, delta=0.01)
            self.assertAlmostEqual(width / whole, length * 60 / minutes, delta=0.01)

    def test_pointer_gets_a_tooltip(self):
        self.page.show("#timeline")
        box = self.page.script(
            "const box = document.querySelector('#chart .span.ducked .bar').getBoundingClientRect();"
            "return [box.left + box.width / 2, box.top + box.height / 2]")
        self.page.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=box[0], y=box[1])
        self.says("turned down to -14 dB", "#chart .tooltip")
        self.page.picture("tooltip")
        self.page.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=5, y=5)
        until("no tooltip", lambda: not self.page.visible("#chart .tooltip"))

    def test_keyboard_moves_from_span_to_span(self):
        self.assertEqual(len(self.page.all("#chart [tabindex='0']")), 1)
        self.page.script("document.querySelector('#chart [tabindex=\"0\"]').focus()")
        self.page.press(Keys.HOME)
        first = self.page.focused()
        self.assertTrue(self.page.visible("#chart .tooltip"))
        self.page.press(Keys.ARROW_RIGHT)
        self.assertNotEqual(self.page.focused(), first)
        self.page.press(Keys.ARROW_LEFT)
        self.assertEqual(self.page.focused(), first)
        self.page.press(Keys.ARROW_DOWN)
        self.assertTrue(self.page.focused().startswith("music "), self.page.focused())
        self.page.press(Keys.ARROW_DOWN)
        self.assertTrue(self.page.focused().startswith("interruption "), self.page.focused())
        self.says("interrupted by phone-call", "#chart .tooltip strong")
        self.assertEqual(len(self.page.all("#chart [tabindex='0']")), 1)
        self.page.press(Keys.ESCAPE)
        self.assertFalse(self.page.visible("#chart .tooltip"))

    def test_a_new_entry_appears_and_the_focus_stays(self):
        self.page.script("document.querySelector('#chart [tabindex=\"0\"]').focus()")
        self.page.press(Keys.HOME)
        focused = self.page.focused()
        self.lab.log(60, "signal", "gate is asserted.", SIGNAL="gate", EFFECT="ignore", ASSERTED="yes")
        self.hold("phone-call")
        until("new span", lambda: any("gate asserted" in label for label in self.labels()))
        self.lab.release("phone-call")
        self.assertEqual(self.page.focused(), focused)
        self.assertTrue(any("so far" in label and "gate" in label for label in self.labels()))

    def test_range_can_be_shortened(self):
        self.page.click("[data-hours='1']")
        until("fewer spans", lambda: not self.labels(".interruption"))
        self.assertTrue(any("gong expired" in label for label in self.labels()))
        self.page.click("[data-hours=day]")
        until("all spans", lambda: self.labels(".interruption"))

    def test_zooms_at_the_selected_span_and_back(self):
        def start():
            # The end advances with the clock.
            return self.page.script("return document.querySelector('#chart svg').getAttribute('aria-label')").split(" to ")[0]

        def left():
            return self.page.script("return document.activeElement.lastElementChild.getBoundingClientRect().left")
        whole = start()
        self.page.script("document.querySelector('#chart [tabindex=\"0\"]').focus()")
        self.page.press(Keys.HOME, Keys.ARROW_RIGHT)
        focused, before = self.page.focused(), left()
        self.page.press("+")
        self.assertNotEqual(start(), whole)
        self.assertEqual(self.page.focused(), focused)
        self.assertLess(abs(left() - before), 40)
        self.page.press("-")
        self.assertEqual(start(), whole)
        self.page.click("#zoom-in")
        near = start()
        self.assertNotEqual(near, whole)
        for _ in range(20):
            self.page.click("#zoom-in")
        self.assertNotEqual(start(), near)
        for _ in range(20):
            self.page.click("#zoom-out")
        self.assertEqual(start(), whole)
        self.page.script(
            "const svg = document.querySelector('#chart svg'), box = svg.getBoundingClientRect();"
            "svg.dispatchEvent(new WheelEvent('wheel', {ctrlKey: true, deltaY: -1, bubbles: true, cancelable: true,"
            "clientX: box.right - 1, clientY: box.top + 5}))")
        self.assertNotEqual(start(), whole)
        self.page.click("[data-hours=day]")
        self.assertEqual(start(), whole)

    def test_the_same_is_a_list(self):
        self.page.click("#history summary")
        rows = self.page.text("#history-list")
        for words in ("no power", "interrupted by phone-call", "<b>door</b> asserted", "took effect after 52 ms"):
            self.assertIn(words, rows)
        self.page.click("#history summary")

    def test_names_never_become_markup(self):
        self.assertEqual(self.page.all("#chart b, #history b"), [])
        self.assertTrue(any("<b>door</b>" in label for label in self.labels()))


class JournalTests(PageTest):
    """A history that cannot be read at all, or not by this page."""

    def reload(self, timeline):
        self.lab.write_tacet(timeline)
        self.addCleanup(self.lab.write_programs)
        self.page.open()
        self.page.ready()

    def answer(self, answer):
        path = self.lab.folder / "answer"
        path.write_text(answer if isinstance(answer, str) else json.dumps(answer))
        path.chmod(0o644)
        return f"cat {path}"

    def test_forbidden_journal_says_who_may_read_it(self):
        self.reload("echo 'tacet: cannot open the journal: Permission denied: run it as root, or in the group systemd-journal' >&2;"
                    "exit 1")
        self.says("in the group systemd-journal", "#timeline-note")
        self.says("administrative access", "#timeline-note")
        self.assertFalse(self.page.visible("#chart"))

    def test_hidden_entries_are_no_quiet_day(self):
        (self.lab.folder / "journal/day.journal").unlink()
        self.addCleanup(self.lab.write_journal)
        self.page.open()
        self.page.ready()
        self.says("has no entries from Tacet", "#timeline-note")
        self.says("systemd-journal", "#timeline-note")
        self.says("administrative access", "#timeline-note")

    def test_empty_history_is_a_quiet_day(self):
        self.reload(self.answer(HISTORY))
        self.says("has no entries for this time", "#timeline-note")
        self.assertNotIn("administrative", self.page.text("#timeline-note"))

    def test_boot_whose_clock_was_never_set_is_one_of_today(self):
        log = recorded.Recorded()
        with open("/proc/sys/kernel/random/boot_id") as file:
            log.boot = file.read().strip().replace("-", "")
        with open("/proc/uptime") as file:
            uptime = float(file.read().split()[0])
        # The clock shows 1970.
        log.entry(uptime - 20, "started", "Tacet has started.", clock=uptime - 20, **recorded.PLAYS)
        self.lab.recorded = log
        self.lab.make_journal()
        self.addCleanup(self.lab.write_journal)
        self.page.open()
        self.page.ready()
        until("span", lambda: self.page.all("#chart .span.playing"))
        self.assertRegex(self.page.find("#chart .span.playing").get_attribute("aria-label"), r"\(\d\ds so far")

    def test_answer_of_an_unknown_version(self):
        span = {"kind": "notice", "what": "started", "began_usec": 5, "lasted_usec": None, "at_least_usec": None, "is_over": True,
                "is_cut_short": False, "details": []}
        for answer in ({**HISTORY, "version": 2}, "MUSIC"):
            self.reload(self.answer(answer))
            self.says("does not understand the answer of ‘tacet timeline’", "#timeline-note")
            self.assertFalse(self.page.visible("#chart"))
        # Additions of a later version have no effect.
        later = {**span, "kind": "odd", "what": "glows", "began_usec": HISTORY["now_usec"] - 60_000_000, "glow": 3}
        self.reload(self.answer({**HISTORY, "moon": "full", "lanes": [{"id": "glow", "title": "Glow", "spans": [later]}]}))
        until("span", lambda: self.page.all("#chart .span.odd"))

    def test_older_program_says_what_it_does_not_know(self):
        self.reload("echo 'tacet: there is no option ‘--json’' >&2; exit 64")
        self.says("there is no option ‘--json’", "#timeline-note")

    def test_failure_keeps_the_last_history(self):
        self.lab.write_programs()
        self.page.open()
        self.page.ready()
        until("timeline", lambda: self.page.all("#chart .span"))
        self.lab.write_tacet("echo 'tacet: cannot read the journal: Input/output error' >&2; exit 1")
        self.addCleanup(self.lab.write_programs)
        self.hold("phone-call")
        self.says("Input/output error", "#timeline-note")
        self.assertTrue(self.page.all("#chart .span"))
        self.lab.write_programs()
        self.lab.release("phone-call")
        until("no note", lambda: not self.page.visible("#timeline-note"))


class WiringTests(PageTest):
    """Lines, inputs and the check of the configuration."""

    def setUp(self):
        self.lab.write_programs()
        for name in ("lines.error", "inputs.error", "home/calls"):
            (self.lab.folder / name).unlink(missing_ok=True)
        self.lab.configure(CONFIGURATION)
        self.page.open()
        self.page.ready()

    def test_shows_levels_live_while_in_view(self):
        until("timeline", lambda: self.page.all("#chart .span"))
        self.assertFalse(any(call.startswith("lines") for call in self.lab.calls()), self.lab.calls())
        self.page.show("#wiring")
        until("line", lambda: "high" in self.page.row("wiring", "GPIO17"))
        self.says("live", "#wiring-live")
        self.lab.lines(17, 0)
        until("new level", lambda: "low" in self.page.row("wiring", "GPIO17"))
        self.assertIn("signal phone-call: asserted", self.page.row("wiring", "GPIO17"))
        self.page.picture("wiring")
        self.page.top()
        self.says("paused", "#wiring-live")
        # Pending calls end soon, and no others follow.
        count = until("pause", lambda: self.still())
        self.assertEqual(count, len(self.lab.calls()))

    def still(self):
        count = len(self.lab.calls())
        self.page.driver.execute_async_script("window.setTimeout(arguments[0], 2500)")
        return count if len(self.lab.calls()) == count else 0

    def test_reads_free_inputs_only_on_request(self):
        self.page.show("#wiring")
        until("calls", lambda: any(call == "lines --json" for call in self.lab.calls()))
        self.assertFalse(any("--levels" in call for call in self.lab.calls()))
        self.page.click("#free-lines")
        until("levels", lambda: any(call == "lines --json --levels" for call in self.lab.calls()))

    def test_wired_lines_come_first_and_the_rest_is_folded(self):
        self.page.show("#wiring")
        until("lines", lambda: self.page.all("#lines .row"))
        self.assertEqual(self.page.all("#lines .row .name")[0].text, "GPIO17")
        shown = [row for row in self.page.all("#lines .row") if row.is_displayed()]
        self.assertLessEqual(len(shown), 13)
        self.page.click("#lines .more")
        until("all lines", lambda: len([row for row in self.page.all("#lines .row") if row.is_displayed()]) == 54)
        self.assertIn("Show fewer", self.page.text("#lines .more"))

    def test_shows_inputs_and_what_cannot_be_read(self):
        self.page.show("#inputs")
        until("switch", lambda: "off" in self.page.row("wiring", "SW_LID"))
        self.assertIn("held", self.page.row("wiring", "KEY_3"))
        self.assertEqual(self.page.row("wiring", "KEY_4"), "")
        self.assertIn("plugged in", self.page.row("wiring", "Headphone Jack"))
        self.assertIn("no permission", self.page.row("wiring", "Secret"))
        self.says("Permission denied", "#inputs-note")
        self.says("cannot find line <i>ALARM</i>", "#lines-note")
        self.assertEqual(self.page.all("#wiring i"), [])

    def test_machine_without_lines(self):
        self.lab.write("lines", {"chips": [], "problems": []})
        (self.lab.folder / "lines.error").write_text("tacet: this machine has no GPIO chips\n")
        (self.lab.folder / "lines.error").chmod(0o644)
        self.page.show("#wiring")
        self.says("has no GPIO chips", "#lines-note")

    def test_answer_of_an_unknown_version(self):
        for answer in ('{"boards": 3}', "[]", '{"chips": [{"name": "x", "lines": [{"offset": "1"}]}]}', "LINE NAME", '{"chips": null}'):
            self.lab.write("lines", answer)
            self.page.show("#wiring")
            self.says("does not understand the answer of ‘tacet lines’", "#lines-note")
        self.lab.lines(17, 1)
        until("lines again", lambda: "high" in self.page.row("wiring", "GPIO17"))

    @unittest.skipIf(os.path.exists("/usr/bin/tacet"), "this machine has another tacet")
    def test_program_is_missing(self):
        (self.lab.folder / "bin/tacet").unlink()
        self.page.show("#wiring")
        self.says("tacet is not installed", "#lines-note")
        self.says("tacet is not installed", "#inputs-note")
        self.says("tacet is not installed", "#timeline-note")
        self.page.show("#check")
        self.says("tacet is not installed", "#verdict")

    def test_checks_the_configuration(self):
        self.page.show("#check")
        self.says("has no mistakes", "#verdict")
        self.says("no mistakes", "#check-output")
        self.lab.configure(CONFIGURATION + "[Signal phone-call]\nEfect=pause\n")
        self.page.click("#check-again")
        self.says("has mistakes", "#verdict")
        self.says("did you mean", "#check-output")
        self.assertIn("tacet.conf:", self.page.text("#check-output"))
        self.page.picture("mistakes")
        self.lab.configure(CONFIGURATION)
        self.page.click("#check-again")
        self.says("has no mistakes", "#verdict")


class AbsenceTests(PageTest):
    """The daemon, which stops, dies and returns."""
    starts = False

    def setUp(self):
        (self.lab.folder / "home/start").unlink(missing_ok=True)

    def test_says_how_to_start_it_and_recovers(self):
        self.says("Tacet is not running")
        self.assertTrue(self.page.visible("#absence"))
        self.assertIn("systemctl start tacet", self.page.text("#absence"))
        self.assertFalse(self.page.visible("#control"))
        self.assertTrue(self.page.visible("#timeline"))
        self.page.picture("not-running")
        self.page.click("#start")
        until("systemctl", lambda: (self.lab.folder / "home/start").exists())
        self.lab.start_daemon()
        self.says("Playing", "#mood")
        self.assertFalse(self.page.visible("#absence"))
        self.assertTrue(self.page.visible("#control"))
        for number in (signal.SIGTERM, signal.SIGKILL):
            self.lab.stop_daemon(number)
            self.says("Tacet is not running")
            self.says("Tacet is not running", "#spoken")
            self.lab.start_daemon()
            self.says("Playing", "#mood")
        self.page.click("[data-command=pause]")
        self.says("because it was paused")
        self.lab.tacet("play")
        self.lab.stop_daemon()
        self.says("Tacet is not running")

    def test_failure_to_start_is_shown(self):
        self.lab.program("systemctl", "echo 'Unit tacet.service not found.' >&2; exit 5")
        self.says("Tacet is not running")
        self.page.click("#start")
        self.says("Unit tacet.service not found.", "#start-answer")
        self.lab.write_programs()


class LookingTests(PageTest):
    """Use by a user who may not send commands."""
    looks_only = True

    def test_sees_everything_and_why_the_controls_are_disabled(self):
        self.says("Playing", "#mood")
        until("sentence", lambda: self.page.visible("#may-not"))
        self.assertIn("tacet group", " ".join(self.page.text("#may-not").split()))
        for selector in ("[data-command=play]", "#volume", "#mute", "#hush", "[aria-label='Announce gong']",
                         "[aria-label='Play One.wav']"):
            self.assertFalse(self.page.find(selector).is_enabled(), selector)
        self.assertEqual(self.page.find("#controls").get_attribute("aria-describedby"), "may-not")
        self.hold("phone-call")
        self.says("because phone-call (asserted by tacet")
        self.lab.release("phone-call")
        self.page.picture("may-only-look")

    def test_refused_command_is_explained(self):
        until("sentence", lambda: self.page.visible("#may-not"))
        # This simulates a permission that is withdrawn after the page has queried it.
        self.page.script("const set = document.getElementById('controls'); set.disabled = false;"
                         "set.querySelector('[data-command=pause]').click()")
        self.says("You do not have permission to control Tacet.", "#answer")
        until("disabled controls", lambda: not self.page.find("[data-command=pause]").is_enabled())
        self.assertIn("Playing", self.lab.why())


class StrangerTests(PageTest):
    """Another version of the daemon."""
    starts = False

    def test_unknown_types_become_a_sentence(self):
        stranger = subprocess.Popen(["/usr/bin/python3", HERE / "stranger.py"], env=self.lab.environment)
        self.addCleanup(self.lab.end, stranger)
        self.says("Quiet because of the future.")
        until("complaint", lambda: self.page.visible("#health"))
        for words in ("does not understand", "Signals", "Sounds", "Tacet 7.0.0", "same version"):
            self.assertIn(words, self.page.text("#health-list"))
        self.assertNotIn("Outputs", self.page.text("#health-list"))
        self.assertIn("on while glowing", self.page.row("outputs", "lamp"))
        self.page.click("[data-command=pause]")
        self.says("perhaps", "#answer")


class InputTests(PageTest):
    """A live input into which the test writes."""
    folder = tempfile.TemporaryDirectory()
    configuration = CONFIGURATION + f"[Input airplay]\nFrom=pipe:{folder.name}/airplay\nIdle=500ms\n"

    @classmethod
    def setUpClass(cls):
        os.chmod(cls.folder.name, 0o777)
        # The daemon makes its pipe again as long as it runs, so the folder is removed after it has ended.
        cls.addClassCleanup(cls.folder.cleanup)
        super().setUpClass()

    def test_shows_the_level_of_what_arrives(self):
        self.assertIn("silent", self.page.row("live-inputs", "airplay"))
        level = lambda: self.page.script("return document.querySelector('#live-inputs meter').value")
        self.assertEqual(level(), -60)
        # A square wave at a quarter of full scale is -12 dBFS. The pipe takes it at the pace of its format.
        wave = array.array("h", [8192, 8192, -8192, -8192] * 4410).tobytes()
        with open(f"{self.folder.name}/airplay", "wb", buffering=0) as pipe:
            ended = threading.Event()
            def write():
                while not ended.is_set():
                    pipe.write(wave)
            writer = threading.Thread(target=write)
            writer.start()
            try:
                until("input", lambda: self.page.row("live-inputs", "airplay").endswith("playing"))
                until("level", lambda: abs(level() + 12) < 0.5)
                self.says("Playing airplay since")
            finally:
                ended.set()
                writer.join()
        until("silence", lambda: self.page.row("live-inputs", "airplay").endswith("silent") and level() == -60)
        self.says("Playing ‘One.wav’")


class LongTests(PageTest):
    """Long lists, and a track whose name is markup."""
    configuration = CONFIGURATION + "".join(
        f"[Signal extra-{n:03}]\nSource=bus\nEffect=ignore\nLease=infinity\n" for n in range(60))
    tracks = (MARKUP,)

    def test_long_list_is_folded_but_hides_nothing_active(self):
        shown = lambda: [row for row in self.page.all("#signal-list .row") if row.is_displayed()]
        until("rows", lambda: len(self.page.all("#signal-list .row")) == 62)
        self.assertEqual(len(shown()), 12)
        self.hold("extra-050")
        until("active row", lambda: "active" in self.page.row("signals", "extra-050") and len(shown()) == 13)
        self.lab.release("extra-050")
        self.page.click("#signals .more")
        until("all rows", lambda: len(shown()) == 62)

    def test_file_names_never_become_markup(self):
        self.says(MARKUP, "#track")
        self.says(MARKUP)
        self.assertEqual(self.page.all("main img"), [])
        self.assertEqual(self.page.driver.title, "Tacet")


class LibraryTests(PageTest):
    """The list of the library's tracks."""
    starts = False
    tracks = ("One.wav", MARKUP)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        music = cls.lab.folder / "music"
        for folder, count in (("Long walk", 1100), ("Häuser", 2)):
            (music / folder).mkdir()
            for number in range(count):
                os.link(music / "One.wav", music / folder / f"{number:04} part.wav")
        os.link(music / "One.wav", music / "--then x.wav")
        cls.lab.start_daemon()
        until("tracks", lambda: "1105" in cls.page.text("#found"))

    def setUp(self):
        self.search("")
        self.says("of 1105 tracks.", "#found")

    def search(self, text):
        field = self.page.find("#search")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(Keys.BACKSPACE, text)

    def titles(self):
        return self.page.script(
            "return [...document.querySelectorAll('#track-list .row .name')].map(name => name.textContent)")

    def test_list_is_short_until_more_is_wanted(self):
        self.says("The first 12 of 1105 tracks.", "#found")
        self.assertEqual(len(self.titles()), 12)
        self.assertEqual(self.titles()[:3], ["--then x.wav", MARKUP, "0000 part.wav"])
        self.assertEqual(self.page.text("#track-list .row:nth-child(3) .detail"), "Häuser")
        self.page.picture("library")
        self.page.click("#more-tracks")
        self.says("The first 62 of 1105 tracks.", "#found")
        self.assertEqual(self.page.focused(), "more-tracks")
        while self.page.visible("#more-tracks"):
            self.page.press(Keys.ENTER)
        # The list ends, and the focus is on the first track that was added last.
        self.says("The first 1000 of 1105 tracks. Search to find the others.", "#found")
        self.assertEqual(len(self.titles()), 1000)
        self.assertEqual(self.page.focused(), "Play")

    def test_searches_as_the_user_types(self):
        self.search("HÄUSER")
        self.says("2 tracks found.", "#found")
        self.assertEqual(self.titles(), ["0000 part.wav", "0001 part.wav"])
        self.assertFalse(self.page.visible("#more-tracks"))
        self.assertEqual(self.page.focused(), "search")
        self.search("moon")
        self.says("No track has a name that contains this.", "#found")
        self.assertEqual(self.titles(), [])

    def test_plays_a_track_with_the_keyboard(self):
        self.search("0777")
        self.says("1 track found.", "#found")
        self.page.press(Keys.TAB)
        self.assertEqual(self.page.script("return document.activeElement.getAttribute('aria-label')"),
                         "Play Long walk/0777 part.wav")
        self.page.press(Keys.ENTER)
        self.says("Playing Long walk/0777 part.wav.", "#track-answer")
        self.says("Playing ‘0777 part.wav’")
        # The list of the page does not depend on what is played.
        self.says("1 track found.", "#found")

    def test_plays_a_track_whose_name_looks_like_an_option(self):
        self.search("--then")
        self.says("1 track found.", "#found")
        self.page.click("#track-list button")
        self.says("Playing --then x.wav.", "#track-answer")
        self.says("Playing ‘--then x.wav’")

    def test_lost_track_is_explained(self):
        lost = self.lab.folder / "music/Long walk/0500 part.wav"
        self.search("0500")
        self.says("1 track found.", "#found")
        lost.unlink()
        self.page.click("#track-list button")
        self.says("no longer contains this track", "#track-answer")
        os.link(self.lab.folder / "music/One.wav", lost)

    def test_names_never_become_markup(self):
        self.search("onerror")
        self.says("1 track found.", "#found")
        self.assertEqual(self.titles(), [MARKUP])
        self.assertEqual(self.page.all("main img"), [])
        self.assertEqual(self.page.driver.title, "Tacet")


class AppearanceTests(PageTest):
    """Sizes, themes, and use with the keyboard alone."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        until("timeline", lambda: cls.page.all("#chart .span"))

    def setUp(self):
        self.page.size(1280, 900)
        self.page.script("localStorage.removeItem('shell:style')")
        self.page.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])
        self.page.script("window.dispatchEvent(new CustomEvent('cockpit-style', {detail: {style: 'auto'}}))")
        until("light page", lambda: self.brightness() > 0.8)
        self.page.top()

    def settle(self):
        """Shows every section once, so that its content exists, and returns to the top."""
        for section in ("#wiring", "#check"):
            self.page.show(section)
            until("content", lambda: self.page.all("#lines .row"))
        self.says("has no mistakes", "#verdict")
        self.page.top()

    def brightness(self, selector="body", which="backgroundColor"):
        """Returns the relative luminance as WCAG defines it."""
        return self.page.script("""
            const numbers = getComputedStyle(document.querySelector(arguments[0]))[arguments[1]].match(/[\\d.]+/g).map(Number);
            const [r, g, b] = numbers.map(n => n / 255).map(n => n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b""", selector, which)

    def contrast(self, ink, ground):
        light, dark = sorted([self.brightness(ink, "color"), self.brightness(ground)], reverse=True)
        return (light + 0.05) / (dark + 0.05)

    def readable(self):
        for ink, ground in [("#why", "body"), ("#track", "body"), ("#signals .detail", "#signals"), ("#signals .name", "#signals"),
                            ("#health h2", "#health"), ("#found", "#library"), (".button.primary", ".button.primary"), ("#hush", "#sounds")]:
            self.assertGreaterEqual(self.contrast(ink, ground), 4.5, f"{ink} on {ground}")

    def test_light(self):
        until("light page", lambda: self.brightness() > 0.8)
        self.settle()
        self.readable()
        self.page.picture("light")

    def test_dark_as_the_system_wishes(self):
        self.page.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        until("dark page", lambda: self.brightness() < 0.05)
        self.settle()
        self.readable()
        self.page.picture("dark")

    def test_dark_as_selected_in_cockpit(self):
        self.page.script("window.dispatchEvent(new CustomEvent('cockpit-style', {detail: {style: 'dark'}}))")
        until("dark page", lambda: self.brightness() < 0.05)
        self.assertIn("pf-v5-theme-dark", self.page.find("html").get_attribute("class"))
        self.page.script("localStorage.setItem('shell:style', 'dark')")
        self.page.open()
        self.page.ready()
        until("dark page", lambda: self.brightness() < 0.05)
        self.page.script("localStorage.setItem('shell:style', 'light')")
        self.page.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.page.open()
        self.page.ready()
        self.assertGreater(self.brightness(), 0.8)

    def test_phone(self):
        self.page.size(360, 740)
        self.settle()
        until("redrawn timeline", lambda: self.page.script("return document.querySelector('#chart svg').getBoundingClientRect().width") < 340)
        wide = self.page.script(
            "return [...document.querySelectorAll('main *')].filter(node => !node.closest('.spoken') && "
            "node.getBoundingClientRect().right > 361).map(node => node.id || node.className?.baseVal || node.className || node.tagName)")
        self.assertEqual(wide, [])
        self.assertLessEqual(self.page.script("return document.documentElement.scrollWidth"), 360)
        small = self.page.script(
            "return [...document.querySelectorAll('button, input[type=range], summary, label.check')].filter(node => node.offsetParent && "
            "node.getBoundingClientRect().height < 44).map(node => node.id || node.textContent)")
        self.assertEqual(small, [])
        self.page.picture("phone")
        self.page.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        until("dark page", lambda: self.brightness() < 0.05)
        self.page.picture("phone-dark")

    def test_keyboard_alone(self):
        self.page.script("document.activeElement.blur()")
        order = []
        for _ in range(25):
            self.page.press(Keys.TAB)
            order.append(self.page.focused())
            outline = self.page.script(
                "const node = document.activeElement; const style = getComputedStyle(node);"
                "const hit = node.querySelector('.hit'); return hit ? getComputedStyle(hit).stroke !== 'none' : "
                "style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2")
            self.assertTrue(outline, f"{order[-1]} does not show that it has the focus")
            if order[-1] == "check-output" or order[-1] == "check-again":
                break
        expected = ["Play", "Pause", "Previous", "Next", "volume", "mute", "hush", "Announce", "search", "Play", "Play", "Play",
                    "Last hour", "6 hours", "Today"]
        self.assertEqual(order[:len(expected)], expected)
        self.assertIn("free-lines", order)
        self.page.script("document.querySelector('[data-command=pause]').focus()")
        self.page.press(Keys.ENTER)
        self.says("Quiet", "#mood")
        self.page.script("document.querySelector('[data-command=play]').focus()")
        self.page.press(Keys.SPACE)
        self.says("Playing", "#mood")

    def test_everything_has_a_name(self):
        nameless = self.page.script(
            "return [...document.querySelectorAll('button, input, [role=img], section, [role=group]')].filter(node => "
            "node.checkVisibility() && !((node.matches('button') && node.textContent.trim()) || node.getAttribute('aria-label') || node.labels?.length || "
            "document.getElementById(node.getAttribute('aria-labelledby')))).map(node => node.outerHTML.slice(0, 80))")
        self.assertEqual(nameless, [])
        ids = self.page.script("return [...document.querySelectorAll('[id]')].map(node => node.id)")
        self.assertEqual(len(ids), len(set(ids)))


class ShellTests(PageTest):
    """The page inside Cockpit's own frame."""

    def test_is_in_cockpits_menu(self):
        self.page.open("/tacet")
        until("menu", lambda: "Tacet" in self.page.text("#host-apps") or "Tacet" in self.page.text("nav"))
        frame = until("frame", lambda: self.page.find("iframe[name*='tacet']"))
        self.page.driver.switch_to.frame(frame)
        self.says("Playing", "#mood")
        self.page.click("[data-command=pause]")
        self.says("because it was paused")
        self.assertEqual(self.page.script("return window.failures"), [])
        self.page.driver.switch_to.default_content()
        self.page.picture("shell")

    def tearDown(self):
        # The shell's own pages may report errors about parts that this machine lacks.
        self.page.driver.switch_to.default_content()


if __name__ == "__main__":
    unittest.main()
