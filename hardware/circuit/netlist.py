"""The netlist that KiCad exports from the drawings. Sheets of it can be used with single parts replaced or measured."""
import os
import re

SCHEMATIC = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "schematic")
NETLIST = os.path.join(SCHEMATIC, "tacet.cir")
MODELS = os.path.join(SCHEMATIC, "models.lib")
#: The hundreds digit of a sheet's references.
INPUT, HOLD_UP, MUTE, BELL, FRONT_END = 1, 2, 3, 5, 6


class Circuit:
    """The parts of some sheets, each with its nodes and its value or model."""

    def __init__(self, *sheets):
        self.parts, self.extra = {}, []
        with open(NETLIST, encoding="utf-8") as file:
            for line in file:
                if match := re.match(r"X?([A-Z]+(\d)\d\d) (.+)", line):
                    if int(match[2]) in sheets:
                        *nodes, value = match[3].split()
                        self.parts[match[1]] = (line.split()[0], nodes, value)

    def replace(self, reference, value):
        """Replaces a part's value or model."""
        element, nodes, _ = self.parts[reference]
        self.parts[reference] = (element, nodes, value)

    def scale(self, reference, factor):
        self.replace(reference, f"{number(self.parts[reference][2]) * factor:.6g}")

    def scale_passive(self, factor):
        """Scales each resistor and each capacitor by the factor that `factor` returns for it."""
        for reference, (element, _, _) in list(self.parts.items()):
            if element[0] in "RC":
                self.scale(reference, factor(element[0]))

    def open(self, reference, pin, resistance):
        """Interrupts the connection of a part's pin, of which this resistance remains. Pins are counted from 0."""
        element, nodes, value = self.parts[reference]
        outside = nodes[pin]
        inside = [f"o_{reference}" if index == pin else node for index, node in enumerate(nodes)]
        self.parts[reference] = (element, inside, value)
        self.extra.append(f"ROPEN_{reference} {outside} o_{reference} {resistance:g}")

    def short(self, reference, one, other, resistance):
        """Connects two pins of a part through this resistance."""
        nodes = self.nodes(reference)
        self.extra.append(f"RSHORT_{reference} {nodes[one]} {nodes[other]} {resistance:g}")

    def measure(self, reference, pin=0):
        """Inserts an ammeter before a part's pin. Its current is that of the source `VI_` with the reference."""
        element, nodes, value = self.parts[reference]
        inside = [f"i_{reference}" if index == pin else node for index, node in enumerate(nodes)]
        self.parts[reference] = (element, inside, value)
        self.extra.append(f"VI_{reference} {nodes[pin]} i_{reference} 0")

    def nodes(self, reference):
        """Returns the nodes of a part as the drawing connects them, even if an ammeter has been inserted."""
        outside = {line.split()[2]: line.split()[1] for line in self.extra if line.startswith(f"VI_{reference} ")}
        return [outside.get(node, node) for node in self.parts[reference][1]]

    def lines(self):
        return [" ".join((element, *nodes, value)) for element, nodes, value in self.parts.values()] + self.extra


def number(text):
    """Returns a value in the notation of the drawings, such as 4.7k, 10n or 1Meg."""
    match = re.fullmatch(r"([\d.]+(?:e[-+]?\d+)?)(Meg|[pnumk]?)", text)
    scale = {"": 1, "p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3, "k": 1e3, "Meg": 1e6}
    return float(match[1]) * scale[match[2]]
