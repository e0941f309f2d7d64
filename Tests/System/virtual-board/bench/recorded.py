"""The files that Tacet has recorded on the board, as libsndfile reads them."""
import ctypes
import ctypes.util
import dataclasses
import os
import shutil
import sys

from bench.numbers import FRAMES

FOLDER = "/var/lib/tacet/recordings"
SHARED = "/mnt/bench/recordings"
SFM_READ = 0x10


class Info(ctypes.Structure):
    _fields_ = [("frames", ctypes.c_int64)] + [
        (name, ctypes.c_int) for name in ("samplerate", "channels", "format", "sections", "seekable")
    ]


@dataclasses.dataclass(frozen=True)
class File:
    name: str
    rate: int
    #: The left channel in 24 bits, up to the end or the first damage.
    samples: list
    #: The head of the file, which contains its tags.
    head: bytes

    @property
    def seconds(self):
        return len(self.samples) / self.rate

    def ended(self, reason):
        return f"ENDED={reason}".encode() in self.head

    def pieces(self):
        """Returns the sections of music and of silence, as `(first number, or 0 for silence; frames)`."""
        found = []
        start = 0
        for index in range(1, len(self.samples) + 1):
            before = self.samples[index - 1]
            if index < len(self.samples) and self.samples[index] == before + (before != 0):
                continue
            found.append((self.samples[start], index - start))
            start = index
        return found


def library():
    name = ctypes.util.find_library("sndfile") or "libsndfile.so.1"
    sndfile = ctypes.CDLL(name)
    sndfile.sf_open.restype = ctypes.c_void_p
    sndfile.sf_open.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.POINTER(Info)]
    sndfile.sf_readf_int.restype = ctypes.c_int64
    sndfile.sf_readf_int.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_int), ctypes.c_int64]
    sndfile.sf_close.argtypes = [ctypes.c_void_p]
    return sndfile


def read(path):
    """Returns the file, or None if it cannot be opened."""
    sndfile, info = library(), Info()
    handle = sndfile.sf_open(path.encode(), SFM_READ, ctypes.byref(info))
    if not handle:
        return None
    samples, block = [], (ctypes.c_int * (4096 * info.channels))()
    try:
        while (count := sndfile.sf_readf_int(handle, block, 4096)) > 0:
            samples += [value >> 8 for value in block[: count * info.channels : info.channels]]
    finally:
        sndfile.sf_close(handle)
    with open(path, "rb") as file:
        head = file.read(4096)
    return File(os.path.basename(path), info.samplerate, samples, head)


def files(board, folder=FOLDER):
    """Returns all recordings on the board in order, with None for each that cannot be opened."""
    board.run(f"rm -rf {SHARED}; mkdir {SHARED}; cp {folder}/* {SHARED}/ 2>/dev/null || :; chmod -R a+rX {SHARED}")
    copies = f"{board.machine.share}/recordings"
    found = [read(f"{copies}/{name}") for name in sorted(os.listdir(copies))]
    shutil.rmtree(copies, ignore_errors=True)
    return found


def is_number(value):
    return 0 < value <= FRAMES


if __name__ == "__main__":
    for path in sys.argv[1:]:
        file = read(path)
        print(path, "cannot be opened" if file is None else f"{file.seconds:.3f} s: {file.pieces()[:40]}")
