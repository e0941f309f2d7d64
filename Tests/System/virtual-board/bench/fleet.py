"""tacet-mqtt beside the broker of a board or a container."""

CONF = "/etc/tacet/mqtt.conf.d/50-fleet.conf"


def connect(board):
    """Configures the board as `b`, and waits until it is connected to mosquitto."""
    board.run(
        f"mkdir -p $(dirname {CONF}); printf '[Broker]\\nHost=127.0.0.1\\n[Board]\\nName=b\\n' >{CONF};"
        "systemctl start mosquitto tacet-mqtt"
    )
    wait_for(
        board,
        "[ -e /run/tacet-mqtt/problems ] &&"
        " mosquitto_sub -h 127.0.0.1 -W 1 -C 1 -t tacet/b/availability | grep -q online",
    )


def disconnect(board):
    board.run(f"systemctl stop tacet-mqtt mosquitto; rm -f {CONF}")


def wait_for(board, condition):
    """Waits until a command of the shell succeeds."""
    board.run(f"for turn in $(seq 300); do {condition} && exit 0; sleep 0.1; done; exit 1")


def cost(board, seconds):
    """Returns the processor time in milliseconds per minute, and the memory in MiB (PSS), that tacet-mqtt uses while
    nothing happens."""
    process = board.run("systemctl show --property MainPID --value tacet-mqtt").strip()

    def used():
        return sum(int(line.split()[0]) for line in board.run(f"cat /proc/{process}/task/*/schedstat").splitlines())

    before = used()
    # The figures are differences between the start and the end of the measurement.
    board.run(f"sleep {seconds}", timeout=seconds + 60)
    spent = (used() - before) / 1e6 * 60 / seconds
    rollup = board.run(f"cat /proc/{process}/smaps_rollup")
    return spent, next(int(line.split()[1]) / 1024 for line in rollup.splitlines() if line.startswith("Pss:"))
