"""The connection to a fleet's broker as a service, with its unit, user and sandbox, and with mosquitto in the
container."""
from bench.check import check, expect
from bench.cost import cost
from bench.fleet import connect, disconnect


def ask(service, command):
    """Sends a command through the broker, and returns the answer."""
    return service.run(f"mosquitto_rr -h 127.0.0.1 -V 5 -q 1 -W 20 -t tacet/b/command -e desk/answer -m '{command}'")


@check("fleet-service-obeys-and-reports")
def fleet(service):
    try:
        connect(service)
        answer = ask(service, "pause")
        expect('"answer":"success"' in answer, answer)
        expect("paused" in service.show("StatusText"), service.show("StatusText"))
        expect('"answer":"success"' in ask(service, "play"), "play was not executed")
        user = service.run("ps -o user:20= -C tacet-mqtt").strip()
        expect(user == "tacet-mqtt", f"it runs as {user}")
        # Without these calls, the service could not find out if the clock is synchronised.
        calls = service.run("systemctl show --property SystemCallFilter --value tacet-mqtt").split()
        expect({"adjtimex", "clock_adjtime"} <= set(calls), f"the sandbox denies adjtimex: {calls}")
        spent, _, memory = cost(service, "tacet-mqtt", 20)
        # A hundredth of a processor would be 600 ms. Both values are normally far below it.
        expect(spent < 600, f"idle, it takes {spent:.0f} ms of a processor per minute")
        expect(memory < 32, f"it takes {memory:.1f} MiB")
        service.run("systemctl stop mosquitto")
        service.wait_for("grep -q 'broker 127.0.0.1:1883' /run/tacet-mqtt/problems")
        _, health = service.code("tacet health")
        expect("the broker 127.0.0.1:1883" in health, health)
        exposure = service.run("systemd-analyze security --no-pager tacet-mqtt.service | tail -n 1").strip()
        return f"idle {spent:.0f} ms of a processor per minute, {memory:.1f} MiB (PSS); ‘{answer.strip()}’; without the broker: ‘{health.strip()}’; {exposure}"
    finally:
        disconnect(service)
