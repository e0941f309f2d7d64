"""The connection to a fleet's broker as a service: its unit, its user and its sandbox, with mosquitto in the container."""
from bench.check import check, expect

CONF = "/etc/tacet/mqtt.conf.d/50-fleet.conf"


def wait_for(service, condition):
    """Waits until a command of the shell succeeds."""
    service.run(f"for turn in $(seq 300); do {condition} && exit 0; sleep 0.1; done; exit 1")


def ask(service, command):
    """Sends a command through the broker, and returns the answer."""
    return service.run(f"mosquitto_rr -h 127.0.0.1 -V 5 -q 1 -W 20 -t tacet/b/command -e desk/answer -m '{command}'")


@check("fleet-service-obeys-and-reports")
def fleet(service):
    service.run(f"mkdir -p $(dirname {CONF}); printf '[Broker]\\nHost=127.0.0.1\\n[Board]\\nName=b\\n' >{CONF}")
    try:
        service.run("systemctl start mosquitto tacet-mqtt")
        wait_for(service, "[ -e /run/tacet-mqtt/problems ] && mosquitto_sub -h 127.0.0.1 -W 1 -C 1 -t tacet/b/availability | grep -q online")
        answer = ask(service, "pause")
        expect('"answer":"success"' in answer, answer)
        expect("paused" in service.show("StatusText"), service.show("StatusText"))
        expect('"answer":"success"' in ask(service, "play"), "play was not obeyed")
        user = service.run("ps -o user:20= -C tacet-mqtt").strip()
        expect(user == "tacet-mqtt", f"it runs as {user}")
        # Without these calls it could not ask whether the clock is synchronised.
        calls = service.run("systemctl show --property SystemCallFilter --value tacet-mqtt").split()
        expect({"adjtimex", "clock_adjtime"} <= set(calls), f"the sandbox denies adjtimex: {calls}")
        service.run("systemctl stop mosquitto")
        wait_for(service, "grep -q 'broker 127.0.0.1:1883' /run/tacet-mqtt/problems")
        _, health = service.code("tacet health")
        expect("the broker 127.0.0.1:1883" in health, health)
        exposure = service.run("systemd-analyze security --no-pager tacet-mqtt.service | tail -n 1").strip()
        return f"‘{answer.strip()}’; without the broker: ‘{health.strip()}’; {exposure}"
    finally:
        service.run(f"systemctl stop tacet-mqtt mosquitto; rm -f {CONF}")
