"""The daemon is stopped, or the system sleeps. A call that begins during that time interrupts the music on waking."""
import contextlib

from bench.check import check, expect
from bench.journal import field
from bench.numbers import RATE
from bench.story import pause

#: Times in seconds.
STOP, SLEEP = 3, 6
#: A drop-in that replaces only the sleep itself, because a real suspension would end the bench's shared folder. logind
#: is real.
DROP_IN = "/run/systemd/system/systemd-suspend.service.d/bench.conf"
NO_SLEEP = f"[Service]\nExecStart=\nExecStart=/bin/sleep {SLEEP}\n"
CARD = "cat /proc/asound/card*/pcm*p/sub*/status"


@contextlib.contextmanager
def pretended_sleep(board):
    board.write(DROP_IN, NO_SLEEP)
    board.run("systemctl daemon-reload; systemctl start systemd-logind")
    try:
        yield
    finally:
        board.run(f"rm {DROP_IN}; systemctl daemon-reload", check=False)


def resumed(board, mark, start, fades=False):
    """Releases the call, and checks that nothing was lost since `start`. After a fade-out, the music continues from the
    position at which the fade-out began. Returns the story."""
    began = board.journal.wait("interruption-began", mark, signal="phone-call")
    expect(field(began, "reason") == "appWasSuspended", f"the reason is {field(began, 'reason')}")
    quiet = board.sound.wait_for_silence(start)
    board.pull("PHONE_CALL", "down")
    board.journal.wait("interruption-ended", mark, should_resume="yes")
    story = pause(board.sound, start, board.sound.wait_for_music(quiet.end).end)
    # Between SIGCONT and the reading of the lines, a few milliseconds of music may be played.
    lost = story.lost if fades else story.skipped
    expect(abs(lost) <= 16, f"{lost} frames were never heard, or twice: {story}")
    return story


@check("stopped-daemon-reads-its-lines-when-it-continues")
def stopped(board):
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    pid, restarts = board.pid(), board.show("NRestarts")
    board.run(f"kill -STOP {pid}; pull PHONE_CALL up; sleep {STOP}; kill -CONT {pid}")
    awake = board.journal.wait("awake", mark, reason="stopped")
    length = int(field(awake, "asleep_usec")) / 1e6
    expect(length > STOP - 0.6, f"it was stopped for {length:.1f} s, not {STOP}")
    story = resumed(board, mark, start)
    for event in "hung", "media-services-lost":
        expect(not board.journal.since(mark, event), f"the stop was taken for something else: {event}")
    expect((board.pid(), board.show("NRestarts")) == (pid, restarts), "the service was restarted")
    return f"stopped for {length:.1f} s; {story}"


@check("sleep-that-logind-announces")
def announced(board):
    with pretended_sleep(board):
        # Without polkitd, logind allows only root to delay sleep.
        inhibitors = board.run("systemd-inhibit --list --no-pager --no-legend")
        polkit = not board.code("test -e /usr/lib/polkit-1/polkitd")[0]
        expect("Tacet" in inhibitors or not polkit, f"Tacet does not delay sleep: {inhibitors}")
        mark, start = board.journal.mark(), board.settle() - RATE // 5
        board.run("systemctl suspend")
        board.journal.wait("asleep", mark)
        board.sound.wait_for_silence(start)
        status = board.run(CARD)
        expect("RUNNING" not in status, f"the sound card is in use while the system sleeps: {status}")
        board.pull("PHONE_CALL", "up")
        expect(not board.journal.since(mark, "awake"), f"it woke before the call: {board.journal.summary(mark)}")
        board.journal.wait("awake", mark, reason="announced")
        story = resumed(board, mark, start, fades=True)
        expect("Tacet" in board.run("systemd-inhibit --list --no-pager --no-legend") or not polkit, "no new inhibitor")
        return f"{'delayed' if polkit else 'not delayed, as there is no polkitd'}; {story}"
