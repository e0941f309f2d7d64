"""KiCad's exports from the drawings, which are a netlist, parts and pictures. They are committed beside the
drawings."""
import hashlib
import os
import re
import shutil
import subprocess
import tempfile

from circuit import board
from circuit.netlist import SCHEMATIC

HERE = os.path.dirname(os.path.abspath(__file__))
#: The names that KiCad gives, and the committed ones.
EXPORTS = {
    "tacet.cir": "tacet.cir",
    "parts.csv": "parts.csv",
    "tacet.svg": "overview.svg",
    "tacet-Input.svg": "input.svg",
    "tacet-Hold-up.svg": "hold-up.svg",
    "tacet-Mute.svg": "mute.svg",
    "tacet-Front-end.svg": "front-end.svg",
    "tacet-Bell.svg": "bell.svg",
}
KEY = "exported.key"
#: The sheets whose parts have footprints. The pins of these parts have numbers, as the pads of the footprints do.
LAID_OUT = ("bell.kicad_sch", "front-end.kicad_sch", "hold-up.kicad_sch", "input.kicad_sch", "mute.kicad_sch")


def key(folder=SCHEMATIC):
    """Returns a line for the drawings and for each committed export, so that none of them changes alone."""
    sources = sorted(name for name in os.listdir(folder) if name.endswith((".kicad_sch", ".kicad_sym")))
    groups = {"drawings": sources, **{name: [name] for name in EXPORTS.values()}, "board": [board.BOARD, board.PROJECT, board.RULES], board.SUMS: [board.SUMS]}
    return "".join(f"{_digest(folder, names)}  {group}\n" for group, names in groups.items())


def stale(folder=SCHEMATIC):
    """Returns the files in a folder that do not belong to each other."""
    with open(os.path.join(folder, KEY), encoding="utf-8") as file:
        committed = file.read().splitlines()
    return [line.split()[1] for line in key(folder).splitlines() if line not in committed]


def unplaced():
    """Returns the parts of these sheets that have no footprint, and those with a pin whose name is not a number."""
    found = []
    for name in LAID_OUT:
        sheet = _read(os.path.join(SCHEMATIC, name)).decode()
        for part in sheet.split("\n(symbol (lib_id ")[1:]:
            reference = re.search(r'"Reference" "([^"]+)"', part)[1]
            # Power symbols are not parts.
            if reference.startswith("#"):
                continue
            if '"Footprint" ""' in part:
                found.append(f"{reference} has no footprint")
            if not all(pin.isdigit() for pin in re.findall(r'\(pin "(\w+)"', part)):
                found.append(f"{reference} has a pin without a number")
    return found


def export(folder):
    """Makes KiCad check and export the drawings to a folder, without dates and this machine's paths."""
    subprocess.run([os.path.join(HERE, "kicad.sh"), "export", folder], check=True)
    for made, committed in EXPORTS.items():
        with open(os.path.join(folder, made), encoding="utf-8") as file:
            text = file.read()
        text = smaller(text) if made.endswith(".svg") else re.sub(r'\.include ".*/', '.include "', text)
        with open(os.path.join(folder, f"new-{committed}"), "w", encoding="utf-8") as file:
            file.write(text)


def compare():
    """Returns the committed exports that differ from a new one."""
    with tempfile.TemporaryDirectory(prefix="tacet-drawing-") as folder:
        export(folder)
        _keep(os.path.join(folder, "tacet.pdf"))
        return [name for name in EXPORTS.values() if _read(os.path.join(folder, f"new-{name}")) != _read(os.path.join(SCHEMATIC, name))]


def renew():
    """Replaces the committed exports."""
    with tempfile.TemporaryDirectory(prefix="tacet-drawing-") as folder:
        export(folder)
        for name in EXPORTS.values():
            shutil.copyfile(os.path.join(folder, f"new-{name}"), os.path.join(SCHEMATIC, name))
    board.renew()
    with open(os.path.join(SCHEMATIC, KEY), "w", encoding="utf-8") as file:
        file.write(key())


def smaller(svg):
    """Removes the date and the invisible copy of each text, rounds numbers, and joins the strokes of a letter. A fifth
    of the file remains."""
    svg = re.sub(r"<title>.*?</title>\s*|<desc>.*?</desc>|<text[^>]*opacity=\"0\".*?</text>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"(-?\d+)\.(\d\d)\d*", lambda match: f"{match[1]}.{match[2]}".rstrip("0").rstrip("."), svg)
    svg = re.sub(r"\s*\n\s*", "\n", svg)
    svg = re.sub(r'<path d="([^"]*)" />', lambda match: '<path d="' + match[1].replace("\n", "") + '" />', svg)
    while True:
        joined = re.sub(r'(<path d="[^"]*)" />\n<path d="([^"]*" />)', r"\1\2", svg)
        if joined == svg:
            break
        svg = joined
    # A stroke that begins where the last one ended continues it.
    svg = re.sub(r"([ML])([\d.-]+ [\d.-]+)(?=M)", r"\1\2 ", svg)
    before = None
    while svg != before:
        before, svg = svg, re.sub(r"([ML])([\d.-]+ [\d.-]+) M\2L", r"\1\2 L", svg)
    return svg.replace(" L", "L").replace(" M", "M")


def _digest(folder, names):
    digest = hashlib.sha256()
    for name in names:
        digest.update(_read(os.path.join(folder, name)))
    return digest.hexdigest()[:16]


def _read(path):
    with open(path, "rb") as file:
        return file.read()


def _keep(pdf):
    """Copies the drawings as a PDF to the folder for build results."""
    folder = os.path.join(HERE, "..", "..", ".build", "hardware")
    os.makedirs(folder, exist_ok=True)
    shutil.copyfile(pdf, os.path.join(folder, "tacet.pdf"))
