"""Freezes a thread, and checks the consequences for the service."""
import dataclasses

from bench.check import expect

#: A drop-in of the service that lasts until the next boot.
DROP_IN = "/run/systemd/system/tacet.service.d/check.conf"
FREEZE = "/usr/local/lib/board/freeze"


def watchdog(seconds):
    """Returns the contents of a drop-in with this watchdog timeout, in seconds."""
    return f"[Service]\nWatchdogSec={seconds}\n"


@dataclasses.dataclass(frozen=True)
class Hang:
    """The entries about the hang and about the start after it, a mark, and the number of restarts before the hang."""

    hung: dict
    began: dict
    mark: int
    restarts: int

    def judge(self, system):
        """Checks that the hang was logged as an error, that systemd also logged it, and that systemd restarted the
        service once."""
        expect(self.hung["PRIORITY"] == "3", f"priority {self.hung['PRIORITY']}")
        manager = [str(entry["MESSAGE"]) for entry in system.journal.since(self.mark) if entry.get("_PID") == "1"]
        expect(any("atchdog" in message for message in manager), f"systemd does not mention its watchdog: {manager}")
        restarts = int(system.show("NRestarts"))
        expect(restarts == self.restarts + 1, f"{restarts} restarts, after {self.restarts}")


def hang(system, thread, part):
    """Freezes a thread of the daemon, on a board or in a container, and waits until the service runs again."""
    mark, restarts = system.journal.mark(), int(system.show("NRestarts"))
    freezer = system.machine.begin(f"exec {FREEZE} {system.pid()} {thread}")
    hung = system.journal.wait("hung", mark, fault=part)
    began = system.journal.wait("started", mark, timeout=60)
    system.machine.finish(freezer)
    return Hang(hung, began, mark, restarts)


def late(system, thread, script):
    """Runs a shell script while a thread of the daemon is frozen. After that, lets the thread continue."""
    freeze = f"exec 3< <(exec {FREEZE} {system.pid()} {thread}); freezer=$!; trap 'kill $freezer' EXIT; read -ru 3"
    system.run(f"{freeze} && {script}")
