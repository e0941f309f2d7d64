#!/usr/bin/env python3
"""Copies programs, and the libraries that they are linked with, out of a folder with unpacked packages.

usage: linked.py PACKAGES SYSTEM TARGET PROGRAM…

PACKAGES: unpacked packages, with the programs in usr/bin. SYSTEM: a root file system; what it has is not copied."""
import os
import re
import shutil
import subprocess
import sys

packages, system, target, *programs = sys.argv[1:]


def libraries(root):
    """Name to path (below the root) of each shared library."""
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
    """Under the name by which it is looked for, whatever it links to. (A library in a folder of its own is found there
    by those that know; or a maintainer's script would have made a link to it beside the others.)"""
    places = {path}
    if path.startswith("usr/lib/"):
        places.add("/".join([*path.split("/")[:3], os.path.basename(path)]))
    for place in places:
        os.makedirs(os.path.dirname(f"{target}/{place}"), exist_ok=True)
        shutil.copy(os.path.realpath(f"{packages}/{path}"), f"{target}/{place}")


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
