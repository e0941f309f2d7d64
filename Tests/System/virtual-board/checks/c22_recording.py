"""Recording. A player's numbered frames reach Tacet's microphone through the second card, and the files show to the
frame which of them were recorded."""
import contextlib
import json
import os
import time

from bench import recorded
from bench.board import CHIP
from bench.check import check, expect, near
from bench.commands import CHECK_CONF
from bench.numbers import RATE
from bench.recorded import FOLDER
from checks.c18_outputs import VALUES
from checks.c21_queue import gaps

#: The number of calls in a recording, and of power cuts.
CALLS, CUTS = 10, 100 if os.environ.get("SOAK") else 3
#: The number of recorded seconds that a power cut may lose.
INTERVAL = 1
#: The microphone is the far end of the card that is not recorded by the bench.
PLAYER, MICROPHONE = "hw:Spare,0", "hw:Spare,1"
CONF = f"""[Session]
Category=playAndRecord
[Recording]
Device={MICROPHONE}
Channels=2
"""
#: The tolerance. The card moves in ticks of 4 ms, edges are debounced, and a busy machine is late.
TOLERANCE = RATE // 8


@contextlib.contextmanager
def player(board):
    """Plays the music into the microphone once (170 s)."""
    board.run(
        "systemctl stop bench-microphone 2>/dev/null; systemctl reset-failed bench-microphone 2>/dev/null; "
        "systemd-run --quiet --unit=bench-microphone --nice=-10 "
        f"aplay --quiet --device={PLAYER} --buffer-time=500000 /srv/music/numbers.wav"
    )
    try:
        yield
    finally:
        board.run("systemctl stop bench-microphone", check=False)


@contextlib.contextmanager
def recording(board, conf="", folder=FOLDER):
    """Runs the body while Tacet records, with `conf` beside `CONF`, and completes the file."""
    board.run(f"rm -rf {folder}/*")
    with player(board), board.configured(CONF + conf):
        mark = board.journal.mark()
        expect(board.run("tacet record start") == "Done.", "tacet record start")
        board.journal.wait("recording-began", mark)
        try:
            yield
        finally:
            board.run("tacet record stop", check=False)


def stop(board):
    mark = board.journal.mark()
    expect(board.run("tacet record stop") == "Done.", "tacet record stop")
    return board.journal.wait("recording-file", mark, reason="recording stopped")


def recorded_time(board):
    return json.loads(board.run("tacet status --json"))["recorded"]


def sound_of(file):
    """Returns the sections of a file, without the silence before and after the player's sound."""
    expect(file is not None, "the recording cannot be read")
    pieces = file.pieces()
    while pieces and not pieces[0][0]:
        pieces.pop(0)
    while pieces and not pieces[-1][0]:
        pieces.pop()
    return pieces


def words(pieces):
    return ", ".join(f"{count} from {first}" if first else f"{count} silent" for first, count in pieces[:30])


@check("recording-has-every-frame-outside-ten-calls", minutes=0.75)
def calls(board):
    """The frames are recorded in order and once each, without those inside a call, and in one file."""
    with recording(board, "[Signal phone-call]\nDebounce=30ms\n"):
        board.sound.wait(len(board.sound) + RATE)
        mark = board.journal.mark()
        pulls = board.pull(*["PHONE_CALL", "up", "1s", "PHONE_CALL", "down", "1.5s"] * CALLS, timeout=120)
        board.sound.wait(len(board.sound) + RATE)
        ended = stop(board)
        began = board.journal.since(mark, "recording-began")
        paused = board.journal.since(mark, "recording-ended", signal="phone-call")
    found = recorded.files(board)
    expect(len(found) == 1, f"{len(found)} files")
    pieces = sound_of(found[0])
    expect(all(first for first, _ in pieces), f"silence in the recording: {words(pieces)}")
    expect(len(pieces) == CALLS + 1, f"{len(pieces)} stretches in {CALLS} calls: {words(pieces)}")
    missed = [after[0] - before[0] - before[1] for before, after in zip(pieces, pieces[1:])]
    lengths = [(down[0] - up[0]) * RATE // 10**9 for up, down in zip(pulls[::2], pulls[1::2])]
    for lost, length in zip(missed, lengths):
        near(lost, length, TOLERANCE, "frames missing of a call")
    expect(found[0].ended("recording stopped") and b"DEVICE=" in found[0].head, "the tags")
    expect(int(ended["TACET_FRAMES"]) == len(found[0].samples), f"{ended['MESSAGE']}: {len(found[0].samples)} frames")
    # The journal limits them.
    expect(began and paused and len(began) <= CALLS and len(paused) <= CALLS, f"{len(began)}, {len(paused)} entries")
    differences = [lost - length for lost, length in zip(missed, lengths)]
    return (
        f"{len(found[0].samples)} frames; each call lacks its own frames and {min(differences) * 1000 // RATE} … "
        f"{max(differences) * 1000 // RATE} ms more"
    )


@check("recording-is-silent-while-the-microphone-is-muted")
def muted(board):
    """With the option, the cover's signal does not interrupt, so the recording contains one silent frame for each
    missing one."""
    conf = (
        "[Session]\nOptions=overrideMutedMicrophoneInterruption\n"
        "[Signal cover-closed]\nEffect=mute-microphone\nDebounce=30ms\n"
    )
    with recording(board, conf):
        board.sound.wait(len(board.sound) + RATE)
        start = board.settle()
        pulls = board.pull("COVER_CLOSED", "up", "1.5s", "COVER_CLOSED", "down", "1s")
        board.sound.wait(len(board.sound) + RATE)
        expect(gaps(board, start, len(board.sound)) == 0, "playback was disturbed")
        stop(board)
    found = recorded.files(board)
    expect(len(found) == 1, f"{len(found)} files")
    pieces = sound_of(found[0])
    expect(len(pieces) == 3 and pieces[1][0] == 0, words(pieces))
    (first, before), (_, silent), (after, _) = pieces
    expect(after - first - before == silent, f"{silent} frames are silent instead of {after - first - before}")
    near(silent, (pulls[1][0] - pulls[0][0]) * RATE // 10**9, TOLERANCE, "silent frames")
    return f"{silent} frames are silent, and the same ones are missing"


@check("power-cuts-while-recording", minutes=2)
def cuts(board):
    """Every file can be read up to Interval before the cut, and the next boot records into a new one."""
    board.run(f"rm -rf {FOLDER}/*")
    board.write(CHECK_CONF, CONF + f"[State]\nInterval={INTERVAL}s\n")
    losses = []
    try:
        board.run("systemctl restart tacet")
        mark = board.journal.mark()
        expect(board.run("tacet record start") == "Done.", "tacet record start")
        board.journal.wait("recording-began", mark)
        for number in range(1, CUTS + 1):
            # The card has the format with which Tacet has opened it.
            board.run(
                "systemd-run --quiet --unit=bench-microphone "
                f"aplay --quiet --device=plug{PLAYER} /srv/music/numbers.wav"
            )
            limit = time.monotonic() + 60
            while recorded_time(board) < 3 * INTERVAL + 0.37 * number:
                expect(time.monotonic() < limit, "nothing is recorded")
            before = recorded_time(board)
            board.cut_power()
            board.boot()
            board.journal.wait("recording-began", 0, timeout=120)
            board.journal.wait("recording-file", 0)
            found = recorded.files(board)
            expect(len(found) == number + 1, f"{len(found)} files after {number} cuts")
            expect(all(found[:-1]), f"files that cannot be read: {[file is None for file in found]}")
            cut = found[-2]
            losses.append(before - cut.seconds)
            # The limit includes the time that the last sync takes.
            expect(losses[-1] <= INTERVAL + 0.5, f"{losses[-1]:.2f} s before the cut are missing ({before:.2f} s)")
            expect(any(cut.samples), "only silence has been recorded")
            expect(not cut.ended("recording stopped"), "the file says that recording has stopped")
        expect(board.run("tacet record stop") == "Done.", "tacet record stop")
        expect(board.code("tacet health")[0] == 0, board.run("tacet health", check=False))
    finally:
        board.run(f"rm -f {CHECK_CONF}; systemctl stop bench-microphone; systemctl restart tacet", check=False)
    return f"missing before {CUTS} cuts, in s (Interval={INTERVAL}s): {', '.join(f'{loss:.2f}' for loss in losses)}"


@check("recording-lamp")
def lamp(board):
    """`Means=recording` is on while Tacet records from the microphone, and off during a call."""
    board.run(f"{CHIP} make outputs RECORDING OTHER1 OTHER2 OTHER3")
    level = lambda: board.run(VALUES).split()[0]

    def wait_for(wanted):
        limit = time.monotonic() + 30
        while level() != wanted:
            expect(time.monotonic() < limit, f"the lamp is {level()}, not {wanted}")

    try:
        with board.configured(CONF + "[Output lamp]\nLine=RECORDING\nMeans=recording\n"):
            wait_for("0")
            board.run("tacet record start")
            wait_for("1")
            board.pull("PHONE_CALL", "up")
            wait_for("0")
            board.pull("PHONE_CALL", "down")
            wait_for("1")
            board.run("tacet record stop")
            wait_for("0")
    finally:
        # Tacet must have released the line.
        board.run(f"rm -f {CHECK_CONF}; systemctl restart tacet; {CHIP} drop outputs; rm -rf {FOLDER}/*")


@check("playback-is-undisturbed-while-the-recordings-disk-is-full")
def full(board):
    """There is one fault and no gap, and the recording continues once there is room."""
    mount = f"mkdir -p {FOLDER} && mount -t tmpfs -o size=1m,mode=700,uid=tacet,gid=tacet none {FOLDER}"
    board.run(f"systemctl stop tacet; rm -rf {FOLDER}; {mount}; head -c 600k /dev/zero >{FOLDER}/ballast")
    try:
        with player(board), board.configured(CONF + "Format=wav\n"):
            start, mark = board.settle(), board.journal.mark()
            board.run("tacet record start")
            fault = board.journal.wait("recording-storage-lost", mark)
            expect("Free some disk space" in fault["MESSAGE"], fault["MESSAGE"])
            board.sound.wait(len(board.sound) + 4 * RATE)
            end = len(board.sound)
            found = gaps(board, start, end)
            expect(found == 0, f"{found} gaps in {(end - start) / RATE:.0f} s")
            expect(len(board.journal.since(mark, "recording-storage-lost")) == 1, "the fault was logged again")
            code, text = board.code("tacet health")
            expect(code == 1 and "No space left" in text, f"{code}: {text}")
            board.run(f"rm {FOLDER}/ballast")
            board.journal.wait("recording-storage-back", mark)
            board.run("tacet record stop")
    finally:
        board.run(f"systemctl stop tacet; umount {FOLDER}; rm -rf {FOLDER}; systemctl start tacet", check=False)
    return f"no gap in {(end - start) / RATE:.0f} s"
