"""The daemon hangs, dies, stops; and goes on where it was."""
import contextlib
import time

from bench.check import check, expect
from bench.numbers import RATE
from bench.story import pause, silent
from checks.c02_signals import exactly

#: How often the position of a playing programme is saved: what a death may cost, with the time that a save takes.
INTERVAL = 5.0 + 1.5
#: Short, but longer than an emulated machine stands still.
PATIENCE = 6
DROP_IN = "/run/systemd/system/tacet.service.d/check.conf"


@contextlib.contextmanager
def short_watchdog(board):
    board.write(DROP_IN, f"[Service]\nWatchdogSec={PATIENCE}\n")
    board.run("systemctl daemon-reload; systemctl restart tacet")
    try:
        yield
    finally:
        board.run(f"rm {DROP_IN}; systemctl daemon-reload; systemctl restart tacet")


def goes_on(repeated, most):
    # Where storage fails, there is nothing to give back after the fade-out (20 ms): it counts as heard.
    expect(-0.021 <= repeated <= most, f"it goes on {repeated:.3f} s before the place where it was")


def frozen(board, thread, part):
    with short_watchdog(board):
        board.settle()
        # The place has been saved at least once.
        board.sound.wait(len(board.sound) + 6 * RATE)
        mark, start = board.journal.mark(), board.settle() - RATE // 5
        restarts = int(board.show("NRestarts"))
        began = time.monotonic()
        board.machine.begin(f"exec /usr/local/lib/board/freeze {board.pid()} {thread}")
        hung = board.journal.wait("hung", mark, fault=part)
        board.journal.wait("started", mark, timeout=60)
        took = time.monotonic() - began
        board.sound.wait_for_music(len(board.sound))
        expect(hung["PRIORITY"] == "3", f"priority {hung['PRIORITY']}")
        manager = [str(entry["MESSAGE"]) for entry in board.journal.since(mark) if entry.get("_PID") == "1"]
        expect(any("atchdog" in message for message in manager), f"systemd does not speak of its watchdog: {manager}")
        expect(int(board.show("NRestarts")) == restarts + 1, f"{board.show('NRestarts')} restarts, after {restarts}")
        story = pause(board.sound, start)
        repeated = -story.lost / RATE
        goes_on(repeated, INTERVAL + 2 * PATIENCE)
        restart = f"restarted after {took:.1f} s (WatchdogSec={PATIENCE})"
        return f"‘{hung['MESSAGE']}’; {restart}, {repeated:.2f} s heard twice"


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
    repeated = -story.lost / RATE
    goes_on(repeated, INTERVAL)
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
