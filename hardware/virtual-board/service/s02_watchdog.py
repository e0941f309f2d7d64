"""A part hangs: systemd kills the service, and it goes on where it was; the journal says which part it was."""
from bench.check import check, expect

PATIENCE = 2
DROP_IN = "/run/systemd/system/tacet.service.d/check.conf"


def frozen(service, thread, part):
    with service.configured(f"[Service]\nWatchdogSec={PATIENCE}\n", DROP_IN):
        place = service.saved_place()
        restarts = int(service.show("NRestarts"))
        mark = service.journal.mark()
        freezer = service.machine.begin(f"exec freeze {service.pid()} {thread}")
        hung = service.journal.wait("hung", mark, fault=part)
        began = service.journal.wait("started", mark)
        service.machine.finish(freezer)
        expect(hung["PRIORITY"] == "3", f"priority {hung['PRIORITY']}")
        manager = [str(entry["MESSAGE"]) for entry in service.journal.since(mark) if entry.get("_PID") == "1"]
        expect(any("atchdog" in message for message in manager), f"systemd does not speak of its watchdog: {manager}")
        expect(int(service.show("NRestarts")) == restarts + 1, f"{service.show('NRestarts')} restarts")
        expect(service.place(began) >= place, f"it goes on at {service.place(began)} s, and {place} s was saved")
        took = (int(began["__MONOTONIC_TIMESTAMP"]) - int(hung["__MONOTONIC_TIMESTAMP"])) / 1e6
        return f"‘{hung['MESSAGE']}’; {took:.1f} s later it runs again (WatchdogSec={PATIENCE})"


@check("render-hangs")
def render(service):
    return frozen(service, "tacet-render", "render")


@check("storage-hangs")
def storage(service):
    return frozen(service, "tacet-storage", "storage")


@check("control-hangs")
def control(service):
    return frozen(service, "tacetd", "control")


@check("idle-is-no-hang")
def idle(service):
    """Paused, nothing moves for three times as long as the watchdog waits, and nothing hangs."""
    with service.configured(f"[Service]\nWatchdogSec={PATIENCE}\n", DROP_IN):
        service.run("tacet pause")
        pid, start = service.pid(), fed(service)
        while fed(service) < start + 3 * PATIENCE * 1_000_000:
            expect(service.pid() == pid, "it was restarted")
        service.run("tacet play")


def fed(service):
    """When the watchdog was fed last, in microseconds of the monotonic clock."""
    return int(service.show("WatchdogTimestampMonotonic"))
