"""The `Debounce=` of the files that are shipped. Each must be longer than the time for which a pulse disturbs the input.

A power failure is not read through the input. U203 compares the supply voltage on the board, so no pulse of a wire
reaches that line, and a checkpoint must not wait."""
import os
import re

REPOSITORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
FOLDERS = ("deploy", "hardware")
#: The defaults are in the manual.
MANUAL = os.path.join(REPOSITORY, "deploy", "man", "tacet.conf.5")
POWER_FAILURE = "Effect=checkpoint"
#: The sections with lines that a wire may connect with the input.
SECTION = re.compile(r"\[(?:Signal|Button) .*\]")
UNITS = {"ms": 1, "s": 1e3}


def shipped():
    """Yields (file and section, milliseconds) for each line of a signal or button in a configuration, and for each
    `Debounce=` in a drawing or a page."""
    for path in files():
        with open(path, encoding="utf-8") as file:
            text = file.read()
        name = os.path.relpath(path, REPOSITORY)
        found = sections(text) if path.endswith(".conf") else quoted(text)
        yield from ((f"{name}, {where}", milliseconds) for where, milliseconds in found)


def files():
    for folder in FOLDERS:
        for parent, _, names in os.walk(os.path.join(REPOSITORY, folder)):
            yield from (os.path.join(parent, name) for name in sorted(names) if name.endswith((".conf", ".md", ".kicad_sch")))


def sections(text):
    """Yields the sections of a configuration that read a line."""
    for section in re.split(r"^(?=\[)", text, flags=re.MULTILINE):
        title, *lines = section.splitlines() or [""]
        settings = dict(line.split("=", 1) for line in lines if re.match(r"\w+=", line))
        if SECTION.match(title) and settings.get("Line") and settings.get("Effect") != "checkpoint":
            yield title, milliseconds(settings["Debounce"]) if "Debounce" in settings else default()


def quoted(text):
    """Yields each `Debounce=` of a page or of a drawing's text, except that of a power failure."""
    for line in text.replace("\\n", "\n").splitlines():
        if POWER_FAILURE not in line:
            yield from ((match[0], milliseconds(match[1])) for match in re.finditer(r"\bDebounce=([\d.]+\w+)", line))


def default():
    with open(MANUAL, encoding="utf-8") as file:
        text = file.read()
    described = re.search(r"\.BR Debounce =\n.*?Defaults to (\d+\w+)", text)
    return milliseconds(described[1])


def milliseconds(text):
    number, unit = re.fullmatch(r"([\d.]+) ?(ms|s)", text).groups()
    return float(number) * UNITS[unit]
