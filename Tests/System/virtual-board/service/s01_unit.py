"""The unit, with start, stop, sandbox, reload and restart."""
from bench.check import check, expect, near
from bench.commands import CHECK_CONF, NOBODY


@check("boots-and-plays", calm=False)
def boots(service):
    service.boot()
    failed = service.run("systemctl --failed --no-legend --plain")
    expect(not failed, failed)
    expect(service.show("ActiveState") == "active", service.show("ActiveState"))
    status = service.show("StatusText")
    for words in ("Playing ‘numbers.wav’", "phone-call is lost", "alarm is lost", "cover-closed is lost"):
        expect(words in status, f"STATUS= does not contain ‘{words}’: {status}")
    began = int(service.show("ExecMainStartTimestampMonotonic"))
    ready = int(service.show("ActiveEnterTimestampMonotonic"))
    return f"exec to READY=1 {(ready - began) / 1000:.0f} ms; STATUS=‘{status}’"


@check("nothing-is-left-open")
def sandbox(service):
    """Checks the kernel's information about the process, and systemd's information about the unit."""
    status = dict(
        line.split(":\t", 1) for line in service.run(f"cat /proc/{service.pid()}/status").splitlines() if ":\t" in line
    )
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        expect(int(status[name], 16) == 0, f"{name} is {status[name]}")
    expect(status["NoNewPrivs"] == "1", "the process could gain privileges")
    expect(status["Seccomp"] == "2", "system calls are not filtered")
    tacet = service.run("id -u tacet")
    expect(status["Uid"].split() == [tacet] * 4, f"the process runs as {status['Uid']}")
    within = f"nsenter --target {service.pid()} --mount"
    for path in ("/usr", "/etc", "/var", "/srv"):
        code, output = service.code(f"{within} touch {path}/x")
        expect(code != 0 and "Read-only" in output, f"{path} can be written: {output}")
    service.run(f"{within} touch /var/lib/tacet/x && rm /var/lib/tacet/x")
    exposure = service.run("systemd-analyze security --no-pager tacet.service | tail -n 1")
    value = float(exposure.split(":")[1].split()[0])
    expect(value <= 1.0, exposure)
    return f"exposure {value}"


@check("stops-in-a-second-and-goes-on")
def stops(service):
    mark = service.journal.mark()
    service.run("systemctl stop tacet")
    stopped = service.journal.wait("stopping", mark)
    took = int(service.show("InactiveEnterTimestampMonotonic")) - int(service.show("ActiveExitTimestampMonotonic"))
    expect(service.show("Result") == "success", service.show("Result"))
    position = service.saved()
    service.run("systemctl start tacet")
    resumes(service.journal.wait("started", mark), service, position)
    return f"stopped in {took / 1e6:.2f} s; ‘{stopped['MESSAGE']}’"


@check("killed-daemon-goes-on")
def killed(service):
    position, mark = service.saved_position(), service.journal.mark()
    service.run(f"kill -9 {service.pid()}")
    began = service.journal.wait("started", mark)
    resumes(began, service, position)
    return f"‘{began['MESSAGE']}’"


def resumes(began, service, position):
    """Checks that the music resumes at the saved position, or at most a second later, because it continued to play
    after the save."""
    near(service.position(began), position, 1, "where it resumes, s")


@check("bad-configuration-starts-with-the-last-good-one")
def degraded(service):
    """The service starts. The journal and the status name the line until it is corrected."""
    service.write(CHECK_CONF, "[Signal alarm]\nDuckLevel=loud\n")
    mark = service.journal.mark()
    try:
        service.run("systemctl restart tacet")
        message = service.journal.wait("configuration-rejected", mark)["MESSAGE"]
        expect("95-check.conf:2" in message, f"the journal does not name the line: {message}")
        status = service.show("StatusText")
        expect("degraded: the configuration of " in status and "95-check.conf:2" in status, status)
        return message.splitlines()[-1]
    finally:
        service.run(f"rm {CHECK_CONF}; systemctl reload tacet")


@check("configuration-in-run-survives-a-restart")
def in_run(service):
    """systemd removes a service's runtime folder when the service stops, so the drop-ins must be in a different
    folder."""
    folder = "/run/tacet/tacet.conf.d"
    service.write(f"{folder}/95-run.conf", "[Signal run-check]\nLine=RUN_CHECK\nEffect=ignore\n")
    try:
        for _ in range(2):
            service.run("systemctl restart tacet")
            expect("run-check" in service.run("tacet status --json"), "the drop-in is not used")
    finally:
        service.run(f"rm -rf {folder}; systemctl restart tacet")


@check("bad-configuration-is-not-started-again")
def refused(service):
    """Without an earlier configuration that worked, a restart would not help. The journal names the line."""
    service.write(CHECK_CONF, "[Signal alarm]\nDuckLevel=loud\n")
    service.run("rm -f /var/lib/tacet/configuration")
    mark = service.journal.mark()
    try:
        code, _ = service.code("systemctl restart tacet")
        expect(code != 0, "systemctl restart succeeded")
        expect(service.show("ExecMainStatus") == "78", service.show("ExecMainStatus"))
        expect(service.show("ActiveState") == "failed", service.show("ActiveState"))
        return service.journal.wait_for_text("95-check.conf:2", mark)
    finally:
        service.run(f"rm {CHECK_CONF}; systemctl reset-failed tacet")
        service.restart()


@check("reloads-are-checked-first")
def reloads(service):
    pid, mark = service.pid(), service.journal.mark()
    try:
        service.write(CHECK_CONF, "[Signal alarm]\nDuckLevel=-20dB\n")
        service.run("systemctl reload tacet")
        service.journal.wait("reloaded", mark)
        service.write(CHECK_CONF, "[Signal alarm]\nDuckLevel=loud\n")
        code, _ = service.code("systemctl reload tacet")
        message = service.journal.wait("reload-refused", mark)["MESSAGE"]
        expect(code != 0, "systemctl reload succeeded")
        expect("95-check.conf:2" in message, f"the journal does not name the line: {message}")
        expect(service.show("ActiveState") == "active", service.show("ActiveState"))
        expect(service.pid() == pid, "the service was restarted")
        return message.splitlines()[-1]
    finally:
        service.run(f"rm {CHECK_CONF}; systemctl reload tacet")


@check("who-may-do-what")
def policy(service):
    """Root and members of the `tacet` group may send commands. Anyone may read, but not send commands."""
    code, output = service.code(f"{NOBODY} tacet pause")
    expect(code == 1 and "only root and members of the group tacet" in output, f"nobody: {code}, {output}")
    expect(service.run(f"{NOBODY} tacet status --json").startswith('{"status":"Playing"'), "others cannot read it")
    group = "setpriv --reuid=65534 --regid=65534 --groups=$(getent group tacet | cut -d : -f 3)"
    expect(service.run(f"{group} tacet pause") == "Done.", "the group cannot pause")
    expect(service.run("tacet play") == "Done.", "root cannot play")
