"""Runs ngspice on a deck, and reads its results."""
import array
import bisect
import os
import re
import subprocess
import tempfile

from circuit.netlist import MODELS

#: The folder for decks and results. A simulation writes up to some megabytes, which memory takes faster than a disk.
SCRATCH = "/dev/shm" if os.path.isdir("/dev/shm") else None
#: The seconds after which a simulation counts as stuck.
LONGEST = 600


class SimulationError(Exception):
    pass


class Waves:
    """Voltages and currents over time, or over the swept source."""

    def __init__(self, path):
        with open(path, "rb") as file:
            head, _, body = file.read().partition(b"Binary:\n")
        self.names = re.findall(r"^\t\d+\t(\S+)\t", head.decode(), re.MULTILINE)
        data = array.array("d")
        data.frombytes(body)
        self.columns = {name: data[index :: len(self.names)] for index, name in enumerate(self.names)}
        self.x = self.columns[self.names[0]]

    def voltage(self, node, other="GND"):
        """Returns the voltage between two nodes, or between a node and ground."""
        plus, minus = (None if name in ("GND", "0") else self.columns[f"v({name.lower()})"] for name in (node, other))
        if plus is None:
            return [-value for value in minus] if minus else [0.0] * len(self.x)
        return [a - b for a, b in zip(plus, minus)] if minus else plus

    def current(self, source):
        return self.columns[f"i({source.lower()})"]

    def average(self, values, window):
        """Returns the largest absolute average over any window of this length that begins at a sample."""
        if len(self.x) < 2:
            return abs(values[0])
        integral = [0.0]
        for index in range(1, len(self.x)):
            step = self.x[index] - self.x[index - 1]
            integral.append(integral[-1] + (values[index] + values[index - 1]) / 2 * step)
        if self.x[-1] - self.x[0] <= window:
            return abs(integral[-1]) / window
        return max(abs(self._until(integral, at + window) - start) / window for at, start in zip(self.x, integral)
                   if at + window <= self.x[-1])

    def energy(self, power):
        """Returns the integral of a power over all samples."""
        return sum((power[index] + power[index - 1]) / 2 * (self.x[index] - self.x[index - 1]) for index in range(1, len(self.x)))

    def _until(self, integral, time):
        index = max(bisect.bisect_left(self.x, time), 1)
        share = (time - self.x[index - 1]) / (self.x[index] - self.x[index - 1] or 1)
        return integral[index - 1] + share * (integral[index] - integral[index - 1])

    def longest(self, values, condition):
        """Returns the longest uninterrupted time for which a condition held."""
        longest, since = 0.0, None
        for time, value in zip(self.x, values):
            if not condition(value):
                since = None
            else:
                since = time if since is None else since
                longest = max(longest, time - since)
        return longest

    def first(self, values, condition, after=0.0):
        """Returns the time at which a condition first holds after a given time, or None."""
        return next((time for time, value in zip(self.x, values) if time >= after and condition(value)), None)


def simulate(circuit, spread, sources, analysis, temperature=25, options=""):
    """Runs one analysis, such as "tran 1u 1m" or "dc VIN 0 36 0.1", of a circuit with these additional lines."""
    with tempfile.TemporaryDirectory(prefix="tacet-circuit-", dir=SCRATCH) as folder:
        deck, raw = os.path.join(folder, "deck.cir"), os.path.join(folder, "waves.raw")
        lines = ["Tacet", f'.include "{MODELS}"', *(f".param {name}={value:.6g}" for name, value in spread.items()),
                 *circuit.lines(), *sources, f".temp {temperature}",
                 f".options method=gear maxord=2 abstol=1e-10 {options}", f".{analysis}", ".end"]
        with open(deck, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        try:
            result = subprocess.run(["ngspice", "-b", "-r", raw, deck], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=LONGEST)
        except subprocess.TimeoutExpired as error:
            raise SimulationError(f"ngspice took longer than {LONGEST} s") from error
        output = result.stdout + result.stderr
        if result.returncode or not os.path.exists(raw) or re.search(r"aborted|singular|too small", output):
            raise SimulationError(f"ngspice failed: {output[-1500:]}")
        return Waves(raw)


def piecewise(name, plus, minus, points):
    """Returns a voltage source that follows these points: (second, volt)."""
    pairs = [f"{time:.9g} {value:.6g}" for time, value in points]
    rows = [" ".join(pairs[index : index + 8]) for index in range(0, len(pairs), 8)]
    return f"{name} {plus} {minus} PWL(" + "\n+ ".join(rows) + ")"
