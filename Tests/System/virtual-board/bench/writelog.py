"""A machine's writes to its disk in order, with its flushes (QEMU's blklogwrites, in the format of the kernel's
dm-log-writes), and the disk as a power cut at any point would have left it."""
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
#: The bytes up to the end of the file system's first superblock.
HEAD = 2048


@dataclasses.dataclass(frozen=True)
class Entry:
    #: The number of bytes from the disk's start.
    offset: int
    length: int
    flags: int
    #: The offset of the entry's bytes in the log.
    position: int

    @property
    def flushes(self):
        """True if all earlier writes are on the disk after this entry."""
        return bool(self.flags & FLUSH)


class WriteLog:
    def __init__(self, path):
        self.file = open(path, "rb")
        magic, version, count, sector = HEADER.unpack(self.file.read(HEADER.size))
        if (magic, version) != (MAGIC, 1):
            raise MachineError(f"{path} is not a log of writes: {magic:x}, version {version}")
        self.entries = []
        position = sector
        for _ in range(count):
            self.file.seek(position)
            first, sectors, flags, _ = ENTRY.unpack(self.file.read(ENTRY.size))
            self.entries.append(Entry(first * sector, sectors * sector, flags, position + sector))
            position += sector + (0 if flags & DISCARD else sectors * sector)

    def data(self, entry):
        self.file.seek(entry.position)
        return self.file.read(entry.length)

    def boundaries(self):
        """The number of entries up to and including each flush of earlier writes."""
        found, writes = [], 0
        for number, entry in enumerate(self.entries, 1):
            writes += entry.length > 0
            if entry.flushes and writes:
                found.append(number)
                writes = 0
        return found


class Replay:
    """A copy of the machine's initial disk, to which the entries of the log are applied in order."""

    def __init__(self, log, disk, path):
        self.log = log
        self.path = path
        self.count = 0
        run(["cp", "--sparse=always", disk, path])
        self.file = open(path, "r+b", buffering=0)

    def close(self):
        self.file.close()
        os.unlink(self.path)

    def advance(self, count):
        """Applies the entries up to this count."""
        for entry in self.log.entries[self.count : count]:
            if entry.length and not entry.flags & DISCARD:
                os.pwrite(self.file.fileno(), self.log.data(entry), entry.offset)
        self.count = count

    def perhaps(self, number, chance):
        """Applies the entries up to `number` on top of the current boundary, but only a random selection of their
        sectors, because a disk's cache does not preserve the order. Returns the previous contents for `take_back`."""
        before = []
        for entry in self.log.entries[self.count : number]:
            if not entry.length or entry.flags & DISCARD:
                continue
            data = self.log.data(entry)
            # The write is applied as a whole or not at all, or any of its sectors are applied.
            kind = chance.choice(["all", "none", "some"])
            for start in range(0, entry.length, SECTOR):
                if kind == "all" or kind == "some" and chance.random() < 0.5:
                    position = entry.offset + start
                    before.append((os.pread(self.file.fileno(), SECTOR, position), position))
                    os.pwrite(self.file.fileno(), data[start : start + SECTOR], position)
        return before

    def take_back(self, before):
        for data, position in reversed(before):
            os.pwrite(self.file.fileno(), data, position)

    def read(self, name, target):
        """Returns the contents of a file after the file system's journal has been replayed, as at a mount, or None if
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
            # The tools have recorded their run in the superblock, so its contents are restored.
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
