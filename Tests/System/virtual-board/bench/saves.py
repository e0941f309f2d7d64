"""What the daemon has written to the disk, and what the kernel has confirmed to be there; observed with strace."""
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
    #: Seconds since 1970, by the board's clock.
    began: float
    #: When the kernel confirmed that it is on the disk; None: not yet.
    ended: float | None = None

    @property
    def took(self):
        """How many seconds the disk has taken; None: unknown."""
        return None if self.ended is None else self.ended - self.began


def writer(board):
    """The thread that writes the state."""
    return int(board.run(f"cd /proc/{board.pid()}/task; grep -lx tacet-state */comm | cut -d / -f 1"))


def watch(board, name="saves"):
    """From now on, records all saves in the shared folder."""
    board.machine.begin(f"exec {command(writer(board))} -o /mnt/bench/{name}")
    # strace has written nothing yet, so wait until it is attached.
    board.run(f"for i in {{1..200}}; do grep -q 'TracerPid:[^0]*[1-9]' /proc/{board.pid()}/task/*/status && exit; "
              "sleep 0.02; done; exit 1")  # fmt: skip


def command(thread):
    return f"strace -ttt -T -s 1200 -e trace=pwrite64,fdatasync -p {thread}"


def read(board, name="saves"):
    """The saves so far, in order."""
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
