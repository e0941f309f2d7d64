"""The power fails without a warning, and returns. These checks run late, because they switch the board off and on."""
import json
import time

from bench import saves
from bench.board import SIGNALS
from bench.check import Failed, check, expect, near
from bench.numbers import RATE
from bench.story import arrival, distance, silent
from checks.c02_signals import EXACT
from checks.c05_devices import QUEUE
from checks.c06_hangs import INTERVAL, SAVE

STATE = "/var/lib/tacet"


def boot_into_call(board, fresh=False):
    """Boots with the phone's line up. Returns when Tacet has been silent for 5 s after its start."""
    board.boot(fresh=fresh, held=[SIGNALS["phone-call"]])
    board.journal.wait("interruption-began", 0, timeout=120, signal="phone-call", reason="appWasSuspended")
    board.journal.wait("started", 0)
    board.sound.wait(len(board.sound) + 5 * RATE)
    silent(board.sound, 0)


def last_number(board):
    """Returns the number after the last frame that was played in full."""
    heard = board.sound.pieces(max(0, len(board.sound) - 10 * RATE))
    return [piece for piece in heard if piece.kind == "numbers"][-1].next


@check("power-cut-while-playing", minutes=1)
def playing(board):
    saves.watch(board)
    board.sound.wait(len(board.sound) + 12 * RATE)
    board.settle()
    board.cut_power()
    took = [save.took for save in saves.read(board) if save.ended]
    expect(len(took) >= 2, f"{len(took)} saves in 12 s")
    save = SAVE + max(took)
    last = last_number(board)
    board.boot()
    board.journal.wait("started", 0, timeout=120)
    music = board.sound.wait_for_music(0, timeout=60)
    repeated = distance(last, arrival(board.sound, 0)) / RATE
    message = f"it resumes {repeated:.2f} s before its position; a save takes up to {save - SAVE:.2f} s"
    # The power cut also lost frames that the far end had received but not reported yet.
    expect(-0.3 <= repeated <= INTERVAL + save, message)
    after = board.sound.time_of(music.start) / 1e9
    disk = f"a save takes up to {save - SAVE:.2f} s"
    return f"{repeated:.2f} s heard twice (Interval=5s, {disk}), music {after:.1f} s after the kernel's start"


def call(board):
    """Begins a call. Returns the number of the first frame that was not played in full."""
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    board.pull("PHONE_CALL", "up")
    board.journal.wait("interruption-began", mark)
    board.sound.wait_for_silence(start, seconds=0.5)
    return last_number(board)


def wait_until_saved(board, number):
    """Waits until a state with this position has been saved and its writer is idle."""
    script = f"tacet state --json {STATE}/state && cat /proc/{saves.writer(board)}/wchan"
    limit = time.monotonic() + 30
    while True:
        text, waits = board.run(script).splitlines()
        saved = round(json.loads(text)["state"]["position"] * RATE) + 1
        if abs(saved - number) <= EXACT and "poll" in waits:
            return
        if time.monotonic() > limit:
            raise Failed(f"the state says frame {saved}, not {number}; its writer waits in {waits}")
        time.sleep(0.1)


@check("power-cut-in-a-call-that-goes-on", core=True)
def held(board):
    """The boot is silent to the frame. After the call, the music resumes with the next frame."""
    number = call(board)
    # The position that is saved at the end of the fade-out is exact.
    wait_until_saved(board, number)
    board.cut_power()
    boot_into_call(board)
    start = len(board.sound)
    board.pull("PHONE_CALL", "down")
    board.journal.wait("interruption-ended", 0, should_resume="yes")
    board.sound.wait_for_music(start)
    lost = distance(arrival(board.sound, start), number)
    near(lost, 0, EXACT, "frames lost")
    return f"silent for {start / RATE:.0f} s, then {lost} frames lost"


@check("power-cut-in-a-call-that-ends-meanwhile")
def free(board):
    """The power is cut right after the beginning of a call, for example because the driver leaves the car. The end of
    the fade-out may not be on the disk yet. However, the beginning of the call is on the disk, with the position at
    which the engine received the order to fall silent. Frames that were already queued were played after it."""
    number = call(board)
    board.cut_power()
    board.boot()
    board.journal.wait("interruption-ended", 0, timeout=120, should_resume="yes")
    board.sound.wait_for_music(0, timeout=60)
    lost = distance(arrival(board.sound, 0), number)
    expect(-QUEUE <= lost <= EXACT, f"frames lost: {lost}")
    return f"{lost} frames lost"


@check("line-held-at-the-first-boot", calm=False, core=True)
def held_at_first_boot(board):
    """The first boot of a new disk while the phone rings is silent to the frame. (The vendor's ReleaseDelay=5s
    applies.)"""
    board.cut_power()
    boot_into_call(board, fresh=True)
    start = len(board.sound)
    board.pull("PHONE_CALL", "down")
    board.journal.wait("interruption-ended", 0, should_resume="yes")
    board.sound.wait_for_music(start)
    number = arrival(board.sound, start)
    near(number, 1, EXACT, "the first audible frame")
    return f"silent for {start / RATE:.0f} s, then from frame {number} on"
