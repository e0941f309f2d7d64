"""The daemon hangs, is killed or stops, and resumes where it left off."""
import contextlib
import time

from bench.check import check, expect
from bench.hangs import DROP_IN, hang, watchdog
from bench.numbers import RATE
from bench.story import pause, silent
from checks.c02_signals import exactly

#: The interval in seconds at which the position of playing music is saved, which is the music that a crash can lose,
#: and the seconds that a save may take with the emulated daemon and disk.
INTERVAL, SAVE = 5.0, 1.5
#: The watchdog's timeout in seconds. It is short, but longer than the stalls of an emulated machine.
PATIENCE = 6


@contextlib.contextmanager
def short_watchdog(board):
    board.write(DROP_IN, watchdog(PATIENCE))
    board.run("systemctl daemon-reload; systemctl restart tacet")
    try:
        yield
    finally:
        board.run(f"rm {DROP_IN}; systemctl daemon-reload; systemctl restart tacet")


def check_resume(story, unsaved=0):
    """Checks that every frame was played, if only in a fade-out, and that at most the frames since the last save are
    played twice. `unsaved` is the number of seconds of music that were played while no position could be saved. Returns
    the number of seconds that were played twice."""
    # The last frames of a fade-out are too soft to be distinguished from silence.
    expect(story.skipped <= 16, f"{story.skipped} frames were never heard: {story}")
    repeated = max(0, -story.skipped) / RATE
    most = INTERVAL + SAVE + unsaved
    expect(repeated <= most, f"it resumes {repeated:.2f} s before its position, not {most:.2f} s at most")
    return repeated


def frozen(board, thread, part):
    with short_watchdog(board):
        board.settle()
        # The position has been saved at least once.
        board.sound.wait(len(board.sound) + 6 * RATE)
        start = board.settle() - RATE // 5
        began = time.monotonic()
        stopped = len(board.sound)
        found = hang(board, thread, part)
        took = time.monotonic() - began
        board.sound.wait_for_music(len(board.sound))
        found.judge(board)
        story = pause(board.sound, start)
        # Without the control thread, the music continues until systemd kills the daemon, and nothing is saved.
        repeated = check_resume(story, (story.silence.start - stopped) / RATE if part == "control" else 0)
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


@check("killed-daemon-goes-on", core=True)
def killed(board):
    board.sound.wait(len(board.sound) + 6 * RATE)
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    board.run(f"kill -9 {board.pid()}")
    board.journal.wait("started", mark, timeout=60)
    board.sound.wait_for_music(len(board.sound))
    story = pause(board.sound, start)
    repeated = check_resume(story)
    return f"silence {story.silence.count / RATE:.2f} s, {repeated:.2f} s heard twice"


@check("killed-while-interrupted")
def killed_interrupted(board):
    """After the restart, the daemon stays silent until the wire is released, and resumes with the next frame."""
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
    """On SIGTERM, the daemon fades out and saves the state. The next start resumes with the next frame."""
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    board.run("systemctl stop tacet")
    board.journal.wait("stopping", mark)
    left = int(board.show("ActiveExitTimestampMonotonic"))
    took = (int(board.show("InactiveEnterTimestampMonotonic")) - left) / 1e6
    board.run("systemctl start tacet")
    end = board.sound.wait_for_music(len(board.sound))
    story = exactly(pause(board.sound, start, end.end))
    expect(board.show("Result") == "success", board.show("Result"))
    # Emulation makes everything slower. A real board takes less than a second.
    expect(took < 2.5, f"{took:.2f} s to stop")
    return f"stopped in {took:.2f} s; {story}"
