"""tacet-mqtt beside the broker of a board or a container."""

CONF = "/etc/tacet/mqtt.conf.d/50-fleet.conf"


def connect(board):
    """Configures the board as `b`, and waits until it is connected to mosquitto."""
    board.run(
        f"mkdir -p $(dirname {CONF}); printf '[Broker]\\nHost=127.0.0.1\\n[Board]\\nName=b\\n' >{CONF};"
        "systemctl start mosquitto tacet-mqtt"
    )
    board.wait_for(
        "[ -e /run/tacet-mqtt/problems ] &&"
        " mosquitto_sub -h 127.0.0.1 -W 1 -C 1 -t tacet/b/availability | grep -q online",
    )


def disconnect(board):
    board.run(f"systemctl stop tacet-mqtt mosquitto; rm -f {CONF}")
