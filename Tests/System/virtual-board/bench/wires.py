"""Runs programs that read wires, with either version of libgpiod, on chips that come and go (see
Tests/Tools/gpio-watch)."""
import dataclasses
import shlex
import time

from bench.board import CHIP, END_TRIALS

TOOLS = "/usr/local/lib/board"


@dataclasses.dataclass(frozen=True)
class Library:
    version: str
    #: The environment for the library's programs, which is empty for the board's own library.
    setting: str
    tacet: str

    @property
    def watch(self):
        return f"{TOOLS}/trials/{self.version}/gpio-watch"


OLDER = f"{TOOLS}/trials/1.6"
LIBRARIES = [
    Library("1.6", f"LD_LIBRARY_PATH={OLDER} ", f"{OLDER}/tacet"),
    Library("2", "", "tacet"),
]


class Desk:
    """A board without Tacet and without the chip that is soldered on. It has only the chips that a trial creates."""

    def __init__(self, board, library):
        self.board = board
        self.library = library
        if not board.is_on():
            board.boot()
        self.run(f"systemctl stop tacet; {END_TRIALS}; {CHIP} unplug panel")

    def run(self, script):
        return self.board.run(script)

    def chip(self, words):
        self.run(f"{CHIP} {words}")

    def pull(self, *words):
        return self.board.pull(*words)

    def make(self, lines="PHONE_CALL ALARM COVER_CLOSED SPARE - -"):
        """Creates the chip of most trials."""
        self.chip(f"make desk {lines}")

    def lines(self, options="", settings=""):
        """Returns the exit code and output of `tacet lines` with these settings."""
        path = f"{self.board.machine.share}/lines.conf"
        with open(path, "w") as file:
            file.write(settings)
        program = f"{self.library.setting}{self.library.tacet}"
        return self.board.code(f"{program} lines {options} --config /mnt/bench/lines.conf")


class Watch:
    """A running `gpio-watch` and its output."""

    def __init__(self, desk, *lines):
        self.desk = desk
        self.path = f"{desk.board.machine.share}/watch"
        words = " ".join(shlex.quote(line) for line in lines)
        with open(self.path, "w"):
            pass
        self.pid = desk.board.machine.begin(
            f"exec env {desk.library.setting}{desk.library.watch} {words} >/mnt/bench/watch 2>&1"
        )
        self.wait("ready")

    def said(self, start=0):
        with open(self.path) as file:
            *lines, _ = file.read().split("\n")
        return lines[start:]

    def mark(self):
        return len(self.said())

    def wait(self, beginning, start=0, count=1, timeout=20):
        """Waits for `count` lines with this beginning. Returns all lines from `start` on."""
        limit = time.monotonic() + timeout
        while True:
            said = self.said(start)
            if sum(line.startswith(beginning) for line in said) >= count:
                return said
            if time.monotonic() > limit:
                raise TimeoutError(f"gpio-watch does not print ‘{beginning}’ within {timeout} s, but {said[-5:]}")
            time.sleep(0.05)

    def after(self, script):
        """Stops gpio-watch while a script runs, and returns its output about the events of that time. The list is
        complete, because this waits until gpio-watch waits for more."""
        start = self.mark()
        wait = f"for i in {{1..600}}; do grep -q poll /proc/{self.pid}/wchan && exit; sleep 0.05; done; exit 1"
        self.desk.run(f"kill -STOP {self.pid}; {script}; kill -CONT {self.pid}; {wait}")
        return self.said(start)

    def descriptors(self):
        return int(self.desk.run(f"ls /proc/{self.pid}/fd | wc -l"))

    def ticks(self, seconds):
        """Returns the processor time that gpio-watch uses in this many seconds, in hundredths of a second."""
        used = f"awk '{{ print $14 + $15 }}' /proc/{self.pid}/stat"
        before, after = self.desk.run(f"{used}; sleep {seconds}; {used}").split()
        return int(after) - int(before)
