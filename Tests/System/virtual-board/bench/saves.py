"""The states that the daemon has written to the disk and those whose writing the kernel has confirmed, observed with
strace."""
import dataclasses
import re

from bench.state import State, record

NUMBER = r"([0-9]+\.[0-9]+)"
WRITE = re.compile(NUMBER + r' pwrite64\([0-9]+, "((?:[^"\\]|\\.)*)"')
#: The power may fail before the call returns.
SYNC = re.compile(NUMBER + r" fdatasync\([0-9]+(?:\) += 0 <" + NUMBER + ">)?")


@dataclasses.dataclass
class Save:
    state: State
    #: The time in seconds since 1970 by the board's clock.
    began: float
    #: The time at which the kernel confirmed that the state is on the disk, or None if it has not confirmed that yet.
    ended: float | None = None

    @property
    def took(self):
        """The seconds that the disk has taken, or None if that is unknown."""
        return None if self.ended is None else self.ended - self.began


def writer(board):
    """Returns the thread that writes the state."""
    return int(board.run(f"cd /proc/{board.pid()}/task; grep -lx tacet-state */comm | cut -d / -f 1"))


def watch(board, name="saves"):
    """Records all saves from now on, in the shared folder."""
    board.machine.begin(f"exec {command(writer(board))} -o /mnt/bench/{name}")
    # strace has not written anything yet, so the script waits until it is attached.
    board.run(f"for i in {{1..200}}; do grep -q 'TracerPid:[^0]*[1-9]' /proc/{board.pid()}/task/*/status && exit; "
              "sleep 0.02; done; exit 1")  # fmt: skip


def command(thread):
    return f"strace -ttt -T -s 1200 -e trace=pwrite64,fdatasync -p {thread}"


def read(board, name="saves"):
    """Returns the saves so far, in order."""
    try:
        with open(f"{board.machine.share}/{name}", errors="replace") as file:
            return parse(file)
    except FileNotFoundError:
        return []


def parse(lines):
    saves = []
    for line in lines:
        if write := WRITE.match(line):
            data = write[2].encode("latin-1").decode("unicode_escape").encode("latin-1")
            if state := record(data):
                saves.append(Save(state, float(write[1])))
        elif (sync := SYNC.match(line)) and sync[2] and saves:
            saves[-1].ended = float(sync[1]) + float(sync[2])
    return saves
