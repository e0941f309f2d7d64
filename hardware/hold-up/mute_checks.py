"""The checks of the amplifier's mute, which is off unless the processor drives its line, the supply is good and the
gate works."""
from circuit.netlist import MUTE, Circuit
from circuit.ngspice import piecewise, simulate
from circuit.parts import Measured
from circuit.spread import LEAST, MOST, TYPICAL, board

REQUEST, WARNING, ENABLE = "/GPIO24", "/POWER_FAIL", "/Mute/AMP_ENABLE"
#: The amplifier is off below 0.8 V and on above 2.0 V (TI TPA3118, SDZ; from memory, to be checked).
OFF, ON = 0.8, 2.0
#: The pulls of a Pi 4 are 33–73 kΩ, and its pin drives at least 2.6 V at 4 mA (both Raspberry Pi documentation).
PULL, DRIVEN = 33e3, 2.6
#: An amplifier's module may itself pull its enable input up.
MODULE = [f"RMODULE vmodule {ENABLE} 100k", "VMODULE vmodule 0 5.25"]
GOOD = [f"RGOOD +3V3 {WARNING} 10k"]
SUPPLIED = ["V3 +3V3 0 3.465"]
BOOT = [piecewise("V3", "+3V3", "0", [(0, 0), (5e-3, 0), (15e-3, 3.465)])]


def all_checks(full, change=None, table=None):
    """`full` and `table` have no effect here, because each check takes milliseconds and has its own limits."""
    undriven = {"pull-up": [f"RPULL +3V3 {REQUEST} {PULL}"], "pull-down": [f"RPULL {REQUEST} 0 {PULL}"], "no pull": []}
    for name, pull in undriven.items():
        yield f"undriven, {name}", muted(change, SUPPLIED + GOOD + pull)
        yield f"boot, {name}", muted(change, BOOT + GOOD + pull)
    yield "no 3.3 V, module pulls up", muted(change, ["V3 +3V3 0 0"] + GOOD)
    driven = [f"VDRIVE {REQUEST} 0 {DRIVEN}"]
    waves = run(change, ["V3 +3V3 0 3.135"] + GOOD + driven, MOST)
    yield "driven", Measured("enable", min(waves.voltage(ENABLE)), ON, "V", least=True)
    failing = [piecewise("VFAIL", WARNING, "0", [(0, 3.3), (5e-3, 3.3), (5.1e-3, 0.4)])]
    waves = run(change, SUPPLIED + failing + driven, LEAST)
    after = waves.first(waves.voltage(ENABLE), lambda value: value < OFF, 5e-3)
    yield "driven, power fails", Measured("muted after", ((after or 1) - 5e-3) * 1e3, 5, "ms")


def muted(change, lines):
    return Measured("enable", max(run(change, lines, LEAST).voltage(ENABLE)), OFF, "V")


def run(change, lines, threshold):
    """Simulates a gate that switches at the lowest or the highest voltage that its maker allows."""
    drawn = Circuit(MUTE)
    # The 1 % resistors R301 and R302 have their highest value.
    for reference in ("R301", "R302"):
        drawn.scale(reference, 1.02)
    if change:
        change(drawn)
    return simulate(drawn, board(TYPICAL, gate_v=threshold), lines + MODULE, "tran 10u 20m")
