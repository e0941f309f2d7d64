"""The bill of materials, and the distances of a simulation from each part's limits."""
import csv
import os
import re

from circuit.netlist import SCHEMATIC, number

BILL = os.path.join(SCHEMATIC, "parts.csv")
#: Surges are averaged over 1 ms. For a resistor or suppressor, anything longer than 100 ms counts as continuous. A
#: transistor's case takes longer than 1 s to warm up.
SURGE, CONTINUOUS, CASE = 1e-3, 0.1, 1.0
HOTTEST = 85
#: The power of a resistor is rated up to 70 °C and falls to nothing at 155 °C, and that of a diode from 25 °C to 150 °C
#: (Vishay CRCW-HP e3 and BZX84 data sheets). These are the shares that remain at 85 °C.
RESISTOR_POWER, DIODE_POWER = (155 - HOTTEST) / (155 - 70), (150 - HOTTEST) / (150 - 25)
#: A ceramic capacitor is used up to this share of its voltage, except during a surge. This is our own rule.
CAPACITOR_VOLTAGE = 0.8
#: A suppressor is rated for pulses of 1 ms. It absorbs more power in a shorter pulse, namely as the square root of the
#: durations, down to 1 µs (Littelfuse SMBJ, figure 2; from memory, to be checked).
SHORTEST = 1e-6


class Measured:
    """One quantity, its limit and its unit. With `least`, the limit is the lowest allowed value."""

    def __init__(self, what, value, limit, unit, least=False):
        self.what, self.value, self.limit, self.unit, self.least = what, value, limit, unit, least

    @property
    def margin(self):
        """The distance to the limit as a share of the limit, which is negative beyond it."""
        distance = self.value - self.limit if self.least else self.limit - self.value
        return distance / abs(self.limit) if self.limit else distance

    @property
    def passed(self):
        return self.margin >= 0


def limits():
    """Returns {reference: {name of a limit: value}} as in the drawings."""
    with open(BILL, encoding="utf-8", newline="") as file:
        return {reference: {name: float(value) for name, value in re.findall(r"(\w+)=([-\d.]+)", row["Limits"])}
                for row in csv.DictReader(file) for reference in row["References"].split(",")}


def unverified():
    """Returns {reference: names of its limits} for the limits of which nobody has read the document, or for which the
    drawing names no document. Such a document has a page, and `unverified:` is followed by the other limits."""
    found = {}
    with open(BILL, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            names = re.findall(r"(\w+)=", row["Limits"])
            listed = re.search(r"unverified: ([\w, ]+)", row["Source"])
            read = re.search(r"\bpages? \w", row["Source"]) and "from memory" not in row["Source"]
            open_names = [name for name in names if not read or listed and name in listed[1].split(", ")]
            if open_names:
                found[row["References"]] = open_names
    return found


def watch(circuit):
    """Inserts the ammeters that `stress` needs. A transistor's is at its drain."""
    for reference in circuit.parts:
        if reference[0] in "DQU":
            circuit.measure(reference, 1 if reference[0] == "Q" else 0)
    return circuit


def stress(circuit, waves, table):
    """Compares each part of a circuit with its limits. Yields a `Measured` for each."""
    judges = {"R": _resistor, "C": _capacitor, "D": _diode, "Q": _transistor, "U": _isolator}
    for reference in circuit.parts:
        judge, limit = judges.get(reference[0]), table.get(reference)
        if judge and limit:
            yield from judge(reference, circuit, waves, limit)


def _resistor(reference, circuit, waves, limit):
    across = _across(circuit, reference, waves)
    resistance = number(circuit.parts[reference][2])
    power = [value * value / resistance for value in across]
    yield Measured(f"{reference} voltage", _peak(across), limit["voltage"], "V")
    yield Measured(f"{reference} power, 1 ms", waves.average(power, SURGE), limit.get("pulse", limit["power"]) * RESISTOR_POWER, "W")
    yield Measured(f"{reference} power", waves.average(power, CONTINUOUS), limit["power"] * RESISTOR_POWER, "W")


def _capacitor(reference, circuit, waves, limit):
    across = _across(circuit, reference, waves)
    yield Measured(f"{reference} voltage", _peak(across), limit["voltage"], "V")
    yield Measured(f"{reference} lasting voltage", waves.average([abs(value) for value in across], CONTINUOUS), limit["voltage"] * CAPACITOR_VOLTAGE, "V")


def _diode(reference, circuit, waves, limit):
    across, current = _across(circuit, reference, waves), waves.current(f"VI_{reference}")
    if "voltage" in limit:
        yield Measured(f"{reference} reverse voltage", max(*across, 0), limit["voltage"], "V")
    if "current" in limit:
        yield Measured(f"{reference} current", max(0, -min(current)), limit.get("surge", limit["current"]), "A")
        yield Measured(f"{reference} average current", waves.average(current, CONTINUOUS), limit["current"] * DIODE_POWER, "A")
    if "power" in limit:
        power = [volt * ampere for volt, ampere in zip(across, current)]
        if "pulse" in limit:
            peak = max(power)
            duration = max(waves.energy(power) / peak, SHORTEST) if peak > 0 else SURGE
            yield Measured(f"{reference} peak power", peak, limit["pulse"] * (SURGE / duration) ** 0.5, "W")
        yield Measured(f"{reference} power", waves.average(power, CONTINUOUS), limit["power"] * DIODE_POWER, "W")


def _transistor(reference, circuit, waves, limit):
    _, drain, source = circuit.nodes(reference)
    across = waves.voltage(drain, source)
    yield Measured(f"{reference} voltage", _peak(across), limit["voltage"], "V")
    if "thermal" not in limit:
        return
    power = [abs(volt * ampere) for volt, ampere in zip(across, waves.current(f"VI_{reference}"))]
    yield Measured(f"{reference} junction", HOTTEST + limit["thermal"] * waves.average(power, CASE), limit["junction"], "°C")


def _isolator(reference, circuit, waves, limit):
    nodes = circuit.nodes(reference)
    if "isolation" in limit:
        yield Measured(f"{reference} isolation", max(_peak(waves.voltage(node)) for node in nodes), limit["isolation"], "V")
    if "reverse" in limit:
        yield Measured(f"{reference} current", max(0, *waves.current(f"VI_{reference}")), limit["current"], "A")
        yield Measured(f"{reference} reverse", max(0, -min(waves.voltage(nodes[0], nodes[1]))), limit["reverse"], "V")


def _across(circuit, reference, waves):
    plus, minus = circuit.nodes(reference)[:2]
    return waves.voltage(plus, minus)


def _peak(values):
    return max(abs(value) for value in values)
