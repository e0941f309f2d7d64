"""Tacet as a service of systemd without a board. It plays to a null device, which accepts everything at any speed, and
its wires are missing."""
import contextlib
import re
import subprocess
import time

from bench.commands import CHECK_CONF, Commands
from bench.container import Container
from bench.journal import Journal

#: The same journalctl command as in the board's bench-journal.service.
FOLLOW = (
    "exec journalctl --boot --follow --no-tail --output=json"
    " SYSLOG_IDENTIFIER=tacetd + _SYSTEMD_UNIT=tacet.service + _PID=1 UNIT=tacet.service"
)


class Service(Commands):
    def __init__(self, root, folder, options=("--private-network",)):
        self.machine = Container(root, folder, options)
        self.folder = folder
        self.journal = None
        self.follower = None

    def boot(self):
        self.cut_power()
        self.machine.start()
        self.machine.connect(timeout=120)
        with open(f"{self.folder}/journal", "w") as file:
            self.follower = self.machine.begin(FOLLOW, stdout=file, stderr=subprocess.DEVNULL)
        self.journal = Journal(self.folder)

    def cut_power(self):
        if self.follower:
            self.follower.kill()
            self.follower.wait()
        self.machine.stop()

    def standstills(self):
        """Returns no stalls. There is no witness that could report them, so a failed check is always a failure."""
        return []

    def restart(self):
        """Restarts Tacet. Returns a mark before the journal's entries of the restart."""
        mark = self.journal.mark()
        self.run("systemctl restart tacet")
        self.journal.wait("started", mark)
        return mark

    @contextlib.contextmanager
    def configured(self, text, path=CHECK_CONF):
        """Runs the body with another drop-in, after a restart with it."""
        self.write(path, text)
        self.run("systemctl daemon-reload")
        self.restart()
        try:
            yield
        finally:
            self.run(f"rm {path}; systemctl daemon-reload; systemctl reset-failed tacet")
            self.restart()

    def saved_position(self, timeout=20):
        """Waits until the position in the music has been saved again. Returns it, in seconds."""
        first = self.saved()
        end = time.monotonic() + timeout
        while (position := self.saved()) == first:
            if time.monotonic() > end:
                raise TimeoutError(f"no position was saved within {timeout} s")
        return position

    def saved(self):
        text = self.run("tacet state /var/lib/tacet/state")
        minutes, seconds = re.search(r"^  position +(\d+):([\d.]+)$", text, re.MULTILINE).groups()
        return int(minutes) * 60 + float(seconds)

    def position(self, entry):
        """Returns the position in the music according to a journal entry, in seconds."""
        return int(entry["TACET_POSITION_USEC"]) / 1e6

    def calm(self):
        """Makes sure that Tacet runs and plays, which is the state in which each check begins."""
        if not self.journal:
            self.boot()
        if self.code("systemctl is-active --quiet tacet")[0]:
            self.code(f"rm -f {CHECK_CONF}; systemctl reset-failed tacet; systemctl daemon-reload")
            self.restart()
        self.run("tacet play")
