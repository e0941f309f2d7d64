#!/usr/bin/env python3
"""Checks the circuits that connect a board with a vehicle, by simulation.

usage: check.py quick    simulates the committed netlist; fails if it does not belong to the committed drawings
       check.py full     has KiCad check and export the drawings again, simulates more boards, with two ngspices
       check.py boards   the simulations of `full` only
       check.py export   replaces the committed netlist, parts and pictures, after a change of a drawing"""
import sys

from circuit import drawing

if __name__ == "__main__":
    match sys.argv[1:]:
        case ["export"]:
            drawing.renew()
        case _:
            sys.exit(__doc__)
