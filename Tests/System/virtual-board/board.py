#!/usr/bin/env python3
"""The virtual board, which build/all.sh builds.

usage: board.py test arm64|amd64 [NAME]    runs the checks (with NAME: those whose name contains it)
       board.py run arm64|amd64            boots the board, with a prompt
       board.py service [NAME]             runs the checks of the service, in the container of build/service.sh
       board.py package [NAME]             runs the checks of the package, in the container of build/package.sh"""
import fcntl
import importlib
import os
import pkgutil
import signal
import sys

import checks
import package
import service
from bench.board import Board
from bench.check import run_all
from bench.machine import Machine
from bench.package import Package
from bench.service import Service

CACHE = os.environ.get("TACET_BOARD") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "tacet-board"
)


def judge(package, subject, only):
    """Runs the checks of a package. Returns this program's exit code."""
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
        importlib.import_module(f"{package.__name__}.{module.name}")
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: end(subject))
    try:
        tries = int(os.environ.get("TRIES") or 1)
        turn = os.environ.get("TURN")
        skipped = os.environ.get("SKIP", "").split()
        return 1 if run_all(subject, only, skipped, tries, int(turn) if turn else None) else 0
    finally:
        subject.cut_power()


def end(subject):
    """Ends the board or container, which runs in its own session and would outlive this program. Exits at once, because
    the clean-up of a check would take long or boot the board again."""
    subject.cut_power()
    os._exit(1)


def test_board(architecture, only):
    board = Board(architecture, f"{CACHE}/image-{architecture}", f"{CACHE}/test-{architecture}")
    if os.path.exists(board.machine.disk):
        os.unlink(board.machine.disk)
    return judge(checks, board, only)


def alone():
    """Waits until no other container runs, because the services of two containers would be in the same control groups.
    Returns a file, which must stay open as long as the container runs."""
    lock = open(f"{CACHE}/lock-container", "w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def test_service(only):
    with alone():
        return judge(service, Service(f"{CACHE}/service", f"{CACHE}/test-service"), only)


def test_package(only):
    subject = Package(f"{CACHE}/clean", f"{CACHE}/package-testers", f"{CACHE}/test-package", f"{CACHE}/repository")
    with alone():
        return judge(package, subject, only)


def run(architecture):
    machine = Machine(architecture, f"{CACHE}/image-{architecture}", f"{CACHE}/run-{architecture}")
    machine.renew_disk()
    machine.clear()
    print(
        f"Booting the {architecture} board; the prompt appears in half a minute. There, try: pull PHONE_CALL up\n"
        f"Shared folder: {machine.share}, on the board /mnt/bench. To end: poweroff, or Ctrl-A X.",
        flush=True,
    )
    command = machine.command(serial="mon:stdio")
    os.execvp(command[0], command)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["test", ("arm64" | "amd64") as architecture, *only]:
            sys.exit(test_board(architecture, "".join(only)))
        case ["run", ("arm64" | "amd64") as architecture]:
            run(architecture)
        case ["service", *only]:
            sys.exit(test_service("".join(only)))
        case ["package", *only]:
            sys.exit(test_package("".join(only)))
        case _:
            sys.exit(__doc__)
