"""Levels from sources other than a GPIO line: a switch and a key, a jack, calls, and programs on the bus."""
import contextlib
import time

from bench.check import check, expect
from bench.numbers import RATE
from bench.story import pause
from checks.c02_signals import exactly
from checks.c10_cost import figures, latencies

PIPE = "/run/bench-inputs"
PHONE = "/run/bench-phone"
PHONE_TOOL = "/usr/local/lib/board/phone"
#: The drop-in for logind, which would suspend the board because of a lid switch.
LOGIND = "/run/systemd/logind.conf.d/bench.conf"
#: The policy of Debian's package of oFono.
POLICY = "/etc/dbus-1/system.d/bench.conf"
POLICY_TEXT = """<busconfig>
  <policy user="root"><allow own="org.ofono"/><allow send_destination="org.ofono"/></policy>
  <policy context="default"><deny send_destination="org.ofono"/></policy>
</busconfig>
"""
CONF = """[Signal lid]
Effect=pause
Source=switch
Input=Bench Panel
Code=SW_LID
LostGrace=0s
WhenLost=release
[Signal phones]
Effect=pause
Jack=Headphone Jack
ActiveLow=yes
[Signal voip]
Effect=pause
Source=bus
LostGrace=0s
[Signal call]
Effect=pause
Call=active
LostGrace=0s
[Button headset]
Input=Bench Panel
Code=KEY_PLAYPAUSE
Command=playPause
"""


@contextlib.contextmanager
def panel(board, conf=""):
    """Runs the body with the panel of tools/inputs.c, whose jack has something plugged in, and with tools/phone.c."""
    board.write(LOGIND, "[Login]\nHandleLidSwitch=ignore\nHandleLidSwitchExternalPower=ignore\n")
    board.run(
        "systemctl try-restart systemd-logind; modprobe -a uinput evdev; "
        f"rm -f {PIPE}; mkfifo {PIPE}; "
        f"systemd-run --quiet --unit=bench-inputs /usr/local/lib/board/inputs {PIPE}"
    )
    board.write(POLICY, POLICY_TEXT)
    board.run(
        "busctl call org.freedesktop.DBus / org.freedesktop.DBus ReloadConfig; "
        f"rm -f {PHONE}; mkfifo {PHONE}; systemd-run --quiet --unit=bench-phone {PHONE_TOOL} {PHONE}"
    )
    try:
        move(board, "jack 1")
        with board.configured(CONF + conf):
            yield
    finally:
        board.run(
            f"systemctl stop bench-inputs bench-phone; rm -f {PIPE} {PHONE} {LOGIND} {POLICY};"
            "busctl call org.freedesktop.DBus / org.freedesktop.DBus ReloadConfig",
            check=False,
        )


def move(board, *acts):
    act(board, PIPE, acts)


def phone(board, *acts):
    act(board, PHONE, acts)


def act(board, pipe, acts):
    board.run(f"printf '%s\\n' {' '.join(repr(act) for act in acts)} >{pipe}")


def interrupted(board, signal, begin, end):
    """Begins and ends an interruption. Returns its figures."""
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    begin()
    board.journal.wait("interruption-began", mark, signal=signal)
    board.sound.wait_for_silence(start)
    end()
    board.journal.wait("interruption-ended", mark)
    return exactly(pause(board.sound, start, board.sound.wait_for_music().end))


LONG_PRESS = "[Button headset]\nLongCommand=hush\nLongPress=1500ms\n"


@check("switch-and-key-of-an-input-device")
def switch(board):
    """A lid closes, the device disappears and returns under a different number, and a held key repeats. A long press of
    the key has its own command."""
    with panel(board, LONG_PRESS):
        figures = interrupted(board, "lid", lambda: move(board, "lid 1"), lambda: move(board, "lid 0"))
        listing = board.run("tacet inputs")
        expect("“Bench Panel”" in listing and "SW_LID  off" in listing, f"tacet inputs: {listing}")
        mark = board.journal.mark()
        move(board, "unplug")
        board.journal.wait("fault", mark, signal="lid", fault="lost")
        # A different device takes the number.
        move(board, "plug", "lid 1")
        board.journal.wait("fault-cleared", mark, signal="lid", fault="lost")
        board.journal.wait("interruption-began", mark, signal="lid")
        move(board, "lid 0")
        board.journal.wait("interruption-ended", mark)
        board.settle()
        mark = board.journal.mark()
        # The kernel's queue has places for 64 events, half of which only separate the others.
        move(board, "key 1", "repeat 20", "key 0")
        board.journal.wait("command", mark)
        board.sound.wait(len(board.sound) + RATE)
        expect(len(board.journal.since(mark, "command")) == 1, "a repeating key gave several commands")
        move(board, "key 1", "key 0")
        board.settle()
        mark = board.journal.mark()
        move(board, "key 1")
        # The command comes while the key is held.
        board.journal.wait("command", mark, press="long", command="hush")
        move(board, "key 0")
        board.settle()
        expect(len(board.journal.since(mark, "command")) == 1, "a long press gave several commands")
        return figures


@check("jack-of-a-sound-card")
def jack(board):
    """The music pauses while no headphones are plugged in."""
    with panel(board):
        return interrupted(board, "phones", lambda: move(board, "jack 0"), lambda: move(board, "jack 1"))


@check("program-on-the-bus")
def program(board):
    """A command asserts a signal, and a kill of `tacet assert` loses it."""
    with panel(board):
        unit = "systemd-run --quiet --unit=bench-call --collect tacet assert voip -- sleep 600"
        figures = interrupted(board, "voip", lambda: board.run(unit), lambda: board.run("systemctl stop bench-call"))
        mark = board.journal.mark()
        board.run(unit)
        board.journal.wait("interruption-began", mark, signal="voip")
        board.run("systemctl kill --kill-whom=main --signal=KILL bench-call")
        board.journal.wait("fault", mark, signal="voip", fault="lost")
        board.journal.wait("interruption-ended", mark)
        expect(board.run("tacet deassert voip").strip() == "Released.", "tacet deassert")
        board.journal.wait("fault-cleared", mark, signal="voip", fault="lost")
        board.settle()
        return figures


@check("call-of-ofono")
def call(board):
    """A ringing call has no effect yet, and an answered one pauses the music. If oFono dies in a call, the call is
    lost."""
    with panel(board):

        def answer():
            mark = board.journal.mark()
            phone(board, "ring", "wait 1000", "answer")
            board.journal.wait("interruption-began", mark, signal="call")

        found = interrupted(board, "call", answer, lambda: phone(board, "hangup"))
        mark = board.journal.mark()
        answer()
        board.run("systemctl kill --signal=KILL bench-phone")
        entry = board.journal.wait("fault", mark, signal="call", fault="lost")
        expect("oFono" in entry["MESSAGE"], entry["MESSAGE"])
        board.run(f"systemctl reset-failed bench-phone; systemd-run --quiet --unit=bench-phone {PHONE_TOOL} {PHONE}")
        board.journal.wait("fault-cleared", mark, signal="call", fault="lost")
        board.journal.wait("interruption-ended", mark, timeout=60)
        board.settle()
        return found


PRESS = ["key 1", "wait 60", "key 0"]
#: For each source, its pipe, the acts that begin and end an interruption, and the act from which the time is measured.
ACTS = {
    "switch": (PIPE, ["lid 1"], ["lid 0"], "lid 1"),
    "key": (PIPE, PRESS, PRESS, "key 1"),
    "jack": (PIPE, ["jack 0"], ["jack 1"], "jack 0"),
    "call": (PHONE, ["ring", "answer"], ["hangup"], "answer"),
    "bus": (PHONE, ["assert voip"], ["deassert voip"], "assert voip"),
}
PULSES = 15
#: Without debouncing, the measurement compares the sources themselves and not their usual debouncing times.
AT_ONCE = "".join(f"[Signal {name}]\nDebounce=0s\n" for name in ("lid", "phones", "voip", "call", "phone-call"))


@check("each-source-is-as-quick-as-a-wire")
def quick(board):
    """Measures the time from a change of level to the first changed frame, with Debounce=0."""
    with panel(board, AT_ONCE + "[Playback]\nFadeIn=100ms\n"):
        board.settle()
        edges = board.pull(*["PHONE_CALL", "up", "0.8s", "PHONE_CALL", "down", "1.3s"] * PULSES, timeout=120)
        found = {"wire": latencies(board, [edge[0] for edge in edges if edge[2] == "up"])}
        for source, (pipe, begin, end, timed) in ACTS.items():
            board.settle()
            unit = f"bench-{'phone' if pipe == PHONE else 'inputs'}"
            before, count = len(times(board, unit, timed)), PULSES * (begin + end).count(timed)
            act(board, pipe, (begin + ["wait 800"] + end + ["wait 1300"]) * PULSES)
            limit = time.monotonic() + 120
            while len(moments := times(board, unit, timed)[before:]) < count:
                expect(time.monotonic() < limit, f"{unit} has not finished")
                time.sleep(0.5)
            found[source] = latencies(board, moments[:: count // PULSES])
        for source, values in found.items():
            expect(len(values) >= PULSES * 3 // 4, f"{source}: only {len(values)} of {PULSES} were a pause and resume")
        return "; ".join(f"{source} {figures(values)}" for source, values in found.items()) + " ms"


def times(board, unit, timed):
    """Returns the times at which the panel or the phone did this (CLOCK_MONOTONIC, nanoseconds)."""
    lines = board.run(f"journalctl --unit={unit} --output=cat --no-pager").splitlines()
    return [int(line.split()[0]) for line in lines if line.split(" ", 1)[1:] == [timed]]
