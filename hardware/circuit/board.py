"""The circuit board: KiCad's checks and exports, and checks of the board's file that do not require KiCad."""
import fnmatch
import hashlib
import json
import math
import os
import re
import shutil
import subprocess
import tempfile

from circuit.netlist import SCHEMATIC

HERE = os.path.dirname(os.path.abspath(__file__))
BOARD, PROJECT, RULES = "tacet.kicad_pcb", "tacet.kicad_pro", "tacet.kicad_dru"
#: The digests of the files for the board's maker.
SUMS = "board.sha256"
VIEWS = ("board-top.png", "board-bottom.png")
#: The connectors of isolated wires, with the classes of the nets on their side of the barrier.
ISOLATED = {"J101": {"Field", "FieldHigh"}, "J501": {"Bell", "BellHigh"}}
#: The parts that bridge a barrier.
BRIDGES = {"C103", "C505", "C506", "R108", "U101", "U102", "U501"}


def text(name=BOARD):
    with open(os.path.join(SCHEMATIC, name), encoding="utf-8") as file:
        return file.read()


def pads(board):
    """Returns the net of each connected pad for each part, as {reference: {pad: net}}. Mounting holes are not parts."""
    found = {}
    for part in board.split("\n\t(footprint ")[1:]:
        reference = re.search(r'"Reference" "([^"]+)"', part)[1]
        if reference.startswith("H"):
            continue
        found[reference] = {}
        for pad in part.split('\n\t\t(pad "')[1:]:
            if net := re.search(r'\(net \d+ "([^"]+)"\)', pad.split("\n\t\t)")[0]):
                found[reference][pad.split('"')[0]] = net[1]
    return found


def unlike_netlist(board, netlist):
    """Returns the parts that have other nets on the board than in the netlist that is simulated. The netlist has the
    models' order of pins, so only KiCad can compare each pin."""
    drawn = {}
    for line in netlist.splitlines():
        if re.match(r"[A-Z]", line):
            name, *nodes = line.split()
            drawn[name[1:] if name[0] == "X" else name] = set(nodes[:-1])
    made = {reference: {_node(net) for net in nets.values()} for reference, nets in pads(board).items() if not reference.startswith("J")}
    return [f"{name} has other nets on the board than in the netlist" for name in sorted(drawn.keys() | made.keys()) if drawn.get(name) != made.get(name)]


def unlike_classes(board, project):
    """Returns the nets whose class is that of another side of a barrier. The nets of an isolated side are those that a
    chain of parts connects to its connector, except parts that bridge the barrier."""
    parts = pads(board)
    every = {net for nets in parts.values() for net in nets.values()}
    rules = json.loads(project)["net_settings"]["netclass_patterns"]
    found = []
    for connector, classes in ISOLATED.items():
        isolated = _connected(parts, connector)
        marked = {net for net in every for rule in rules if rule["netclass"] in classes and fnmatch.fnmatchcase(net, rule["pattern"])}
        found += [f"{net} is {'' if net in isolated else 'not '}connected to {connector}, unlike its net class says" for net in sorted(isolated ^ marked)]
    return found


def _connected(parts, connector):
    """Returns the nets that a chain of parts connects to a connector."""
    reached = set(parts[connector].values())
    others = {name: set(nets.values()) for name, nets in parts.items() if name not in BRIDGES}
    while found := [name for name, nets in others.items() if nets & reached]:
        for name in found:
            reached |= others.pop(name)
    return reached


def faults():
    """Returns the faults of the board's file that can be found without KiCad."""
    return unlike_netlist(text(), text("tacet.cir")) + unlike_classes(text(), text(PROJECT)) + undetected()


def undetected():
    """Returns the deliberate faults that the checks above do not find."""
    tried = {
        "a pad of R106 with another net": unlike_netlist(_other_net(text(), "R106", "/GPIO12", "/GPIO7"), text("tacet.cir")),
        "a net of the field wires without its class": unlike_classes(text(), text(PROJECT).replace('"/Input/LED"', '"/Input/LEG"')),
        "another part that bridges the barrier": unlike_classes(_other_net(text(), "R104", "/Input/IN_N", "GND"), text(PROJECT)),
    }
    return [f"{name} is not detected" for name, found in tried.items() if not found]


def export(folder):
    """Makes KiCad check the board, and export the files for its maker to the subfolder `made`."""
    subprocess.run([os.path.join(HERE, "kicad.sh"), "board", folder], check=True)
    made = os.path.join(folder, "made")
    with open(os.path.join(folder, SUMS), "w", encoding="utf-8") as file:
        for name in sorted(os.listdir(made)):
            file.write(f"{_digest(os.path.join(made, name))}  {name}\n")


def compare():
    """Returns the files for the board's maker that differ from the committed digests, and keeps the files."""
    with tempfile.TemporaryDirectory(prefix="tacet-board-") as folder:
        export(folder)
        kept = os.path.join(HERE, "..", "..", ".build", "hardware", "board")
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(os.path.join(folder, "made"), kept)
        with open(os.path.join(folder, SUMS), encoding="utf-8") as file:
            made = set(file.read().splitlines())
    return sorted({line.split()[1] for line in made ^ set(text(SUMS).splitlines())})


def renew():
    """Replaces the committed digests and views."""
    with tempfile.TemporaryDirectory(prefix="tacet-board-") as folder:
        export(folder)
        for name in (SUMS, *VIEWS):
            shutil.copyfile(os.path.join(folder, name), os.path.join(SCHEMATIC, name))


def undetected_by_kicad():
    """Returns the deliberate faults of the board that KiCad's checks do not report."""
    tried = {
        "a moved track": (_moved_track(text(), "/GPIO26", 1.0), "unconnected_items"),
        "a track in the barrier of the field wires": (_moved_track(text(), "/Input/LED", 8.0), "rule 'barrier of the field wires'"),
        "a track in the barrier of the bell": (_moved_track(text(), "/Bell/RETURN", 25.0), "rule 'barrier of the bell'"),
        "a pad with another net": (_other_net(text(), "R106", "/GPIO12", "/GPIO7"), "net_conflict"),
    }
    return [f"KiCad does not report {name}" for name, (board, expected) in tried.items() if expected not in _report(board)]


def _report(board):
    """Returns KiCad's report about a changed board, or nothing if KiCad accepts it."""
    with tempfile.TemporaryDirectory(prefix="tacet-board-") as folder:
        for name in os.listdir(SCHEMATIC):
            if ".kicad_" in name or name.endswith("-lib-table"):
                shutil.copyfile(os.path.join(SCHEMATIC, name), os.path.join(folder, name))
        with open(os.path.join(folder, BOARD), "w", encoding="utf-8") as file:
            file.write(board)
        accepted = subprocess.run([os.path.join(HERE, "kicad.sh"), "rules", folder], check=False, stdout=subprocess.DEVNULL).returncode == 0
        with open(os.path.join(folder, "rules.txt"), encoding="utf-8") as file:
            return "" if accepted else file.read()


def _other_net(board, reference, net, other):
    """Returns the board with another net at the pads of a part that have this net."""
    start = board.index(f'"Reference" "{reference}"')
    end = board.index("\n\t)", start)
    number = re.search(rf'\n\t\(net (\d+) "{re.escape(other)}"\)', board)[1]
    changed = re.sub(rf'\(net \d+ "{re.escape(net)}"\)', f'(net {number} "{other}")', board[start:end])
    return board[:start] + changed + board[end:]


def _moved_track(board, net, distance):
    """Returns the board with the longest track of a net moved to the right, in mm."""
    number = re.search(rf'\n\t\(net (\d+) "{re.escape(net)}"\)', board)[1]
    tracks = re.findall(rf"\n\t\(segment\n\t\t\(start [^)]*\)\n\t\t\(end [^)]*\)(?:\n\t\t\((?!net)[^\n]*)*\n\t\t\(net {number}\)", board)
    longest = max(tracks, key=_length)
    moved = re.sub(r"\((start|end) ([\d.]+)", lambda match: f"({match[1]} {float(match[2]) + distance:.4f}", longest)
    return board.replace(longest, moved, 1)


def _length(track):
    (left, top), (right, bottom) = (map(float, point) for point in re.findall(r"(?:start|end) ([\d.]+) ([\d.]+)", track))
    return math.hypot(right - left, bottom - top)


def _node(net):
    """Returns the name that KiCad gives this net in a netlist for a simulation."""
    return re.sub(r"[(){~]+", "_", net.replace("}", ""))


def _digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()
