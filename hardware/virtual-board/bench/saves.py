"""What the daemon has handed to the disk, and what the kernel has said is there: by strace, from outside."""
import dataclasses
import re

from bench.state import State, record

NUMBER = r"([0-9]+\.[0-9]+)"
WRITE = re.compile(NUMBER + r' pwrite64\([0-9]+, "((?:[^"\\]|\\.)*)"')
#: The power may go before it answers.
SYNC = re.compile(NUMBER + r" fdatasync\([0-9]+(?:\) += 0 <" + NUMBER + ">)?")


@dataclasses.dataclass
class Save:
    state: State
    #: Seconds since 1970, by the board's clock.
    began: float
    #: When the kernel said that it is on the disk; None: not yet.
    ended: float | None = None

    @property
    def took(self):
        """Seconds, as long as the disk has taken; None: nobody knows."""
        return None if self.ended is None else self.ended - self.began


def writer(board):
    """The thread that writes the state."""
    return int(board.run(f"cd /proc/{board.pid()}/task; grep -lx tacet-state */comm | cut -d / -f 1"))


def watch(board, name="saves"):
    """From now on all saves are written down in the shared folder."""
    board.machine.begin(f"exec {command(writer(board))} -o /mnt/bench/{name}")
    # What it has written so far is nothing, but it is there.
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
