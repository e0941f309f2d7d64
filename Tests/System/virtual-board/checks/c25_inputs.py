"""A program plays into a loopback card whose other end is an input of Tacet.

The input follows the clock of its card by resampling, so its frames are not exact. They rise by two from one frame to the
next, and those of the library by one. Therefore, the slope of a recording shows which of them is played, and at which
level."""
import array
import contextlib
import os
import statistics
import time

from bench.board import DUCK_LEVEL
from bench.check import check, expect, near
from bench.numbers import RATE
from bench.story import Unheard, arrival, decibels, distance
from checks.c05_devices import CARD
from checks.c10_cost import figures, latencies
from checks.c20_routes import bind, unbind

CONF = "[Input desk]\nFrom=alsa:hw:Spare,1,0\n[Playback]\nFadeIn=100ms\n"
#: The step from one frame of the program to the next, and the length of its audio in seconds.
STEP, SECONDS = 2, 80
#: The number of frames after which the program begins again. The resampler computes with 24 bits, so the steps between
#: larger numbers would be inexact.
PERIOD = 10 * RATE
#: The unit of a frame's number in a recording, whose samples have 32 bits.
UNIT = 256
#: The tolerance of the input's gain in decibels, and the time by which its delay may change, in seconds. The resampler's
#: gain is accurate to 0.1 dB.
GAIN, DELAY = 0.1, 0.02
EDGES = 12


@contextlib.contextmanager
def program(board):
    """Plays rising numbers into the loopback while the body runs. Returns a function that ends the program."""
    path = f"{board.machine.share}/program.raw"
    values = array.array("i", (UNIT * STEP * (frame % PERIOD) for frame in range(SECONDS * RATE) for _ in range(2)))
    with open(path, "wb") as file:
        values.tofile(file)
    play = "aplay --quiet -D hw:Spare,0,0 -f S32_LE -r 48000 -c 2 -t raw /mnt/bench/program.raw"
    end = lambda: board.run("systemctl stop bench-program", check=False)
    try:
        board.run(f"systemd-run --quiet --collect --unit=bench-program {play}")
        yield end
    finally:
        end()
        os.unlink(path)


def steady(board, start, seconds=1, step=STEP, timeout=30):
    """Waits until frames that rise by about `step` are played for this long. Returns the first of them and their
    samples.

    :raises Unheard: if that does not happen in time."""
    needed, limit = int(seconds * RATE), time.monotonic() + timeout
    while True:
        samples = board.sound.samples(start, len(board.sound))
        first = 0
        for index in range(1, len(samples)):
            if not 0.5 * step < (samples[index] - samples[index - 1]) / UNIT < 1.5 * step:
                first = index
            elif index - first >= needed:
                return start + first, samples[first : index + 1]
        if time.monotonic() > limit:
            steps = [(later - sample) / UNIT for sample, later in zip(samples, samples[1:])] or [0]
            raise Unheard(f"no frames that rise by {step:.2f} within {timeout} s: they rise by {statistics.median(steps):.2f}")
        start += first
        time.sleep(0.2)


def slope(samples):
    return (samples[-1] - samples[0]) / (len(samples) - 1) / UNIT


def fade_outs(board, times):
    """Returns the milliseconds from each time to the first frame that does not rise by `STEP`."""
    board.sound.wait(len(board.sound) + RATE)
    found = []
    for stamp in times:
        start = board.sound.frame_at(stamp)
        samples = board.sound.samples(start, start + RATE // 2)
        changed = (index for index in range(1, len(samples)) if samples[index] - samples[index - 1] < 0.8 * STEP * UNIT)
        found += [index / RATE * 1000 for index in changed][:1]
    return found


def calls(board):
    """Pulls the wire repeatedly. Returns the times of its edges."""
    ways = []
    for index in range(EDGES):
        # The edges are at different moments of the card's periods.
        ways += ["PHONE_CALL", "up", f"{0.7 + index * 0.0017:.4f}s", "PHONE_CALL", "down", "1.1s"]
    return [edge[0] for edge in board.pull(*ways, timeout=300) if edge[2] == "up"]


@check("loopback-is-an-input", minutes=1.4)
def loopback(board):
    """The program takes the place of the library, is ducked and paused like it, and continues live. When it ends, the
    library continues at the frame at which it stopped. A call silences the input as soon as it silences a file."""
    with board.configured(CONF):
        file = latencies(board, calls(board))
        mark, start = board.journal.mark(), board.settle() - RATE // 5
        with program(board) as end:
            board.journal.wait("source-changed", mark, source="desk")
            live, samples = steady(board, start)
            left = [piece for piece in board.sound.pieces(start, live) if piece.kind == "numbers"][-1].next
            gain = slope(samples) / STEP
            near(decibels(gain), 0, GAIN, "gain of the input, dB")

            board.pull("ALARM", "up")
            _, ducked = steady(board, len(board.sound), step=STEP * 10 ** (DUCK_LEVEL / 20))
            near(decibels(slope(ducked) / STEP / gain), DUCK_LEVEL, 0.02, "level of the duck, dB")
            board.pull("ALARM", "down")
            before, earlier = steady(board, len(board.sound))

            direct = fade_outs(board, calls(board))
            after, later = steady(board, len(board.sound))
            played = (later[0] - earlier[0]) / UNIT / STEP / gain
            late = ((after - before - played + PERIOD / 2) % PERIOD - PERIOD / 2) / RATE
            near(late, 0, DELAY, "change of the delay, s")
            end()
        board.journal.wait("source-changed", mark, source="library")
        silence = board.sound.wait_for_silence(after)
        music = board.sound.wait_for_music(silence.start)
        lost = distance(arrival(board.sound, silence.start, music.end), left)
        expect(-2 <= lost <= 2, f"{lost} frames of the library lost")
    text = (
        f"edge to the first changed frame, ms, median (least … 99th percentile): input {figures(direct)}, "
        f"file {figures(file)}; gain {decibels(gain):.4f} dB; the delay changed by {late * 1000:.2f} ms"
    )
    expect(len(direct) >= EDGES - 1, f"{len(direct)} of {EDGES} calls are heard: {text}")
    expect(statistics.median(direct) <= statistics.median(file) + 3, text)
    return text


@check("card-of-an-input-goes-while-it-plays", minutes=0.7)
def card(board):
    """A lost card is a fault of its input, and the library continues. When the card is back, so is the input."""
    with board.configured(CONF):
        for _ in range(2):
            mark, start = board.journal.mark(), board.settle()
            with program(board):
                board.journal.wait("source-changed", mark, source="desk")
                steady(board, start)
                try:
                    unbind(board, 1)
                    board.journal.wait("fault", mark, input="desk")
                    board.journal.wait("source-changed", mark, source="library")
                    board.settle()
                finally:
                    bind(board, 1)
                board.journal.wait("fault-cleared", mark, input="desk", timeout=40)
        faults = board.run(f"test -e {CARD}/snd_aloop.1 && tacet health", check=False)
    return faults
