"""The growing recording from the far end of the sound card, and its contents."""
import dataclasses
import math
import os
import struct
import time

from bench import numbers
from bench.follow import Follower
from bench.numbers import FRAMES, RATE

FRAME = 8
#: The minimum number of successive frames that are taken for numbers. Fewer may occur by chance.
SHORTEST = 24
STEREO = struct.Struct("<ii")
SILENT = bytes(FRAME)


@dataclasses.dataclass(frozen=True)
class Piece:
    """Frames `start` to `end` of a recording that are of one kind: `silence`, `numbers` (the unchanged music from its
    frame `number` on) or `changed` (faded or ducked)."""

    kind: str
    start: int
    end: int
    number: int = 0

    @property
    def count(self):
        return self.end - self.start

    @property
    def next(self):
        """The number of the frame that should follow."""
        return self.number + self.count

    def __str__(self):
        what = f"numbers {self.number}…{self.next - 1}" if self.kind == "numbers" else f"{self.kind} {self.count}"
        return f"{what} at {self.start}"


class Recording:
    """The files that the ear writes (see tools/ear.c)."""

    music = b""

    def __init__(self, folder):
        self.sound_path = f"{folder}/sound"
        self.file = None
        self.index = Follower(f"{folder}/sound.index")
        #: `readings` contains (frame, nanoseconds) for each reading, and `seams` contains (word, frame, nanoseconds).
        self.readings = []
        self.seams = []
        if not Recording.music:
            Recording.music = memoryview(numbers.recorded())

    def __len__(self):
        """Returns the number of frames received so far."""
        try:
            return os.path.getsize(self.sound_path) // FRAME
        except OSError:
            return 0

    def read(self, start, end):
        if self.file is None:
            self.file = open(self.sound_path, "rb")
        self.file.seek(start * FRAME)
        return self.file.read((end - start) * FRAME)

    def update(self):
        """Reads the lines that were added to the index."""
        for line in self.index.lines():
            word, frame, stamp = line.split()
            if word == "at":
                self.readings.append((int(frame), int(stamp)))
            else:
                self.seams.append((word, int(frame), int(stamp)))

    def origin(self, near):
        """Returns the time (nanoseconds) of frame 0, computed from the readings around frame `near`. It is the minimum
        of several readings, because the card's position advances only at the kernel's ticks, and never early."""
        self.update()
        begin = max((frame for _, frame, _ in self.seams if frame <= near), default=0)
        end = min((frame for word, frame, _ in self.seams if word == "lost" and frame > near), default=math.inf)
        inside = [reading for reading in self.readings if begin < reading[0] <= end]
        nearby = sorted(inside, key=lambda reading: abs(reading[0] - near))[:200]
        if not nearby:
            raise LookupError(f"no reading near frame {near}")
        return min(stamp - frame * 1_000_000_000 // RATE for frame, stamp in nearby)

    def time_of(self, frame):
        """Returns the time (nanoseconds of the board's CLOCK_MONOTONIC) at which `frame` was played."""
        return self.origin(frame) + frame * 1_000_000_000 // RATE

    def frame_at(self, stamp):
        """Returns the frame that is played at this time. It may not be recorded yet."""
        self.update()
        frame = len(self)
        for _ in range(2):
            frame = (stamp - self.origin(max(0, min(frame, len(self))))) * RATE // 1_000_000_000
        return max(0, frame)

    def pieces(self, start, end=None):
        """Returns the pieces in these frames in order, up to `end` or else to the last frame so far."""
        end = len(self) if end is None else min(end, len(self))
        return list(split(self.read(start, end), start)) if end > start else []

    def wait(self, frame, timeout=30):
        """Waits until `frame` has been played."""
        limit = time.monotonic() + timeout
        while len(self) < frame:
            if time.monotonic() > limit:
                raise TimeoutError(f"the recording has stopped at frame {len(self)} of {frame}")
            time.sleep(0.02)

    def wait_for(self, kind, count, start, timeout=30):
        """Waits for `count` successive frames of a kind after `start`. Returns the part of the piece that has been
        recorded so far."""
        limit = time.monotonic() + timeout
        position = start
        while True:
            for piece in self.pieces(position):
                if piece.kind == kind and piece.count >= count:
                    return piece
                # The piece may continue.
                position = max(position, piece.start)
            if time.monotonic() > limit:
                heard = ", ".join(map(str, self.pieces(max(start, len(self) - 2 * RATE)))) or "nothing"
                raise TimeoutError(f"no {count} frames of {kind} within {timeout} s; last: {heard}")
            time.sleep(0.05)

    def wait_for_music(self, start=None, seconds=0.3, timeout=30):
        """Waits until the music plays at its own level."""
        return self.wait_for("numbers", int(seconds * RATE), len(self) if start is None else start, timeout)

    def wait_for_silence(self, start=None, seconds=0.3, timeout=30):
        return self.wait_for("silence", int(seconds * RATE), len(self) if start is None else start, timeout)

    def samples(self, start, end):
        """Returns the left channel."""
        return [left for left, _ in STEREO.iter_unpack(self.read(start, end))]


def same_until(data, offset, other, other_offset):
    """Returns for how many bytes `data` from `offset` on equals `other` from `other_offset` on."""
    most = min(len(data) - offset, len(other) - other_offset)
    same = lambda start, end: (
        data[offset + start : offset + end] == other[other_offset + start : other_offset + end]
    )
    low, step = 0, 1024
    while low < most and same(low, min(low + step, most)):
        low = min(low + step, most)
        step *= 2
    # The first difference, if there is one, is in the next `step` bytes.
    high = min(low + step, most)
    while low < high:
        middle = (low + high + 1) // 2
        if same(low, middle):
            low = middle
        else:
            high = middle - 1
    return low


ZEROS = memoryview(bytes(1 << 20))


def silence_at(data, offset):
    """Returns the number of silent frames from this offset on."""
    position = offset
    while True:
        same = same_until(data, position, ZEROS, 0)
        position += same
        if same < len(ZEROS):
            return (position - offset) // FRAME * FRAME


def numbers_at(data, offset):
    """Returns the number of the frame at this offset, and the number of bytes in which the numbers are consecutive."""
    left, right = STEREO.unpack_from(data, offset)
    number = left >> 8
    if left != right or left & 0xFF or not 0 < number <= FRAMES:
        return 0, 0
    return number, same_until(data, offset, Recording.music, (number - 1) * FRAME) // FRAME * FRAME


def split(data, start):
    """Returns the pieces of `data`, whose first frame is the recording's frame `start`."""
    offset, changed = 0, None
    view = memoryview(data)
    at = lambda position: start + position // FRAME
    while offset < len(data):
        number, length = 0, 0 if data[offset : offset + FRAME] != SILENT else silence_at(view, offset)
        # A fade may contain a few samples of zero, so only a longer section is treated as silence.
        if not length or (length < SHORTEST * FRAME and offset + length < len(data)):
            number, length = numbers_at(view, offset)
            if length < SHORTEST * FRAME:
                changed = offset if changed is None else changed
                offset += FRAME
                continue
        if changed is not None:
            yield Piece("changed", at(changed), at(offset))
            changed = None
        yield Piece("numbers" if number else "silence", at(offset), at(offset + length), number)
        offset += length
    if changed is not None:
        yield Piece("changed", at(changed), at(offset))
