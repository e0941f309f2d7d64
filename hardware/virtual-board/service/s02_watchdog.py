"""A part hangs: systemd kills the service, and it goes on where it was; the journal says which part it was."""
from bench.check import check, expect
from bench.hangs import DROP_IN, hang, watchdog

PATIENCE = 2


def frozen(service, thread, part):
    with service.configured(watchdog(PATIENCE), DROP_IN):
        place = service.saved_place()
        found = hang(service, thread, part)
        found.judge(service)
        goes_on = service.place(found.began)
        expect(goes_on >= place, f"it goes on at {goes_on} s, and {place} s was saved")
        took = (int(found.began["__MONOTONIC_TIMESTAMP"]) - int(found.hung["__MONOTONIC_TIMESTAMP"])) / 1e6
        return f"‘{found.hung['MESSAGE']}’; {took:.1f} s later it runs again (WatchdogSec={PATIENCE})"


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
    with service.configured(watchdog(PATIENCE), DROP_IN):
        service.run("tacet pause")
        pid, start = service.pid(), fed(service)
        while fed(service) < start + 3 * PATIENCE * 1_000_000:
            expect(service.pid() == pid, "it was restarted")
        service.run("tacet play")


def fed(service):
    """When the watchdog was fed last, in microseconds of the monotonic clock."""
    return int(service.show("WatchdogTimestampMonotonic"))
