"""The changes in the music in a part of a recording, which are lost frames and the ramps of fades."""
import dataclasses
import math

from bench.numbers import FRAMES, RATE

#: Gains are computed in 32-bit floating point, and samples are whole numbers.
EXACT = 1e-6
#: The simulated card advances in steps of 4 ms, or by its whole buffer at once after a stall of the machine. If that
#: happens in the middle of a write, the card plays the part that was already copied, but the kernel reports an underrun
#: and that it accepted nothing (`__snd_pcm_lib_xfer`). Those frames are played twice, with a gap between. Up to this
#: many repeated frames are attributed to this cause.
HEARD_TWICE = RATE // 50


class Unheard(Exception):
    """An error which means that the recording does not contain what it should."""


@dataclasses.dataclass(frozen=True)
class Pause:
    before: object
    silence: object
    after: object
    #: Times in milliseconds, or 0 without a fade.
    fade_out: float
    fade_in: float
    #: The number of frames of the music that were not played at full level around a pause and a resume. It is negative
    #: if frames were played twice.
    lost: int
    #: The number of frames that were not played at all, not even in the fade-out. It is negative if frames were played
    #: twice.
    skipped: int
    #: The number of silent frames in the music, which come from underruns.
    gaps: int
    #: The number of frames that were repeated after such gaps.
    twice: int
    #: The levels before and after, in dB.
    levels: tuple
    #: The largest change of gain from one frame to the next.
    steepest: float

    def __str__(self):
        gaps = gaps_in_words(self.gaps, self.twice)
        if math.isnan(self.fade_out):
            out, lost = "fade-out from another level", f"{self.lost} frames at that level"
        else:
            out, lost = f"fade-out {self.fade_out:.1f} ms", f"lost {self.lost}"
        return f"{out}, silence {self.silence.count / RATE:.2f} s, fade-in {self.fade_in:.1f} ms, {lost}{gaps}"


@dataclasses.dataclass(frozen=True)
class Duck:
    before: object
    after: object
    #: The level in dB.
    level: float
    attack: float
    release: float
    lost: int
    gaps: int
    twice: int

    def __str__(self):
        gaps = gaps_in_words(self.gaps, self.twice)
        ramps = f"attack {self.attack:.1f} ms, release {self.release:.1f} ms"
        return f"{self.level:.2f} dB, {ramps}, lost {self.lost}{gaps}"


def gaps_in_words(gaps, twice):
    again = f" ({twice} frames heard twice)" if twice else ""
    return f", {gaps / RATE * 1000:.0f} ms of gaps{again}" if gaps else ""


def decibels(gain):
    return 20 * math.log10(gain) if gain > 0 else -math.inf


def successor(number, frames):
    """Returns the number that comes `frames` after this one. After its end, the music begins again."""
    return (number - 1 + frames) % FRAMES + 1


def distance(number, other):
    """Returns the number of frames from `other` to `number`, which is negative if `number` comes first."""
    return (number - other + FRAMES // 2) % FRAMES - FRAMES // 2


def words(pieces):
    return ", ".join(map(str, pieces)) or "nothing"


def frames_of(recording, pieces):
    """Returns the samples of the audible pieces, one after another. Gaps consume no music, and frames that are played
    twice are returned once."""
    frames, skipped = [], 0
    for piece in pieces:
        if piece.kind == "silence":
            skipped = repeated(recording, piece)
        else:
            frames += recording.samples(piece.start, piece.end)[skipped:]
            skipped = 0
    return frames


def repeated(recording, gap):
    """Returns the number of frames after a gap that repeat those before it."""
    before = recording.samples(max(0, gap.start - HEARD_TWICE), gap.start)
    after = recording.samples(gap.end, gap.end + HEARD_TWICE)
    for count in range(min(len(before), len(after)), 0, -1):
        # The first frames of the music are too soft to have distinct values.
        if before[-count:] == after[:count] and after[0] != after[count - 1]:
            return count
    return 0


def gains_after(recording, before, pieces):
    """Returns the gain of each frame of the pieces, which follow `before`."""
    samples = frames_of(recording, pieces)
    return [sample / (256 * successor(before.next, index)) for index, sample in enumerate(samples)]


def gains_before(recording, after, pieces):
    samples = frames_of(recording, pieces)
    number = new_number(recording, pieces, after)
    return [sample / (256 * successor(number, index - len(samples))) for index, sample in enumerate(samples)]


def new_number(recording, pieces, after):
    """Returns the number of the first frame of `after` that was not played before. The pieces before it may end with a
    gap."""
    again = repeated(recording, pieces[-1]) if pieces and pieces[-1].kind == "silence" else 0
    return successor(after.number, again)


def gap_frames(pieces):
    return sum(piece.count for piece in pieces if piece.kind == "silence")


def frames_twice(recording, pieces):
    return sum(repeated(recording, piece) for piece in pieces if piece.kind == "silence")


def whole(story):
    """Returns true if nothing is lost or played twice. The first frames of a fade-out differ only in the last bits, and
    may be taken for unchanged ones."""
    return -2 <= story.lost <= 2


def crossing(gains, level):
    """Returns the point at which the gain passes `level`, in frames with a fraction."""
    for index in range(1, len(gains)):
        low, high = gains[index - 1], gains[index]
        if (low - level) * (high - level) <= 0 and low != high:
            return index - 1 + (level - low) / (high - low)
    raise Unheard(f"the gain never passes {decibels(level):.1f} dB")


def pause(recording, start, end=None, mixed=False):
    """Returns the longest silence in these frames, and the fades before and after it. With `mixed`, the music was
    already changing its level when the fade-out began, and the fade-out is not examined.

    :raises Unheard: if there is no silence with the music at its own level on both sides."""
    pieces = recording.pieces(start, end)
    silences = [piece for piece in pieces if piece.kind == "silence"]
    if not silences:
        raise Unheard(f"no silence: {words(pieces)}")
    silence = max(silences, key=lambda piece: piece.count)
    at = pieces.index(silence)
    before = next((piece for piece in reversed(pieces[:at]) if piece.kind == "numbers"), None)
    after = next((piece for piece in pieces[at:] if piece.kind == "numbers"), None)
    if not before or not after:
        raise Unheard(f"no music on both sides of the silence: {words(pieces)}")
    going = pieces[pieces.index(before) + 1 : at]
    coming = pieces[at + 1 : pieces.index(after)]
    out = gains_after(recording, before, going)
    back = gains_before(recording, after, coming)

    # The first frame of each ramp is computed from the slope in its middle, because its ends are too flat to be
    # detected.
    level_out, fade_out, last = (1.0, math.nan, 0) if mixed else plateau_end(out, before.next)
    first_number = successor(new_number(recording, coming, after), -len(back))
    level_back, fade_in, first = plateau_start(back, first_number)
    steepest = max((abs(b - a) for gains in (out, back) for a, b in zip(gains, gains[1:])), default=0)
    arrived = successor(first_number, first)
    return Pause(
        before, silence, after, fade_out / RATE * 1000, fade_in / RATE * 1000,
        lost=distance(arrived, successor(before.next, last)),
        skipped=distance(arrived, successor(before.next, len(out))),
        gaps=gap_frames(going) + gap_frames(coming),
        twice=frames_twice(recording, going) + frames_twice(recording, coming),
        levels=(decibels(level_out), decibels(level_back)),
        steepest=steepest,
    )  # fmt: skip


def arrival(recording, start, end=None):
    """Returns the number of the first frame after the silence at `start`.

    :raises Unheard: if the music has not reached its own level."""
    pieces = recording.pieces(start, end)
    after = next((piece for piece in pieces if piece.kind == "numbers"), None)
    if not after:
        raise Unheard(f"no music: {words(pieces)}")
    coming = pieces[: pieces.index(after)]
    if coming and coming[0].kind == "silence":
        coming = coming[1:]
    back = gains_before(recording, after, coming)
    number = successor(new_number(recording, coming, after), -len(back))
    _, _, first = plateau_start(back, number)
    return successor(number, first)


def plateau_end(gains, number):
    """Returns the initial level of a ramp down to silence, from the frame with that number on, its length in frames,
    and the index of its first frame."""
    if not gains:
        return 1.0, 0.0, 0
    level = last_level(gains)
    start = len(gains) - next((i for i, gain in enumerate(reversed(gains)) if close(gain, level)), len(gains))
    ramp = [level, *gains[start:]]
    monotone(ramp, True, number + start - 1)
    frames, origin = shape(ramp, level, lambda share: math.acos(2 * share**0.6 - 1) / math.pi)
    return level, frames, start + round(origin)


def plateau_start(gains, number):
    """Returns the final level of a ramp up from silence, from the frame with that number on, its length in frames, and
    the index of its first frame (below 0, because its beginning is too soft to be distinguished from silence)."""
    if not gains:
        return 1.0, 0.0, 0
    level = first_level(gains)
    reached = next((i for i, gain in enumerate(gains) if close(gain, level)), len(gains))
    ramp = [*gains[:reached], level]
    monotone(ramp, False, number)
    frames, origin = shape(ramp, level, lambda share: math.acos(1 - 2 * share**0.6) / math.pi)
    return level, frames, round(origin) + 1


def shape(ramp, level, way):
    """Returns the length in frames of a ramp between silence and `level`, and the index of the frame before its first.
    They are computed from its middle, because its ends are too flat to be detected. `way` maps a fraction of the level
    to the fraction of the ramp's length at which it is reached."""
    half, quarter = crossing(ramp, level / 2), crossing(ramp, level / 4)
    frames = (half - quarter) / (way(0.5) - way(0.25))
    return frames, half - way(0.5) * frames


def last_level(gains):
    """Returns the level before the last ramp down, which is 1 or the last level that lasted for 100 ms."""
    return next((level for level in levels(reversed(gains))), 1.0)


def first_level(gains):
    return next((level for level in levels(gains)), 1.0)


def levels(gains):
    """Returns the gains that stayed the same for 100 ms or longer, in order."""
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


def monotone(gains, falling, number):
    """Checks that these gains change in one direction only. `number` is the number of the first frame."""
    for index in range(1, len(gains)):
        step = gains[index] - gains[index - 1]
        # The first frames of the music are soft, and samples are whole numbers.
        rounding = EXACT + sum(0.5 / (256 * successor(number, near)) for near in (index - 1, index))
        if (step if falling else -step) > rounding:
            raise Unheard(f"a ramp reverses after {index} frames, by {step:.1e}")


def duck(recording, start, end=None):
    """Returns the duck in these frames, in which the music is turned down and up again.

    :raises Unheard: if there is none, or it never stays at a level."""
    pieces = recording.pieces(start, end)
    changed = [index for index, piece in enumerate(pieces) if piece.kind == "changed"]
    if not changed or changed[0] == 0 or changed[-1] == len(pieces) - 1:
        raise Unheard(f"the music is not turned down and up again: {words(pieces)}")
    before = next((piece for piece in reversed(pieces[: changed[0]]) if piece.kind == "numbers"), None)
    after = next((piece for piece in pieces[changed[-1] :] if piece.kind == "numbers"), None)
    if not before or not after:
        raise Unheard(f"no music before and after: {words(pieces)}")
    middle = pieces[pieces.index(before) + 1 : pieces.index(after)]
    gains = gains_after(recording, before, middle)
    level = next(levels(gains), None)
    if level is None:
        raise Unheard("the music never stays at a level")
    inside = [index for index, gain in enumerate(gains) if close(gain, level)]
    down, up = gains[: inside[0]], gains[inside[-1] + 1 :]
    monotone([1.0, *down, level], True, before.next - 1)
    monotone([level, *up, 1.0], False, before.next + inside[-1])
    return Duck(
        before, after, decibels(level), len(down) / RATE * 1000, len(up) / RATE * 1000,
        lost=distance(new_number(recording, middle, after), successor(before.next, len(gains))),
        gaps=gap_frames(middle),
        twice=frames_twice(recording, middle),
    )  # fmt: skip


def steady_level(recording, start, end=None):
    """Returns the level in dB at which the music stays. It is the slope of the longest part without a gap, because the
    frames' numbers rise by one. The slope is measured from the first to the last sample of that part, because
    successive samples rise by whole steps of a 32-bit float.

    :raises Unheard: if no such part lasts 100 ms."""
    samples = recording.samples(start, len(recording) if end is None else end)
    best, first = (0, 0), 0
    for index in range(1, len(samples) + 1):
        # A gap is a step down to silence, and the end of the music is a step down to its beginning.
        if index == len(samples) or not 0 < samples[index] - samples[index - 1] < 1024:
            best, first = max(best, (index - 1 - first, first)), index
    frames, first = best
    if frames < RATE // 10:
        raise Unheard(f"no music without a gap: {words(recording.pieces(start, end))}")
    return decibels((samples[first + frames] - samples[first]) / frames / 256)


def untouched(recording, start, end=None):
    """Checks that the music continues at its own level and that no frame is lost. Returns the number of frames in gaps.

    :raises Unheard: if anything else was played."""
    pieces = recording.pieces(start, end)
    playing = [piece for piece in pieces if piece.kind == "numbers"]
    if not playing or any(piece.kind == "changed" for piece in pieces):
        raise Unheard(f"the music is not unchanged: {words(pieces)}")
    for before, after in zip(playing, playing[1:]):
        lost = distance(after.number, successor(before.next, 0))
        if not (-HEARD_TWICE if after.start > before.end else 0) <= lost <= 0:
            raise Unheard(f"{lost} frames lost: {words(pieces)}")
    return gap_frames(pieces)


def silent(recording, start, end=None):
    """Checks that all frames are silent.

    :raises Unheard: if any frame is not silent."""
    pieces = recording.pieces(start, end)
    if not pieces or any(piece.kind != "silence" for piece in pieces):
        raise Unheard(f"not silent: {words(pieces)}")
