"""What a machine wrote to its disk, in order, and where it had it flushed (QEMU's blklogwrites; the format is that of
the kernel's dm-log-writes); and the disk as a power cut anywhere in it would have left it."""
import dataclasses
import os
import struct
import subprocess

from bench.machine import MachineError, run

MAGIC = 0x6A736677736872
HEADER = struct.Struct("<QQQI")
ENTRY = struct.Struct("<QQQQ")
FLUSH, FUA, DISCARD = 1, 2, 4
SECTOR = 512
#: Bytes up to the end of the file system's first superblock.
HEAD = 2048


@dataclasses.dataclass(frozen=True)
class Entry:
    #: Bytes from the disk's start.
    offset: int
    length: int
    flags: int
    #: Where its bytes are in the log.
    place: int

    @property
    def flushes(self):
        """Whether all that was written before is on the disk after it."""
        return bool(self.flags & FLUSH)


class WriteLog:
    def __init__(self, path):
        self.file = open(path, "rb")
        magic, version, count, sector = HEADER.unpack(self.file.read(HEADER.size))
        if (magic, version) != (MAGIC, 1):
            raise MachineError(f"{path} is no log of writes: {magic:x}, version {version}")
        self.entries = []
        place = sector
        for _ in range(count):
            self.file.seek(place)
            first, sectors, flags, _ = ENTRY.unpack(self.file.read(ENTRY.size))
            self.entries.append(Entry(first * sector, sectors * sector, flags, place + sector))
            place += sector + (0 if flags & DISCARD else sectors * sector)

    def data(self, entry):
        self.file.seek(entry.place)
        return self.file.read(entry.length)

    def boundaries(self):
        """The number of entries up to each flush with writes before it that none before has flushed."""
        found, writes = [], 0
        for number, entry in enumerate(self.entries, 1):
            writes += entry.length > 0
            if entry.flushes and writes:
                found.append(number)
                writes = 0
        return found


class Replay:
    """A copy of the disk that the log's machine began with, to which the log's entries are applied one after another."""

    def __init__(self, log, disk, path):
        self.log = log
        self.path = path
        self.count = 0
        run(["cp", "--sparse=always", disk, path])
        self.file = open(path, "r+b", buffering=0)

    def close(self):
        self.file.close()
        os.unlink(self.path)

    def go_on(self, count):
        """Applies the entries up to this number."""
        for entry in self.log.entries[self.count : count]:
            if entry.length and not entry.flags & DISCARD:
                os.pwrite(self.file.fileno(), self.log.data(entry), entry.offset)
        self.count = count

    def perhaps(self, number, chance):
        """Applies what was written after this boundary and before the next, but only such sectors of it as chance will
        have it: a disk's cache keeps no order. Returns what takes that back."""
        before = []
        for entry in self.log.entries[self.count : number]:
            if not entry.length or entry.flags & DISCARD:
                continue
            data = self.log.data(entry)
            # A whole write is there, or none of it, or any of its sectors.
            kind = chance.choice(["all", "none", "some"])
            for start in range(0, entry.length, SECTOR):
                if kind == "all" or kind == "some" and chance.random() < 0.5:
                    place = entry.offset + start
                    before.append((os.pread(self.file.fileno(), SECTOR, place), place))
                    os.pwrite(self.file.fileno(), data[start : start + SECTOR], place)
        return before

    def take_back(self, before):
        for data, place in reversed(before):
            os.pwrite(self.file.fileno(), data, place)

    def read(self, name, target):
        """The bytes of a file, as they are once the file system's journal has been replayed, as at a mount; None where
        there is no such file."""
        undo = self.path + ".undo"
        head = os.pread(self.file.fileno(), HEAD, 0)
        for path in (undo, target):
            if os.path.exists(path):
                os.unlink(path)
        tool(["e2fsck", "-E", "journal_only", "-y", "-z", undo, self.path], most=1)
        try:
            tool(["debugfs", "-R", f"dump {name} {target}", self.path])
        finally:
            if os.path.exists(undo):
                tool(["e2undo", "-f", undo, self.path])
                os.unlink(undo)
            # Where the tools have noted themselves that they were here.
            os.pwrite(self.file.fileno(), head, 0)
        if not os.path.exists(target):
            return None
        with open(target, "rb") as file:
            return file.read()


def tool(command, most=0):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode > most:
        raise MachineError(f"{' '.join(command)}: {(done.stdout + done.stderr).strip()}")
    return done.stdout + done.stderr
