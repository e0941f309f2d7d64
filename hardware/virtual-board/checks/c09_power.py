"""The power goes, without a warning, and comes back. These checks switch it off and on; they come late."""
from bench.board import SIGNALS
from bench.check import check, expect, near
from bench.numbers import RATE
from bench.story import arrival, distance, silent
from checks.c06_hangs import INTERVAL


def boot_into_call(board, fresh=False):
    """Boots with the phone's line up. Returns when it has been silent for 5 s of the service's life."""
    board.boot(fresh=fresh, held=[SIGNALS["phone-call"]])
    board.journal.wait("interruption-began", 0, timeout=120, signal="phone-call", reason="appWasSuspended")
    board.journal.wait("started", 0)
    board.sound.wait(len(board.sound) + 5 * RATE)
    silent(board.sound, 0)


def last_number(board):
    """The number after the last one that was heard in full."""
    heard = board.sound.pieces(max(0, len(board.sound) - 10 * RATE))
    return [piece for piece in heard if piece.kind == "numbers"][-1].next


@check("power-cut-while-playing")
def playing(board):
    board.sound.wait(len(board.sound) + 7 * RATE)
    board.settle()
    board.cut_power()
    last = last_number(board)
    board.boot()
    board.journal.wait("started", 0, timeout=120)
    music = board.sound.wait_for_music(0, timeout=60)
    repeated = distance(last, arrival(board.sound, 0)) / RATE
    expect(-0.1 <= repeated <= INTERVAL, f"it goes on {repeated:.2f} s before the place where it was")
    after = board.sound.time_of(music.start) / 1e9
    return f"{repeated:.2f} s heard twice (Interval=5s), music {after:.1f} s after the kernel's start"


def cut_in_call(board):
    """Returns the number of the first frame that was not heard in full."""
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    board.pull("PHONE_CALL", "up")
    board.journal.wait("interruption-began", mark)
    board.sound.wait_for_silence(start, seconds=0.5)
    board.cut_power()
    return last_number(board)


@check("power-cut-in-a-call-that-goes-on")
def held(board):
    """Not one frame of sound at the boot; and when the call is over, the next frame."""
    number = cut_in_call(board)
    boot_into_call(board)
    start = len(board.sound)
    board.pull("PHONE_CALL", "down")
    board.journal.wait("interruption-ended", 0, should_resume="yes")
    board.sound.wait_for_music(start)
    lost = distance(arrival(board.sound, start), number)
    near(lost, 0, 2, "frames lost")
    return f"silent for {start / RATE:.0f} s, then {lost} frames lost"


@check("power-cut-in-a-call-that-ends-meanwhile")
def free(board):
    number = cut_in_call(board)
    board.boot()
    board.journal.wait("interruption-ended", 0, timeout=120, should_resume="yes")
    board.sound.wait_for_music(0, timeout=60)
    lost = distance(arrival(board.sound, 0), number)
    near(lost, 0, 2, "frames lost")
    return f"{lost} frames lost"


@check("line-held-at-the-first-boot", calm=False)
def held_at_first_boot(board):
    """A new disk, and a phone that rings already: not one frame of sound. (With the vendor's ReleaseDelay=5s.)"""
    board.cut_power()
    boot_into_call(board, fresh=True)
    start = len(board.sound)
    board.pull("PHONE_CALL", "down")
    board.journal.wait("interruption-ended", 0, should_resume="yes")
    board.sound.wait_for_music(start)
    number = arrival(board.sound, start)
    near(number, 1, 2, "the first frame that is heard")
    return f"silent for {start / RATE:.0f} s, then from frame {number} on"
