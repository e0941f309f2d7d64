"""The power fails again and again, at any moment of a busy day. Each boot must restore what was requested before."""
import json
import math
import os
import random
import statistics
import time

from bench import acts as day
from bench import saves, state
from bench.board import BENCH_CONF, PROMPT, SIGNALS
from bench.commands import CHECK_CONF
from bench.check import Failed, check, expect, near
from bench.machine import MachineError
from bench.numbers import RATE
from bench.story import (
    Unheard, arrival, distance, frames_of, gap_frames, new_number, silent, steady_level, successor,
)  # fmt: skip
from checks.c02_signals import EXACT
from checks.c06_hangs import INTERVAL, SAVE

#: The number of seconds after which a boot is treated as failed, however slow the emulator is.
PATIENCE = 600
#: The number of failures after which the check ends.
MOST_TROUBLES = 3
SOAK = bool(os.environ.get("SOAK"))
CUTS = 100 if SOAK else 3
#: The signals whose end does not recommend resuming.
MANUAL = ("cover-closed",)
CONF = (
    "[Playback]\nFadeIn=200ms\n[Signal cover-closed]\nResume=manual\n"
    "[Signal ignition-off]\nLine=IGNITION_OFF\nEffect=checkpoint\nBias=as-is\n"
)
#: Another chip with the line that announces a power failure.
DASHBOARD = "[Service]\nExecStartPost=/usr/local/lib/board/chip make dashboard IGNITION_OFF\n"
#: A drop-in that copies the state as the power cut left it, before the daemon changes it.
FOUND = "[Service]\nExecStartPre=-+/bin/cp /var/lib/tacet/state /mnt/bench/found\n"
#: The level that is reported if nothing plays.
SILENCE = -120
#: The number of frames at the beginning of a fade-in that may be too soft to be audible.
SOFT = RATE // 50
#: The number of frames after which a fade-in of 200 ms is over, even if there is an underrun in it.
FADED = RATE
#: The minimum number of frames from which a level can be measured.
ENOUGH = RATE // 2


def seeded():
    return int(os.environ.get("TACET_SEED") or random.SystemRandom().randrange(10**6))


class Life:
    """A boot, the acts after it, and the power cut that ends it."""

    def __init__(self, seed, number):
        chance = random.Random(f"{seed}/{number}")
        self.held = [signal for signal in SIGNALS if chance.random() < 0.15]
        self.acts = day.plan(chance, self.held)
        #: Some lives are cut during their boot, after this share of the time that a boot takes.
        self.in_boot, self.share = chance.random() < 0.12, chance.random()
        #: The number of seconds that the life lasts, and the number that its boot, or the previous one, took.
        self.seconds, self.boot_took = chance.uniform(0, 10), 0
        #: The state that the boot found.
        self.found = None
        self.boot = None
        #: The lives after this one that were cut during their boot.
        self.stillborn = []
        # State at the power cut
        self.saves, self.pieces, self.length = [], [], 0
        #: The time in seconds since 1970, by the board's clock.
        self.cut_at = 0
        #: The same time minus seconds of CLOCK_MONOTONIC.
        self.offset = 0

    def begin(self, board, before):
        """Boots and judges the result. `before` is the previous life. Returns figures."""
        wires = [SIGNALS[signal] for signal in self.held]
        if self.in_boot:
            board.machine.start(["bench", f"board.held={','.join(wires)}"])
            # This is a random moment.
            self.boot_took = before.boot_took
            time.sleep(self.share * self.boot_took)
            board.cut_power()
            return None
        began = time.monotonic()
        board.boot(timeout=PATIENCE, held=wires)
        self.boot_took = time.monotonic() - began
        started = board.journal.wait("started", 0, timeout=PATIENCE)
        self.offset = (int(started["__REALTIME_TIMESTAMP"]) - int(started["__MONOTONIC_TIMESTAMP"])) / 1e6
        saves.watch(board)
        self.found = found(board, started)
        self.boot = state.boot(self.found, self.held, MANUAL)
        figures = judge_state(self.found, before) if before else None
        judge_boot(board, self, started)
        return figures

    def run(self, board):
        """Runs the acts until the power cut."""
        if self.in_boot:
            return
        board.machine.begin(day.script(self.acts))
        # This is a random moment.
        time.sleep(self.seconds)
        board.cut_power()
        self.saves = saves.read(board)
        day.read(board, self.acts)
        judge_silence(board, self)
        self.cut_at = board.sound.time_of(len(board.sound)) / 1e9 + self.offset
        self.pieces = board.sound.pieces(max(0, len(board.sound) - 30 * RATE))
        self.length = len(board.sound)

    def frame_at(self, wall):
        """Returns the frame that was playing at this time."""
        return self.length - round((self.cut_at - wall) * RATE)

    @property
    def allowance(self):
        """The number of seconds that a save may take, judged by the emulated disk's saves so far. A save may have to
        wait for the previous one."""
        took = [save.took if save.ended else self.cut_at - save.began for save in self.saves]
        return SAVE + 2 * max(took, default=0)


def found(board, started):
    """Returns the state that the daemon found. Checks that the product's own reader and `bench.state` agree about
    it."""
    for event in ("state-unreadable", "place-lost"):
        expect(not board.journal.since(0, event), board.journal.summary(0))
    with open(f"{board.machine.share}/found", "rb") as file:
        content = file.read()
    reading = json.loads(board.run("tacet state --json /mnt/bench/found"))
    expect(reading["readable"], f"the state cannot be read: {reading}")
    record = state.records(content)[reading["slot"]]
    expect(record and record.sequence == reading["sequence"], f"slot {reading['slot']} is not as reported: {reading}")
    words = f"continues from state {record.sequence} in slot {reading['slot']}"
    expect(words in started["MESSAGE"], f"‘{started['MESSAGE']}’ does not say ‘{words}’")
    return record


def judge_state(found, life):
    """Judges the state that the power cut at the end of that life has left behind. Returns true if it is the state that
    was being written, and the seconds of music that were lost if it played."""
    written = {save.state.sequence: save for save in life.saves}
    durable = max([life.found.sequence, *(number for number, save in written.items() if save.ended)])
    expect(durable <= found.sequence, f"state {found.sequence} is found, and {durable} was on the disk")
    if written and not life.stillborn:
        expect(found.sequence <= max(written) + 1, f"state {found.sequence} is found; the last one was {max(written)}")
    # A later state that is not confirmed to be on the disk may come from another life.
    if found.sequence in written and (found.sequence == durable or not life.stillborn):
        expect(found.text == written[found.sequence].state.text, f"state {found.sequence} is not as it was written")
    judge_decisions(found, life)
    return found.sequence > durable, None if life.stillborn else lost(found, life)


def judge_decisions(found, life):
    """Checks that the user's last command, the volume and the levels of the signals are the ones at the time of the
    save, and that none that was already on the disk is missing."""
    early = life.cut_at - life.allowance
    # Otherwise, nothing was saved in that life, or another life saved it.
    is_its_own = found.sequence > life.found.sequence and not life.stillborn
    facts = [
        ("intent", found.intent, life.found.intent, life.boot.intent, lambda act, intent: act.changes(intent)),
        ("volume", found.volume, life.found.volume, life.found.volume, day.volumes),
    ]
    for signal in SIGNALS:
        ways = [way(signal, held) for held in (found.held, life.found.held, life.held)]
        facts.append((signal, *ways, day.levels(signal)))
    for what, value, before, booted, change in facts:
        start = {booted} if is_its_own else {before, booted}
        wanted = day.possible(life.acts, start, change, certain=early, latest=math.inf)
        if life.stillborn and what in SIGNALS:
            wanted |= {way(what, one.held) for one in life.stillborn}
        if life.stillborn and what == "intent" and "playing" in wanted:
            wanted |= {"paused"}
        expect(value in wanted, f"{what} {value} is found, but {listed(wanted)} was durable")
        if is_its_own:
            then = day.possible(life.acts, start, change, certain=found.saved_at, latest=found.saved_at + 0.01)
            expect(value in then, f"{what} {value} is found, but it was {listed(then)} when it was saved")


def way(signal, held):
    return "up" if signal in held else "down"


def listed(values):
    return " or ".join(map(str, sorted(values)))


def lost(found, life):
    """Returns the seconds of the music that were played after the state was saved, or None if it was silent at the
    cut."""
    if not life.pieces or life.pieces[-1].kind == "silence" and life.pieces[-1].count > RATE // 10:
        return None
    since = life.frame_at(found.saved_at)
    heard = sum(
        piece.end - max(piece.start, since) for piece in life.pieces if piece.kind != "silence" and piece.end > since
    )
    most = INTERVAL + life.allowance
    expect(heard / RATE <= most, f"{heard / RATE:.2f} s of the music are lost, not {most:.2f} s at most")
    return heard / RATE


def judge_boot(board, life, started):
    """Checks that the sound follows the documented semantics from the very first frame on."""
    wanted = life.boot
    status = json.loads(board.run("tacet status --json"))
    if wanted.level is None:
        board.sound.wait(board.sound.frame_at(int(started["__MONOTONIC_TIMESTAMP"]) * 1000) + RATE)
        silent(board.sound, 0)
        expect(status["gain_db"] == SILENCE, f"it plays: {status}")
        expect(status["interrupted"] == wanted.blocks, f"not {'' if wanted.blocks else 'un'}interrupted: {status}")
        expect(wanted.blocks or status["status"] == wanted.intent.capitalize(), f"not {wanted.intent}: {status}")
        return
    first = first_sound(board)
    board.sound.wait(first + FADED + ENOUGH, timeout=60)
    near(steady_level(board.sound, first + FADED), wanted.level, 0.02, "level, dB")
    if wanted.level == 0:
        music = board.sound.wait_for_music(first, timeout=30)
        number, tolerance = entrance(board.sound, first, music.end)
        near(distance(number, round(life.found.position * RATE) + 1), 0, tolerance, "frames from the saved position")


def entrance(recording, first, end):
    """Returns the number of the frame with which the music returned from silence, and a tolerance. If there was an
    underrun in the fade-in, the tolerance includes its first frames, which may be too soft to be audible."""
    pieces = recording.pieces(first, end)
    after = next(index for index, piece in enumerate(pieces) if piece.kind == "numbers")
    coming = pieces[:after]
    if not gap_frames(coming):
        return arrival(recording, first, end), EXACT
    return successor(new_number(recording, coming, pieces[after]), -len(frames_of(recording, coming))), SOFT


def first_sound(board, timeout=60):
    limit = time.monotonic() + timeout
    while True:
        for piece in board.sound.pieces(0):
            if piece.kind != "silence":
                return piece.start
        if time.monotonic() > limit:
            raise TimeoutError(f"nothing is heard within {timeout} s: {board.journal.summary(0)}")
        time.sleep(0.1)


def judge_silence(board, life):
    """Checks that nothing plays while a signal blocks, once it has had time to take effect."""
    up = {signal: 0 for signal in life.held if signal != "alarm"}
    spans = []
    for act in life.acts:
        words = act.words.split()
        if words[0] != "wire" or words[1] == "alarm" or act.pulled is None:
            continue
        if words[2] == "up":
            up[words[1]] = act.pulled + int(day.SETTLED * 1e9)
        elif words[1] in up:
            spans.append((up.pop(words[1]), act.pulled))
    end = board.sound.time_of(len(board.sound))
    for start, stop in [*spans, *((start, end) for start in up.values())]:
        if stop > start:
            first, last = (board.sound.frame_at(moment) if moment else 0 for moment in (start, stop))
            if min(last, len(board.sound)) > first:
                silent(board.sound, first, last)


def prepare(board):
    """Prepares a new disk with everything that the day needs."""
    board.cut_power()
    board.boot(timeout=PATIENCE, fresh=True)
    for path, text in [
        (BENCH_CONF, PROMPT),
        (CHECK_CONF, CONF),
        ("/etc/systemd/system/board-hardware.service.d/cuts.conf", DASHBOARD),
        ("/etc/systemd/system/tacet.service.d/cuts.conf", FOUND),
    ]:
        board.write(path, text)
    board.run("/usr/local/lib/board/chip make dashboard IGNITION_OFF; systemctl daemon-reload; systemctl restart tacet")
    board.settle()
    board.run("systemctl stop tacet; sync")
    board.cut_power()


@check("power-cuts-at-any-moment", calm=False, minutes=4)
def cuts(board):
    seed = seeded()
    figures, troubles = [], []
    in_boots = 0
    before = None
    prepare(board)
    try:
        for number in range(1, CUTS + 2):
            life = Life(seed, number)
            life.in_boot = life.in_boot and before is not None and number <= CUTS
            try:
                figures.append(life.begin(board, before))
                if number <= CUTS:
                    life.run(board)
            except (Failed, Unheard, TimeoutError, MachineError, LookupError, OSError) as error:
                troubles.append(f"life {number} ({tale(life)}), after one of {tale(before)}: {error}")
                board.cut_power()
                print(f"# {troubles[-1]}", flush=True)
                if len(troubles) == MOST_TROUBLES:
                    break
                # The contents that this life left on the disk are unknown.
                before = None
                continue
            if life.in_boot:
                in_boots += 1
                before.stillborn.append(life)
            else:
                before = life
            if number % 10 == 0:
                print(f"# {summary(figures, in_boots)}", flush=True)
    finally:
        # The next check gets a new disk.
        board.cut_power()
        os.unlink(board.machine.disk)
    expect(not troubles, f"TACET_SEED={seed}: {summary(figures, in_boots)}; {'; '.join(troubles)}")
    return f"TACET_SEED={seed}: {summary(figures, in_boots)}"


def tale(life):
    if life is None:
        return "nothing"
    held = f"{' and '.join(life.held)} held; " if life.held else ""
    if life.in_boot:
        return f"{held}cut after {life.share:.2f} of a boot"
    return f"{held}{', '.join(f'{act.words} after {act.pause:.2f} s' for act in life.acts)}; {life.seconds:.1f} s"


def summary(figures, in_boots):
    judged = [figure for figure in figures if figure]
    costs = [cost for _, cost in judged if cost is not None]
    newer = sum(new for new, _ in judged)
    text = f"{len(judged) + in_boots} cuts, {in_boots} of them in boots: "
    text += f"{len(judged) - newer} times the last state known to be saved, {newer} times the one being written"
    if costs:
        text += f"; music lost by the {len(costs)} that played: {statistics.median(costs):.2f} s in the median, "
        text += f"{max(costs):.2f} at worst (Interval={INTERVAL:g}s)"
    return text
