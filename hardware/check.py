#!/usr/bin/env python3
"""Checks the circuits that connect a board with a vehicle, by simulation.

usage: check.py quick    simulates the committed netlist; fails if it does not belong to the committed drawings
       check.py full     also checks and exports the drawings and the board with KiCad, and simulates more boards, with
                         two ngspices
       check.py boards   runs only the simulations of `full`, without the excused faults
       check.py export   replaces the committed netlist, parts, pictures and digests, after a change of a drawing or of the
                         board"""
import os
import subprocess
import sys

HARDWARE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HARDWARE, name) for name in ("input-stage", "hold-up")]

import broken
import mutations
import plots
from circuit import board, drawing, parts, table


def simulate(full, excused_too=True):
    """Simulates everything. Returns the rows that failed."""
    failed = []
    for title, (subject, _) in mutations.SHEETS.items():
        failed += table.show(title, subject.all_checks(full))
    return failed + broken.undetected() + mutations.undetected(full, excused_too)


def check(full):
    # There is no use in simulating files that do not belong to the drawings.
    if failed := [f"exported.key is not of this version of: {name} (check.py export)" for name in drawing.stale()]:
        return verdict(failed)
    failed += drawing.unplaced() + board.faults()
    if full:
        failed += [f"KiCad exports a {name} that differs from the committed one" for name in drawing.compare() + board.compare()]
        failed += board.undetected_by_kicad()
    failed += simulate(full)
    if full:
        folder = os.path.join(HARDWARE, "..", ".build", "hardware")
        print(f"\nPlots in .build/hardware: {', '.join(plots.draw(folder))}", flush=True)
        print("\nThe same with Debian 13's ngspice", flush=True)
        kicad = os.path.join(HARDWARE, "circuit", "kicad.sh")
        if subprocess.run([kicad, "run", "python3", "/hardware/check.py", "boards"], check=False).returncode:
            failed.append("with Debian 13's ngspice")
    list_unverified()
    return verdict(failed)


def list_unverified():
    """Lists the limits that were not compared with a document. No README may claim anything that depends on them."""
    print("\nUnverified limits (parts.csv)")
    for references, names in parts.unverified().items():
        print(f"      {references}: {', '.join(names)}")


def verdict(failed):
    print("\nAll passed." if not failed else "\nFailed:\n  " + "\n  ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["quick"]:
            sys.exit(check(full=False))
        case ["full"]:
            sys.exit(check(full=True))
        case ["boards"]:
            sys.exit(verdict(simulate(full=True, excused_too=False)))
        case ["export"]:
            drawing.renew()
        case _:
            sys.exit(__doc__)
