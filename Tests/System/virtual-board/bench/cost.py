"""What a service costs while nothing happens."""


def cost(board, unit, seconds):
    """Returns the processor time of the main process of a unit in milliseconds per minute, its wake-ups per second, and
    its memory in MiB (PSS)."""
    process = board.run(f"systemctl show --property MainPID --value {unit}").strip()

    def used():
        times = board.run(f"cat /proc/{process}/task/*/schedstat").splitlines()
        wakeups = board.run(f"awk '/^voluntary_ctxt_switches/ {{ n += $2 }} END {{ print n }}' /proc/{process}/task/*/status")
        return sum(int(line.split()[0]) for line in times), int(wakeups)

    before = used()
    # The figures are differences between the start and the end of the measurement.
    board.run(f"sleep {seconds}", timeout=seconds + 60)
    time, wakeups = (end - start for start, end in zip(before, used()))
    rollup = board.run(f"cat /proc/{process}/smaps_rollup")
    memory = next(int(line.split()[1]) / 1024 for line in rollup.splitlines() if line.startswith("Pss:"))
    return time / 1e6 * 60 / seconds, wakeups / seconds, memory
