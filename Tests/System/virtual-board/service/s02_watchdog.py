"""A part hangs. systemd kills and restarts the service, which resumes where it left off, and the journal names the
part."""
from bench.check import check, expect
from bench.hangs import DROP_IN, hang, watchdog

PATIENCE = 2


def frozen(service, thread, part):
    with service.configured(watchdog(PATIENCE), DROP_IN):
        position = service.saved_position()
        found = hang(service, thread, part)
        found.judge(service)
        resumed_at = service.position(found.began)
        expect(resumed_at >= position, f"it resumes at {resumed_at} s, but {position} s was saved")
        took = (int(found.began["__MONOTONIC_TIMESTAMP"]) - int(found.hung["__MONOTONIC_TIMESTAMP"])) / 1e6
        return f"‘{found.hung['MESSAGE']}’; {took:.1f} s later it is running again (WatchdogSec={PATIENCE})"


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
    """While paused, nothing happens for three times the watchdog's timeout, and nothing is taken for a hang."""
    with service.configured(watchdog(PATIENCE), DROP_IN):
        service.run("tacet pause")
        pid, start = service.pid(), fed(service)
        while fed(service) < start + 3 * PATIENCE * 1_000_000:
            expect(service.pid() == pid, "the service was restarted")
        service.run("tacet play")


def fed(service):
    """Returns the time at which the watchdog last received a keep-alive, in microseconds of the monotonic clock."""
    return int(service.show("WatchdogTimestampMonotonic"))
