"""A thread that stands still, and what becomes of the service."""
import dataclasses

from bench.check import expect

#: Of the service, until the next boot.
DROP_IN = "/run/systemd/system/tacet.service.d/check.conf"
FREEZE = "/usr/local/lib/board/freeze"


def watchdog(seconds):
    """What a drop-in says for another patience."""
    return f"[Service]\nWatchdogSec={seconds}\n"


@dataclasses.dataclass(frozen=True)
class Hang:
    """The entries of the hang and of the start after it; of what was before, a mark and the number of restarts."""

    hung: dict
    began: dict
    mark: int
    restarts: int

    def judge(self, place):
        """It was said as an error, and by systemd, too, which has started the service once."""
        expect(self.hung["PRIORITY"] == "3", f"priority {self.hung['PRIORITY']}")
        manager = [str(entry["MESSAGE"]) for entry in place.journal.since(self.mark) if entry.get("_PID") == "1"]
        expect(any("atchdog" in message for message in manager), f"systemd does not speak of its watchdog: {manager}")
        restarts = int(place.show("NRestarts"))
        expect(restarts == self.restarts + 1, f"{restarts} restarts, after {self.restarts}")


def hang(place, thread, part):
    """Stops a thread of the daemon for good, on a board or in a container, and waits until the service runs again."""
    mark, restarts = place.journal.mark(), int(place.show("NRestarts"))
    freezer = place.machine.begin(f"exec {FREEZE} {place.pid()} {thread}")
    hung = place.journal.wait("hung", mark, fault=part)
    began = place.journal.wait("started", mark, timeout=60)
    place.machine.finish(freezer)
    return Hang(hung, began, mark, restarts)


def late(place, thread, script):
    """Runs a shell script while a thread of the daemon stands still; then it goes on."""
    freeze = f"exec 3< <(exec {FREEZE} {place.pid()} {thread}); freezer=$!; trap 'kill $freezer' EXIT; read -ru 3"
    place.run(f"{freeze} && {script}")
