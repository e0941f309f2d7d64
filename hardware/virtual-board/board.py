#!/usr/bin/env python3
"""The virtual board, built by build/all.sh.

usage: board.py test arm64|amd64 [NAME]    runs the checks (those with NAME in their name)
       board.py run arm64|amd64            boots it for a person, with a prompt"""
import importlib
import os
import pkgutil
import signal
import sys

import checks
from bench.board import Board
from bench.check import run_all
from bench.machine import Machine

CACHE = os.environ.get("TACET_BOARD") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "tacet-board"
)


def test(architecture, only):
    for module in sorted(pkgutil.iter_modules(checks.__path__), key=lambda module: module.name):
        importlib.import_module(f"checks.{module.name}")
    board = Board(architecture, f"{CACHE}/image-{architecture}", f"{CACHE}/test-{architecture}")
    if os.path.exists(board.machine.disk):
        os.unlink(board.machine.disk)
    # The machine has a session of its own, and would outlive this.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("told to end"))
    try:
        return 1 if run_all(board, only) else 0
    finally:
        board.cut_power()


def run(architecture):
    machine = Machine(architecture, f"{CACHE}/image-{architecture}", f"{CACHE}/run-{architecture}")
    machine.renew_disk()
    machine.clear()
    print(
        f"Booting the {architecture} board; the prompt comes in half a minute. There: pull PHONE_CALL up\n"
        f"What it shares with this machine: {machine.share} is /mnt/bench there. To end: poweroff, or Ctrl-A X.",
        flush=True,
    )
    command = machine.command(serial="mon:stdio")
    os.execvp(command[0], command)


if __name__ == "__main__":
    action, architecture, *rest = [*sys.argv[1:], "", ""][:3]
    if action not in ("test", "run") or architecture not in Machine.CONSOLE:
        sys.exit(__doc__)
    sys.exit(test(architecture, rest[0]) if action == "test" else run(architecture))
