"""Wrong parts, each of which a check has to detect, because a check that cannot fail proves nothing."""

import os
import shutil
import tempfile

import bench
import front_end_checks
import hold_up_checks
import input_checks
import mute_checks
import pulses
import supply
from circuit import drawing
from circuit.netlist import SCHEMATIC
from circuit.parts import Measured


def surge(name, change, table):
    """Simulates one surge in a 24 V vehicle."""
    vehicle = pulses.VEHICLES[1]
    one = next(one for one in pulses.surges(vehicle) if one.name == name)
    return input_checks.surged(vehicle, one, False, change, table)


def small_resistor():
    """R101 has 0.1 W and 75 V instead of being pulse-proof. The load dump is harmless, but the pulse at −600 V is
    not."""
    table = {**bench.limits(), "R101": {"voltage": 75, "power": 0.1, "pulse": 1}}
    return surge("pulse 1", None, table)


def low_suppressor():
    """The suppressor is for a 24 V supply and clamps the load dump for its whole duration."""
    return surge("load dump A", lambda circuit: circuit.replace("D101", "SMBJ33CA"), bench.limits())


def no_bleeder():
    """Without R208, the converter's output without a load delays the warning."""
    return hold_up_checks.idle(False, lambda circuit: circuit.replace("R208", "100Meg"), None)


def small_bank():
    """The bank has 2 F instead of 20 F."""
    def change(circuit):
        for reference in supply.CELLS:
            circuit.replace(reference, f"EDLC share=0.1 volt={supply.CHARGED / 2}")
    return hold_up_checks.failing(False, change, None)


def no_lock_out():
    """U205 has hardly any hysteresis, so a bank that has recovered feeds the board again."""
    return hold_up_checks.restarts(False, lambda circuit: circuit.replace("R212", "100Meg"), None)


def late_warning():
    """U203 warns below 4.7 V, as the first version did, so the bank feeds the board before that."""
    return hold_up_checks.sagging(False, lambda circuit: circuit.replace("R218", "308k"), None)


def no_limiter():
    """Nothing holds the gate of Q601, so the load dump reaches the converter."""
    return front_end_checks.load_dumps(False, lambda circuit: circuit.open("D603", 0, 1e10), None)


def no_reverse_protection():
    """D602 is bridged."""
    return front_end_checks.steady(False, lambda circuit: circuit.short("D602", 0, 1, 0.01), None)


def weak_pull_down():
    """100 kΩ at GPIO26 is too weak against the processor's own pull-up."""
    return mute_checks.all_checks(False, lambda circuit: circuit.replace("R301", "100k"))


def drawing_not_exported():
    """A value was changed only on a sheet, so the committed netlist no longer belongs to it."""
    with tempfile.TemporaryDirectory(prefix="tacet-drawing-") as parent:
        folder = shutil.copytree(SCHEMATIC, os.path.join(parent, "schematic"))
        sheet = os.path.join(folder, "hold-up.kicad_sch")
        with open(sheet, encoding="utf-8") as file:
            text = file.read()
        with open(sheet, "w", encoding="utf-8") as file:
            file.write(text.replace('"Value" "22"', '"Value" "23"'))
        yield "R201 23 Ω", Measured("exports that do not belong", len(drawing.stale(folder)), 0, "")


BREAKS = (small_resistor, low_suppressor, no_bleeder, small_bank, no_lock_out, late_warning, no_limiter, no_reverse_protection,
          weak_pull_down, drawing_not_exported)


def undetected():
    """Fits each wrong part, and prints the check that detects it. Returns those that no check detected."""
    print("\nWrong parts, which have to fail")
    missed = []
    for wrong in BREAKS:
        name = wrong.__name__.replace("_", " ")
        found = next(((situation, measured) for situation, measured in wrong() if not measured.passed), None)
        if found:
            print(f"ok    {name:22} {found[0]}: {found[1].what} {found[1].value:.4g}, limit {found[1].limit:.4g} {found[1].unit}", flush=True)
        else:
            print(f"FAIL  {name}: nothing has noticed", flush=True)
            missed.append(f"wrong part: {name}")
    return missed
