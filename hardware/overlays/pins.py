"""The pins of the lines on a Raspberry Pi's header, and the checks that all documents state these pins, and that no board
in boards.csv uses them, except for the boards that README.md names."""

import csv
import io
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]

# The name of each line and its resistor, by the number of the GPIO. `draft` has the same table, because it is installed
# without this file. README.md gives the reason for each pin.
LINES = {
    7: ("POWER_FAIL", "up"),
    9: ("PLAY_PAUSE", "up"),
    12: ("PHONE_CALL", "up"),
    13: ("ALARM", "up"),
    16: ("COVER_CLOSED", "down"),
    26: ("AMPLIFIER", "down"),
}
# The pin of the header for each GPIO, in the order of their numbers.
HEADER = dict(enumerate([27, 28, 3, 5, 7, 29, 31, 26, 24, 21, 19, 23, 32, 33, 8, 10, 36, 11, 12, 35, 38, 40, 15, 16, 18,
                         22, 37, 13]))
# The names of two pins in the device trees of the Raspberry Pi 3 and 4.
SPI_NAMES = {"SPI_MISO": 9, "SPI_CE1_N": 7}
GROUND, VOLTS_3V3 = {6, 9, 14, 20, 25, 30, 34, 39}, {1, 17}
# After a reset, the pins 0 to 8 have a pull-up, and the others a pull-down (RPi-Distro/raspi-gpio: raspi-gpio.c).
PULLED_UP_AT_RESET = range(9)
# What boards.csv states about a row's source: it was read in a repository at a commit, read on a page, or not read.
STATUSES = {"read": r"[\w.-]+/[\w.-]+:[^:]+", "page": r"https?://\S+", "unverified": r".+"}

README, CSV = "hardware/overlays/README.md", "hardware/overlays/boards.csv"
BRINGUP, SCHEMATIC = "hardware/BRINGUP.md", "hardware/schematic/README.md"
VENDOR, MANUAL = "deploy/tacet.conf", "deploy/man/tacet.conf.5"
FILES = [README, CSV, BRINGUP, SCHEMATIC, VENDOR, MANUAL, "README.md", "deploy/README.md"]


def texts():
    """Returns the files without the backslashes that a manual page needs."""
    return {name: (ROOT / name).read_text().replace("\\-", "-") for name in FILES}


def mistakes(files):
    """Returns everything that is wrong in these texts, which are listed by the path of their file."""
    found = []
    for check in (
        check_boards, check_resets, check_headers, check_table, check_firmware, check_bringup, check_schematic,
        check_contacts, check_examples, check_vendor,
    ):  # fmt: skip
        found += check(files)
    return found


def pin_of(name):
    return next(number for number, (line, _) in LINES.items() if line == name)


def used_pins(files):
    """Returns the pins that each board in boards.csv uses."""
    boards = {}
    for row in csv.DictReader(io.StringIO(files[CSV])):
        boards.setdefault(row["board"], set()).update({int(row["pin"])} if row["pin"] else set())
    return boards


def unverified(files):
    """Returns the boards for which the source of a row could not be read."""
    rows = csv.DictReader(io.StringIO(files[CSV]))
    return sorted({row["board"] for row in rows if row["status"] == "unverified"})


def exceptions(files):
    """Returns the pins of each board that README.md names as an exception."""
    section = files[README].partition("## Boards that use the same pins")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| ([\d, ]+) \|", section, re.MULTILINE)
    return {board: {int(pin) for pin in pins.split(",")} for board, pins in rows}


def check_boards(files):
    found, excepted = [], exceptions(files)
    for number, row in enumerate(csv.DictReader(io.StringIO(files[CSV])), 2):
        shape = STATUSES.get(row["status"])
        if not shape or not re.fullmatch(shape, row["source"]):
            found.append(f"{CSV}:{number}: the source does not fit the status ‘{row['status']}’")
        if (row["status"] == "read") != bool(re.fullmatch("[0-9a-f]{40}", row["commit"] or "")):
            found.append(f"{CSV}:{number}: a row needs a commit if and only if its status is ‘read’")
    for board, pins in used_pins(files).items():
        collisions = pins & LINES.keys()
        if collisions and board.startswith("every "):
            found.append(f"{CSV}: {board} uses {sorted(collisions)}, which cannot be an exception")
        elif collisions != excepted.pop(board, set()):
            found.append(f"{README}: {board} uses {sorted(collisions)}, but the exceptions state other pins")
    return found + [f"{README}: {board} is an exception, but not in boards.csv" for board in excepted]


def check_resets(_files):
    """Checks the two lines whose level matters before the kernel sets the resistors: the amplifier must be off, and the
    supply must not seem to have failed."""
    return [
        f"{name} must be pulled {pull} from the reset on, but GPIO{pin_of(name)} is not"
        for name, pull in (("AMPLIFIER", "down"), ("POWER_FAIL", "up"))
        if (pin_of(name) in PULLED_UP_AT_RESET) != (pull == "up")
    ]


def check_headers(files):
    """Checks every place where a text names both a GPIO and its pin of the header."""
    return [
        f"{name}: GPIO{number} is not pin {pin} of the header, but pin {HEADER.get(int(number))}"
        for name, text in files.items()
        for number, pin in re.findall(r"GPIO(\d+)(?:,? \(?)(?:pin|header) (\d+)", text)
        if HEADER.get(int(number)) != int(pin)
    ]


def check_table(files):
    rows = re.findall(r"^\| `(\w+)`[^|]*\| GPIO(\d+), pin \d+ \|[^|]*\| pull-(\w+)", files[README], re.MULTILINE)
    stated = {int(number): (name, pull) for name, number, pull in rows}
    return [] if stated == LINES else [f"{README}: the table states {stated}"]


def check_firmware(files):
    """Checks the settings for config.txt, which apply the resistors before the kernel starts."""
    stated = {int(pin): pull for pins, pull in re.findall(r"`gpio=([\d,]+)=ip,p(\w)`", files[README])
              for pin in pins.split(",")}  # fmt: skip
    expected = {number: pull[0] for number, (_, pull) in LINES.items()}
    return [] if stated == expected else [f"{README}: the line for config.txt sets {stated}, not {expected}"]


def check_bringup(files):
    found, text = [], files[BRINGUP]
    steps = re.findall(r"^\| \d+ \| (call|alarm|cover) \w+ \| pin (\d+) \|", text, re.MULTILINE)
    lines = {"call": "PHONE_CALL", "alarm": "ALARM", "cover": "COVER_CLOSED"}
    for contact, name in lines.items():
        pin = HEADER[pin_of(name)]
        if {int(number) for what, number in steps if what == contact} != {pin}:
            found.append(f"{BRINGUP}: the steps for the contact “{contact}” must measure at pin {pin}")
    for number in re.findall(r"shows `PHONE_CALL` as line (\d+)", text) or ["?"]:
        if number != str(pin_of("PHONE_CALL")):
            found.append(f"{BRINGUP}: PHONE_CALL is line {pin_of('PHONE_CALL')}, not {number}")
    ups, downs = ({HEADER[n] for n, (name, p) in LINES.items() if p == pull and name in lines.values()}
                  for pull in ("up", "down"))  # fmt: skip
    for pins, what in ((ups, "with an overlay, nothing connected: pins "), (downs, "pin ")):
        if not any(what + " and ".join(map(str, order)) + " |" in text for order in (sorted(pins), sorted(pins)[::-1])):
            found.append(f"{BRINGUP}: no step measures {what}{sorted(pins)}")
    return found


def check_schematic(files):
    """Checks the pin table of the drawings. Any of the contacts may have an input sheet."""
    rows = re.findall(r"^\| GPIO(\d+) \(header \d+\) \| ([^;|]+)", files[SCHEMATIC], re.MULTILINE)
    stated = {what.strip(): int(number) for number, what in rows}
    expected = {
        "any signal of the vehicle": pin_of("PHONE_CALL"), "power failure": pin_of("POWER_FAIL"),
        "amplifier enable": pin_of("AMPLIFIER"),
    }  # fmt: skip
    wrong = {what: number for what, number in expected.items() if stated.get(what) != number}
    return [f"{SCHEMATIC}: {what} must be GPIO{number}" for what, number in wrong.items()]


def check_contacts(files):
    """Checks the contacts of the first steps in README.md, and the pin of their other wire."""
    found = []
    contacts = re.findall(r"^ +([a-z-]+) +GPIO(\d+) \(pin \d+\) and (\S+)(?: V)? \(pin (\d+)\)", files["README.md"], re.M)
    if len(contacts) != 3:
        found.append(f"README.md: found {len(contacts)} contacts, not 3")
    for signal, number, other, pin in contacts:
        name = signal.upper().replace("-", "_")
        line, pull = LINES.get(int(number), ("", ""))
        if line != name:
            found.append(f"README.md: {signal} is on GPIO{number}, but the overlays have another line")
        if int(pin) not in (GROUND if pull == "up" else VOLTS_3V3):
            found.append(f"README.md: {signal} goes to {other}, which is not pin {pin}")
    return found


def check_examples(files):
    """Checks the sections with `Line=GPIO…` in the documents."""
    found = []
    for name, text in files.items():
        sections = re.findall(r"\[(?:Signal|Button|Output) ([a-z-]+)\]((?:\n *[A-Z]\w*=.*)+)", text)
        for signal, keys in sections:
            found_line = re.search(r"^ *Line=(?:GPIO(\d+)|(SPI_\w+))$", keys, re.MULTILINE)
            line = signal.upper().replace("-", "_")
            if found_line and line in {known for known, _ in LINES.values()}:
                number = SPI_NAMES.get(found_line[2]) or int(found_line[1] or -1)
                if number != pin_of(line):
                    found.append(f"{name}: {signal} has {found_line[0].strip()}, but must have GPIO{pin_of(line)}")
    return found


def check_vendor(files):
    """Checks that the vendor file and the overlays have the same names. POWER_FAIL is only for boards with a hold-up
    supply, so the vendor file does not have it."""
    names = set(re.findall(r"^#?Line=(\w+)$", files[VENDOR], re.MULTILINE))
    expected = {name for name, _ in LINES.values()} - {"POWER_FAIL"}
    return [] if names == expected else [f"{VENDOR}: its lines are {sorted(names)}, not {sorted(expected)}"]


# Mistakes that the checks must find: the file, and a text in it with its replacement.
MISTAKES = [
    (CSV, "every HAT,,2,", "every HAT,,12,"),
    (CSV, "hifiberry-amp100,17,", "hifiberry-amp100,26,"),
    (CSV, "7adced806b67a002aaf72a56c801b1d281f76bf3", "unknown"),
    (CSV, ",unverified,", ",read,"),
    (README, "| CarPiHAT | 7, 9, 12, 13 |", "| CarPiHAT | 7, 9, 12 |"),
    (README, "| GPIO13, pin 33 |", "| GPIO13, pin 32 |"),
    (README, "| `ALARM` | GPIO13, pin 33", "| `ALARM` | GPIO17, pin 11"),
    (README, "`gpio=16,26=ip,pd`", "`gpio=16,24=ip,pd`"),
    (BRINGUP, "| call open | pin 32 |", "| call open | pin 11 |"),
    (BRINGUP, "shows `PHONE_CALL` as line 12", "shows `PHONE_CALL` as line 17"),
    (BRINGUP, "pins 32 and 33 |", "pins 11 and 13 |"),
    (SCHEMATIC, "| GPIO26 (header 37) | amplifier enable", "| GPIO24 (header 18) | amplifier enable"),
    (SCHEMATIC, "| GPIO7 (header 26) | power failure", "| GPIO7 (header 22) | power failure"),
    ("README.md", "GPIO12 (pin 32) and ground (pin 30)", "GPIO12 (pin 32) and ground (pin 31)"),
    ("README.md", "cover-closed   GPIO16 (pin 36)", "cover-closed   GPIO22 (pin 15)"),
    ("README.md", "Line=GPIO13", "Line=GPIO27"),
    ("deploy/README.md", "Line=GPIO12", "Line=GPIO17"),
    (MANUAL, "Line=SPI_MISO", "Line=SPI_CE1_N"),
    (VENDOR, "Line=PHONE_CALL", "Line=PHONE"),
]


def undetected():
    """Returns the mistakes that the checks would not find, and those that cannot be made because a text has changed."""
    missed = []
    for name, text, replacement in MISTAKES:
        files = texts()
        if text not in files[name]:
            missed.append(f"{name} no longer contains ‘{text}’, so this mistake cannot be made")
            continue
        files[name] = files[name].replace(text, replacement, 1)
        if not mistakes(files):
            missed.append(f"{name}: ‘{replacement}’ instead of ‘{text}’ is not detected")
    return missed
