"""Finds the pins of a chip that enabled devices in a compiled device tree use, as `tacet check` does on a board."""

import re
import struct

BEGIN_NODE, END_NODE, PROPERTY, NOTHING = 1, 2, 3, 4


def parse(blob):
    """Returns the properties of each node by its path. The format is that of the Devicetree Specification."""
    _, _, structure, strings = struct.unpack_from(">4I", blob)
    nodes, path, at = {}, [], structure
    while True:
        (token,) = struct.unpack_from(">I", blob, at)
        at += 4
        if token == BEGIN_NODE:
            end = blob.index(b"\0", at)
            path.append(blob[at:end].decode())
            nodes["/".join(path)] = {}
            at = end + 4 - end % 4
        elif token == PROPERTY:
            size, name = struct.unpack_from(">2I", blob, at)
            key = blob[strings + name : blob.index(b"\0", strings + name)].decode()
            nodes["/".join(path)][key] = blob[at + 8 : at + 8 + size]
            at += 8 + size + -size % 4
        elif token == END_NODE:
            path.pop()
        elif token != NOTHING:
            return nodes


def cells(value):
    return struct.unpack(f">{len(value) // 4}I", value)


def used(blob, chip):
    """Returns the users of the pins, by the pin."""
    nodes = parse(blob)
    owners = {cells(values["phandle"])[0]: path for path, values in nodes.items() if "phandle" in values}
    users = {}
    for path, values in nodes.items():
        # These nodes only list the labels, parameters and aliases of other nodes.
        if path.startswith(("/__", "/aliases")) or not is_enabled(nodes, path):
            continue
        for key, value in values.items():
            if re.fullmatch(r"(.*-)?gpios?", key) and not re.fullmatch(r"(.*,)?nr-gpios", key):
                pins = lines(value, values, nodes, owners, chip)
            elif re.fullmatch(r"pinctrl-\d+", key):
                pins = [pin for group in map(owners.get, cells(value)) for pin in pins_of(nodes, group, chip)]
            else:
                continue
            users |= {pin: f"{path} ({key})" for pin in pins}
    return users


def is_enabled(nodes, path):
    parts = path.split("/")
    statuses = [nodes["/".join(parts[: length + 1])].get("status", b"okay\0") for length in range(len(parts))]
    return all(status in (b"okay\0", b"ok\0") for status in statuses)


def lines(value, values, nodes, owners, chip):
    """Returns the lines of a chip in a list of lines. A hog's list does not name the chip."""
    rest, found = list(cells(value)), []
    while rest:
        owner = chip if "gpio-hog" in values else owners[rest.pop(0)]
        size = cells(nodes[owner]["#gpio-cells"])[0]
        found += rest[:1] if owner == chip else []
        del rest[:size]
    return found


def pins_of(nodes, group, chip):
    """Returns the pins of a group of pin settings, except those of our own group, which only sets resistors."""
    if not group or group.rpartition("/")[0] != chip or group.endswith("/tacet-lines"):
        return []
    parts = [values for path, values in nodes.items() if path == group or path.startswith(group + "/")]
    named = [int(name[4:]) for values in parts for name in values.get("pins", b"").decode().split("\0") if "gpio" in name]
    return named + [pin for values in parts for pin in cells(values.get("brcm,pins", b""))]
