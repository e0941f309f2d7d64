"""What happened to the programme in a stretch of a recording: what was lost, and by which ramps it went and came."""
import dataclasses
import math

from bench.numbers import FRAMES, RATE

#: Gains are computed in 32-bit floating point.
EXACT = 1e-6
STEP = 1e-4


class Unheard(Exception):
    """The recording does not have what should be there."""


@dataclasses.dataclass(frozen=True)
class Pause:
    before: object
    silence: object
    after: object
    #: Milliseconds; 0 for a cut.
    fade_out: float
    fade_in: float
    #: Frames of the programme that nobody has heard in full, by pausing and resuming; negative: heard twice.
    lost: int
    #: Frames of silence amid the programme: the device had run dry.
    gaps: int
    #: The level before and after, in dB.
    levels: tuple
    #: The largest change of gain from one frame to the next.
    steepest: float

    def __str__(self):
        gaps = f", {self.gaps / RATE * 1000:.0f} ms of gaps" if self.gaps else ""
        return (
            f"fade-out {self.fade_out:.1f} ms, silence {self.silence.count / RATE:.2f} s, "
            f"fade-in {self.fade_in:.1f} ms, lost {self.lost}{gaps}"
        )


@dataclasses.dataclass(frozen=True)
class Duck:
    before: object
    after: object
    #: dB
    level: float
    attack: float
    release: float
    lost: int
    gaps: int

    def __str__(self):
        gaps = f", {self.gaps / RATE * 1000:.0f} ms of gaps" if self.gaps else ""
        ramps = f"attack {self.attack:.1f} ms, release {self.release:.1f} ms"
        return f"{self.level:.2f} dB, {ramps}, lost {self.lost}{gaps}"


def decibels(gain):
    return 20 * math.log10(gain) if gain > 0 else -math.inf


def successor(number, frames):
    """The number `frames` after this one; the programme begins again at its end."""
    return (number - 1 + frames) % FRAMES + 1


def distance(number, other):
    """Frames from `other` to `number`, negative if it is before."""
    return (number - other + FRAMES // 2) % FRAMES - FRAMES // 2


def words(pieces):
    return ", ".join(map(str, pieces)) or "nothing"


def frames_of(recording, pieces):
    """The samples of the pieces that sound, one after another: gaps take no programme."""
    return [
        sample
        for piece in pieces
        if piece.kind != "silence"
        for sample in recording.samples(piece.start, piece.end)
    ]


def gains_after(recording, before, pieces):
    """The gain of each frame of pieces that follow `before`."""
    return [
        sample / (256 * successor(before.next, index)) for index, sample in enumerate(frames_of(recording, pieces))
    ]


def gains_before(recording, after, pieces):
    samples = frames_of(recording, pieces)
    return [
        sample / (256 * successor(after.number, index - len(samples))) for index, sample in enumerate(samples)
    ]


def gap_frames(pieces):
    return sum(piece.count for piece in pieces if piece.kind == "silence")


def crossing(gains, level):
    """Where (in frames, with a fraction) the gain passes `level`."""
    for index in range(1, len(gains)):
        low, high = gains[index - 1], gains[index]
        if (low - level) * (high - level) <= 0 and low != high:
            return index - 1 + (level - low) / (high - low)
    raise Unheard(f"the gain never passes {decibels(level):.1f} dB")


def pause(recording, start, end=None, mixed=False):
    """The longest silence in these frames, and how the programme went into it and came out of it. With `mixed`, it was
    on its way to another level when it was told to go, and its fade-out is not looked at.

    :raises Unheard: if there is none, with the programme at its own level on both sides."""
    pieces = recording.pieces(start, end)
    silences = [piece for piece in pieces if piece.kind == "silence"]
    if not silences:
        raise Unheard(f"no silence: {words(pieces)}")
    silence = max(silences, key=lambda piece: piece.count)
    at = pieces.index(silence)
    before = next((piece for piece in reversed(pieces[:at]) if piece.kind == "numbers"), None)
    after = next((piece for piece in pieces[at:] if piece.kind == "numbers"), None)
    if not before or not after:
        raise Unheard(f"no programme on both sides of the silence: {words(pieces)}")
    going = pieces[pieces.index(before) + 1 : at]
    coming = pieces[at + 1 : pieces.index(after)]
    out = gains_after(recording, before, going)
    back = gains_before(recording, after, coming)

    # In which frame each ramp begins: by the slope in its middle, as its ends are too flat to be seen.
    level_out, fade_out, last = (1.0, math.nan, 0) if mixed else plateau_end(out)
    level_back, fade_in, first = plateau_start(back)
    steepest = max((abs(b - a) for gains in (out, back) for a, b in zip(gains, gains[1:])), default=0)
    return Pause(
        before, silence, after, fade_out / RATE * 1000, fade_in / RATE * 1000,
        lost=distance(successor(after.number, first - len(back)), successor(before.next, last)),
        gaps=gap_frames(going) + gap_frames(coming),
        levels=(decibels(level_out), decibels(level_back)),
        steepest=steepest,
    )  # fmt: skip


def arrival(recording, start, end=None):
    """The number of the frame with which the programme came out of the silence at `start`.

    :raises Unheard: if it has not reached its own level."""
    pieces = recording.pieces(start, end)
    after = next((piece for piece in pieces if piece.kind == "numbers"), None)
    if not after:
        raise Unheard(f"no programme: {words(pieces)}")
    back = gains_before(recording, after, pieces[: pieces.index(after)])
    _, _, first = plateau_start(back)
    return successor(after.number, first - len(back))


def plateau_end(gains):
    """Of a way down to silence: the level it left, the frames the ramp took, the index of its first frame."""
    if not gains:
        return 1.0, 0.0, 0
    level = last_level(gains)
    start = len(gains) - next((i for i, gain in enumerate(reversed(gains)) if close(gain, level)), len(gains))
    ramp = [level, *gains[start:]]
    monotone(ramp, falling=True)
    frames, origin = shape(ramp, level, lambda share: math.acos(2 * share**0.6 - 1) / math.pi)
    return level, frames, start + round(origin)


def plateau_start(gains):
    """Of a way up from silence: the level it reached, the frames the ramp took, the index of its first frame (below 0:
    its beginning is too soft to be told from silence)."""
    if not gains:
        return 1.0, 0.0, 0
    level = first_level(gains)
    reached = next((i for i, gain in enumerate(gains) if close(gain, level)), len(gains))
    ramp = [*gains[:reached], level]
    monotone(ramp, falling=False)
    frames, origin = shape(ramp, level, lambda share: math.acos(1 - 2 * share**0.6) / math.pi)
    return level, frames, round(origin) + 1


def shape(ramp, level, way):
    """How many frames a ramp between silence and `level` takes, and the index of the frame before its first: its ends
    are too flat to be seen, but its middle is steep. `way` says when it has a share of the level."""
    half, quarter = crossing(ramp, level / 2), crossing(ramp, level / 4)
    frames = (half - quarter) / (way(0.5) - way(0.25))
    return frames, half - way(0.5) * frames


def last_level(gains):
    """The level before the last way down: 1, or where it stood still for 100 ms."""
    return next((level for level in levels(reversed(gains))), 1.0)


def first_level(gains):
    return next((level for level in levels(gains)), 1.0)


def levels(gains):
    """Gains at which the programme stood still for 100 ms or longer, in order."""
    reference, count = None, 0
    for gain in gains:
        if reference and close(gain, reference):
            count += 1
            if count == RATE // 10:
                yield reference
        else:
            reference, count = gain, 1


def close(gain, level):
    return abs(gain - level) <= EXACT * max(level, 1e-3)


def monotone(gains, falling):
    for index in range(1, len(gains)):
        step = gains[index] - gains[index - 1]
        # After a gap, a few frames heard twice look like a step.
        if (step if falling else -step) > STEP:
            raise Unheard(f"a ramp turns round after {index} frames, by {step:.1e}")


def duck(recording, start, end=None):
    """The programme turned down and up again in these frames.

    :raises Unheard: if it was not, or not to a level at which it stayed."""
    pieces = recording.pieces(start, end)
    changed = [index for index, piece in enumerate(pieces) if piece.kind == "changed"]
    if not changed or changed[0] == 0 or changed[-1] == len(pieces) - 1:
        raise Unheard(f"no programme that is turned down and up again: {words(pieces)}")
    before = next((piece for piece in reversed(pieces[: changed[0]]) if piece.kind == "numbers"), None)
    after = next((piece for piece in pieces[changed[-1] :] if piece.kind == "numbers"), None)
    if not before or not after:
        raise Unheard(f"no programme before and after: {words(pieces)}")
    middle = pieces[pieces.index(before) + 1 : pieces.index(after)]
    gains = gains_after(recording, before, middle)
    level = next(levels(gains), None)
    if level is None:
        raise Unheard("it never stays at a level")
    inside = [index for index, gain in enumerate(gains) if close(gain, level)]
    down, up = gains[: inside[0]], gains[inside[-1] + 1 :]
    monotone([1.0, *down, level], falling=True)
    monotone([level, *up, 1.0], falling=False)
    return Duck(
        before, after, decibels(level), len(down) / RATE * 1000, len(up) / RATE * 1000,
        lost=distance(after.number, successor(before.next, len(gains))), gaps=gap_frames(middle),
    )  # fmt: skip


def untouched(recording, start, end=None):
    """That the programme plays on at its own level. Returns frames lost, and frames of gaps.

    :raises Unheard: if anything else was heard."""
    pieces = recording.pieces(start, end)
    playing = [piece for piece in pieces if piece.kind == "numbers"]
    if not playing or any(piece.kind == "changed" for piece in pieces):
        raise Unheard(f"not the programme as it is: {words(pieces)}")
    lost = sum(distance(b.number, successor(a.next, 0)) for a, b in zip(playing, playing[1:]))
    return lost, gap_frames(pieces)


def silent(recording, start, end=None):
    """That there is not one frame of sound.

    :raises Unheard: if there is."""
    pieces = recording.pieces(start, end)
    if not pieces or any(piece.kind != "silence" for piece in pieces):
        raise Unheard(f"not silent: {words(pieces)}")
