"""A program plays into a loopback card whose other end is an input of Tacet.

The input follows the clock of its card by resampling, so its frames are not exact. They rise by two from one frame to the
next, and those of the library by one: the slope of a recording shows which of them is played."""
import array
import contextlib
import os
import time

from bench.check import check
from bench.numbers import RATE
from bench.story import Unheard
from checks.c20_routes import bind, unbind

CONF = "[Input desk]\nFrom=alsa:hw:Spare,1,0\n[Playback]\nFadeIn=100ms\n"
#: The step from one frame of the program to the next, and the length of its audio in seconds.
STEP, SECONDS = 2, 80
#: The unit of a frame's number in a recording, whose samples have 32 bits.
UNIT = 256


@contextlib.contextmanager
def program(board):
    """Plays rising numbers into the loopback while the body runs."""
    path = f"{board.machine.share}/program.raw"
    values = array.array("i", (UNIT * STEP * frame for frame in range(SECONDS * RATE) for _ in range(2)))
    with open(path, "wb") as file:
        values.tofile(file)
    play = "aplay --quiet -D hw:Spare,0,0 -f S32_LE -r 48000 -c 2 -t raw /mnt/bench/program.raw"
    try:
        board.run(f"systemd-run --quiet --collect --unit=bench-program {play}")
        yield
    finally:
        board.run("systemctl stop bench-program", check=False)
        os.unlink(path)


def wait_for_program(board, start, seconds=1, timeout=30):
    """Waits until frames that rise by about `STEP` are played for this long.

    :raises Unheard: if that does not happen in time."""
    needed, limit = int(seconds * RATE), time.monotonic() + timeout
    while True:
        samples = board.sound.samples(start, len(board.sound))
        first = 0
        for index in range(1, len(samples)):
            if not 0.5 * STEP < (samples[index] - samples[index - 1]) / UNIT < 1.5 * STEP:
                first = index
            elif index - first >= needed:
                return
        if time.monotonic() > limit:
            raise Unheard(f"no frames that rise by {STEP} within {timeout} s")
        start += first
        time.sleep(0.2)


@check("card-of-an-input-goes-while-it-plays", minutes=0.7)
def card(board):
    """A lost card is a fault of its input, and the library continues. When the card is back, so is the input."""
    with board.configured(CONF):
        for _ in range(2):
            mark, start = board.journal.mark(), board.settle()
            with program(board):
                board.journal.wait("source-changed", mark, source="desk")
                wait_for_program(board, start)
                try:
                    unbind(board, 1)
                    board.journal.wait("fault", mark, input="desk")
                    board.journal.wait("source-changed", mark, source="library")
                    board.settle()
                finally:
                    bind(board, 1)
                board.journal.wait("fault-cleared", mark, input="desk", timeout=40)
        return board.run("tacet health")
