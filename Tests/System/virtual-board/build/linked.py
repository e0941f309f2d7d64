#!/usr/bin/env python3
"""Copies programs and the libraries that they are linked with from a folder with unpacked packages.

usage: linked.py PACKAGES SYSTEM TARGET PROGRAM…

PACKAGES contains unpacked packages, with the programs in usr/bin. SYSTEM is a root file system whose libraries are not
copied."""
import os
import re
import shutil
import subprocess
import sys

packages, system, target, *programs = sys.argv[1:]


def libraries(root):
    """Returns the path (below the root) of each shared library, by name."""
    found = {}
    for folder, _, names in os.walk(f"{root}/usr/lib"):
        for name in names:
            if ".so" in name:
                found.setdefault(name, os.path.relpath(f"{folder}/{name}", root))
    return found


def needed(path):
    listing = subprocess.run(["readelf", "--dynamic", path], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.+)\]", listing)


def copy(path):
    """Copies a file, following links, under the name by which the loader looks for it. A library in a separate folder
    is also copied beside the others, where a maintainer's script would have made a link to it."""
    destinations = {path}
    if path.startswith("usr/lib/"):
        destinations.add("/".join([*path.split("/")[:3], os.path.basename(path)]))
    for destination in destinations:
        os.makedirs(os.path.dirname(f"{target}/{destination}"), exist_ok=True)
        shutil.copy(os.path.realpath(f"{packages}/{path}"), f"{target}/{destination}")


there, new = libraries(system), libraries(packages)
todo = [f"usr/bin/{program}" for program in programs]
done = set()
while todo:
    path = todo.pop()
    if path in done:
        continue
    done.add(path)
    copy(path)
    for name in needed(f"{packages}/{path}"):
        if name in new:
            todo.append(new[name])
        elif name not in there:
            sys.exit(f"{path} needs {name}, which no package has")
