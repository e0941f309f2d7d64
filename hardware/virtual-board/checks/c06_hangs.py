"""The daemon hangs, dies, stops; and goes on where it was."""
import contextlib
import time

from bench.check import check, expect
from bench.hangs import DROP_IN, hang, watchdog
from bench.numbers import RATE
from bench.story import pause, silent
from checks.c02_signals import exactly

#: How often the position of a playing programme is saved, in seconds: what a death may cost. And how long the daemon,
#: and the board's disk, may take to do so: both are emulated.
INTERVAL, SAVE = 5.0, 1.5
#: Short, but longer than an emulated machine stands still.
PATIENCE = 6


@contextlib.contextmanager
def short_watchdog(board):
    board.write(DROP_IN, watchdog(PATIENCE))
    board.run("systemctl daemon-reload; systemctl restart tacet")
    try:
        yield
    finally:
        board.run(f"rm {DROP_IN}; systemctl daemon-reload; systemctl restart tacet")


def goes_on(story, unsaved=0):
    """Of what was played, all has been heard, if only in a fade-out; and no more is heard twice than what was played
    since the last save. `unsaved`: seconds it played with nobody to save. Returns seconds heard twice."""
    # The last frames of a fade-out are too soft to be told from silence.
    expect(story.skipped <= 16, f"{story.skipped} frames were never heard: {story}")
    repeated = max(0, -story.skipped) / RATE
    most = INTERVAL + SAVE + unsaved
    expect(repeated <= most, f"it goes on {repeated:.2f} s before the place where it was, and not {most:.2f} at most")
    return repeated


def frozen(board, thread, part):
    with short_watchdog(board):
        board.settle()
        # The place has been saved at least once.
        board.sound.wait(len(board.sound) + 6 * RATE)
        start = board.settle() - RATE // 5
        began = time.monotonic()
        stopped = len(board.sound)
        found = hang(board, thread, part)
        took = time.monotonic() - began
        board.sound.wait_for_music(len(board.sound))
        found.judge(board)
        story = pause(board.sound, start)
        # Without control the music plays on until systemd kills it, and nobody saves.
        repeated = goes_on(story, (story.silence.start - stopped) / RATE if part == "control" else 0)
        restart = f"restarted after {took:.1f} s (WatchdogSec={PATIENCE})"
        return f"‘{found.hung['MESSAGE']}’; {restart}, {repeated:.2f} s heard twice"


@check("render-hangs")
def render(board):
    return frozen(board, "tacet-render", "render")


@check("storage-hangs")
def storage(board):
    return frozen(board, "tacet-storage", "storage")


@check("control-hangs")
def control(board):
    return frozen(board, "tacetd", "control")


@check("killed-daemon-goes-on")
def killed(board):
    board.sound.wait(len(board.sound) + 6 * RATE)
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    board.run(f"kill -9 {board.pid()}")
    board.journal.wait("started", mark, timeout=60)
    board.sound.wait_for_music(len(board.sound))
    story = pause(board.sound, start)
    repeated = goes_on(story)
    return f"silence {story.silence.count / RATE:.2f} s, {repeated:.2f} s heard twice"


@check("killed-while-interrupted")
def killed_interrupted(board):
    """Nothing is heard after its restart either, until the wire is free; then the next frame."""
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    board.pull("PHONE_CALL", "up")
    quiet = board.sound.wait_for_silence(start, seconds=1).start
    board.run(f"kill -9 {board.pid()}")
    board.journal.wait("started", mark, timeout=60)
    board.sound.wait(len(board.sound) + 2 * RATE)
    silent(board.sound, quiet)
    board.pull("PHONE_CALL", "down")
    end = board.sound.wait_for_music(quiet)
    return exactly(pause(board.sound, start, end.end))


@check("stops-in-a-second-and-goes-on")
def stopped(board):
    """SIGTERM: a fade-out, the state, and off; started again, the next frame."""
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    board.run("systemctl stop tacet")
    board.journal.wait("stopping", mark)
    left = int(board.show("ActiveExitTimestampMonotonic"))
    took = (int(board.show("InactiveEnterTimestampMonotonic")) - left) / 1e6
    board.run("systemctl start tacet")
    end = board.sound.wait_for_music(len(board.sound))
    story = exactly(pause(board.sound, start, end.end))
    expect(board.show("Result") == "success", board.show("Result"))
    # Emulated, everything takes longer; on a board it is less than a second.
    expect(took < 2.5, f"{took:.2f} s to stop")
    return f"stopped in {took:.2f} s; {story}"
