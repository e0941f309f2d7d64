"""Lines whose chip reports no edges, or not all of them. Such chips are an expander on an I2C bus without an interrupt,
and the processor of a Raspberry Pi, which occasionally loses an edge."""
import contextlib
import json
import statistics
import time

from bench.board import CHIP, SIMULATOR
from bench.check import check, expect
from bench.commands import CHECK_CONF

# Edges that the kernel does not report

#: The number of lines, the number of times that each one changes, and the number of edges of which one is not reported.
#: Each line has a separate chip, because Tacet reads all levels of a chip after each edge that is reported.
WIDTH, ROUNDS, SWALLOW = 25, 12, 10
#: The time in seconds within which Tacet finds the first edges that were lost, and the later ones. It looks for the later
#: ones every second, and a slow emulator needs as long again for the 22 edges that are reported at the same time. (It
#: would find each of them after more than 3.2 s if it continued to look every five seconds.)
FIRST, LATER = 5.8, 3.2


def signal(name, chip, more=""):
    return (
        f"[Signal {name}]\nChip={chip}\nOffset=0\nBias=as-is\nEffect=ignore\nDebounce=1ms\nReleaseDelay=0s\n"
        f"ChatterLimit=100\n{more}"
    )


def asserted(board):
    """Returns the signals of the swarm that are asserted."""
    signals = json.loads(board.run("tacet status --json"))["signals"]
    return {one["name"] for one in signals if one["name"].startswith("swarm") and one["state"] != "deasserted"}


@check("edges-that-the-kernel-loses-are-repaired", minutes=0.7)
def repaired(board):
    names = [f"swarm{number}" for number in range(WIDTH)]
    board.run(f"for name in {' '.join(names)}; do {CHIP} make $name -; done")
    try:
        with board.configured("".join(signal(name, name) for name in names)):
            mark = board.journal.mark()
            before = json.loads(board.run("tacet status --json"))["repaired_edges"]
            board.run(f"echo 0 >{SIMULATOR}/swallowed; echo {SWALLOW} >{SIMULATOR}/swallow")
            pulls, wrong = [], 0
            for turn in range(ROUNDS):
                # At this time, the lines have been in their levels for long enough to have been read again.
                way = "down" if turn % 2 else "up"
                pulls += board.pull(*(word for name in names for word in (f"{name}:0", way)))
                started = time.monotonic()
                wanted = set() if turn % 2 else set(names)
                wrong += len(asserted(board) ^ wanted)
                while missed := asserted(board) ^ wanted:
                    expect(
                        time.monotonic() < started + 10,
                        f"{len(missed)} of {WIDTH} levels are wrong 10 s after their edges were lost",
                    )
                    time.sleep(0.05)
            swallowed = int(board.run(f"cat {SIMULATOR}/swallowed"))
            repaired = json.loads(board.run("tacet status --json"))["repaired_edges"] - before
            entries = board.journal.wait_for_count(swallowed, "edge-lost", mark)
            delays = []
            for entry in entries:
                # The entry is about the last pull of its line before it.
                written, wire = int(entry["__MONOTONIC_TIMESTAMP"]) * 1000, entry["TACET_SIGNAL"] + ":0"
                delays.append((written - max(pull[0] for pull in pulls if pull[1] == wire and pull[0] < written)) / 1e9)
            # The first edges are lost in the same turn, so they are found together.
            first = delays[: -(-WIDTH // SWALLOW)]
            later = delays[len(first) :]
            text = (
                f"{WIDTH * ROUNDS} edges, {swallowed} not reported, {repaired} repaired ({wrong} levels were still wrong "
                f"at the first look), the first after {max(first):.2f} s, the later ones after "
                f"{statistics.median(later):.2f} s (at most {max(later):.2f} s)"
            )
            expect(swallowed == WIDTH * ROUNDS // SWALLOW and repaired == len(entries) == swallowed, text)
            expect(max(first) <= FIRST and max(later) <= LATER, text)
            return text
    finally:
        drop = f"for name in {' '.join(names)}; do {CHIP} drop $name; done"
        board.run(f"echo 0 >{SIMULATOR}/swallow; {drop}", check=False)


# An expander without an interrupt

ADDRESS, INPUTS, DIRECTIONS = "0x20", 0, 3
STUB = "/sys/module/i2c_stub/parameters"
BUS = "grep -l 'SMBus stub' /sys/bus/i2c/devices/i2c-*/name | sed 's,.*/i2c-\\(.*\\)/name,\\1,'"
TOGGLES, PAUSE = 100, 83


class Expander:
    """An expander of eight lines at an I2C bus. All inputs are low."""

    def __init__(self, board):
        self.board = board
        board.run(f"modprobe -a i2c-dev gpio-pca953x; modprobe i2c-stub chip_addr={ADDRESS}")
        self.bus = board.run(BUS)
        # As after its power has been switched on, all lines are inputs.
        self.set(DIRECTIONS, 0xFF)
        self.plug()

    @property
    def conf(self):
        # The kernel names the chip after its address.
        return signal("expander", f"{self.bus}-0020", "Poll=20ms\n")

    def set(self, register, *values, pause=PAUSE):
        """Writes values to a register. Returns the time before each write in nanoseconds."""
        words = f" {pause}ms ".join(f"{register} {value}" for value in values)
        output = self.board.run(f"/usr/local/lib/board/expander {self.bus} {ADDRESS} {words}")
        return [int(line.split()[0]) for line in output.splitlines()]

    def plug(self):
        self.board.run(f"echo pca9538 {ADDRESS} >/sys/bus/i2c/devices/i2c-{self.bus}/new_device")

    def unplug(self):
        self.board.run(f"echo {ADDRESS} >/sys/bus/i2c/devices/i2c-{self.bus}/delete_device")

    def stub(self, parameter, value):
        self.board.run(f"echo {value} >{STUB}/{parameter}")


@contextlib.contextmanager
def expander(board):
    found = Expander(board)
    try:
        yield found
    finally:
        found.stub("absent", 0)
        found.stub("delay", 0)
        # Tacet must have released the chip.
        board.run(f"rm -f {CHECK_CONF}; systemctl restart tacet", check=False)
        with contextlib.suppress(Exception):
            found.unplug()
        board.run("rmmod i2c-stub", check=False)


def ticks(board, seconds=5):
    """Returns the processor time that Tacet uses, in milliseconds per second."""
    used = f"awk '{{ print $14 + $15 }}' /proc/{board.pid()}/stat"
    before, after = board.run(f"{used}; sleep {seconds}; {used}").split()
    return (int(after) - int(before)) * 10 / seconds


@check("expander-without-an-interrupt-is-polled", minutes=0.7)
def polled(board):
    quiet = ticks(board)
    with expander(board) as chip:
        mark = board.journal.mark()
        with board.configured(chip.conf):
            entry = board.journal.wait("lines-polled", mark)
            expect("every 20ms" in entry["MESSAGE"], entry["MESSAGE"])
            _, listing = board.code("tacet lines")
            expect("polled every 20 ms" in listing, listing)
            busy = ticks(board)
            mark = board.journal.mark()
            # The pause is not a multiple of the interval, so that edges occur at all phases of it.
            writes = chip.set(INPUTS, *[1, 0] * (TOGGLES // 2))
            entries = board.journal.wait_for_count(TOGGLES, "signal", mark, signal="expander")
            moments = [int(entry["__MONOTONIC_TIMESTAMP"]) * 1000 for entry in entries]
            ways = [entry["TACET_ASSERTED"] for entry in entries]
            expect(ways == ["yes", "no"] * (TOGGLES // 2), f"the levels are {ways}")
            delays = sorted((event - write) / 1e6 for write, event in zip(writes, moments))
            expect(delays[0] >= 0, f"an event precedes its edge by {-delays[0]:.1f} ms")
            p50, p99 = statistics.median(delays), delays[len(delays) * 99 // 100 - 1]
            # A bus on which a transfer takes longer than the interval delays neither the music nor the other lines.
            chip.stub("delay", 50)
            start, mark = board.settle(), board.journal.mark()
            pulled = board.pull("PHONE_CALL", "up")[0][0]
            began = board.journal.wait("interruption-began", mark, signal="phone-call")
            slow = int(began["__MONOTONIC_TIMESTAMP"]) / 1000 - pulled / 1e6
            board.pull("PHONE_CALL", "down")
            board.settle()
    return (
        f"from edge to entry p50 {p50:.0f} ms, p99 {p99:.0f} ms of {TOGGLES} (Poll=20ms, Debounce=1ms); processor "
        f"{busy:.0f} ms/s, {quiet:.0f} without polling; phone-call after {slow:.0f} ms while a transfer takes 50 ms"
    )


@check("expander-disappears-for-a-second", minutes=0.5)
def returns(board):
    """It loses its power, and later its driver is unbound. Each time, there is one fault, and no edge is invented."""
    with expander(board) as chip, board.configured(chip.conf):
        times = []
        for leave, come_back in (
            (lambda: chip.stub("absent", 1), lambda: chip.stub("absent", 0)),
            (chip.unplug, chip.plug),
        ):
            mark = board.journal.mark()
            leave()
            board.journal.wait("fault", mark, signal="expander", fault="lost")
            time.sleep(1)
            back = board.journal.mark()
            come_back()
            started = time.monotonic()
            board.journal.wait("fault-cleared", back, signal="expander", timeout=30)
            times.append(time.monotonic() - started)
            faults = board.journal.since(mark, "fault", signal="expander")
            expect(len(faults) == 1, f"{len(faults)} faults for one loss")
            mark = board.journal.mark()
            chip.set(INPUTS, 1, 0)
            board.journal.wait("signal", mark, signal="expander", asserted="no")
    return f"used again after {times[0]:.1f} s without power, {times[1]:.1f} s without a driver"
