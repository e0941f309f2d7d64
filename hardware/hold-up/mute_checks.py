"""The checks of the amplifier's mute, which is off unless the processor drives its line, the supply is good and the
gate works."""
import pulses
from circuit import parts
from circuit.netlist import MUTE, Circuit, number
from circuit.ngspice import piecewise, simulate
from circuit.parts import Measured
from circuit.spread import LEAST, MOST, TYPICAL, board

REQUEST, WARNING, ENABLE, GATE = "/GPIO26", "/POWER_FAIL", "/Mute/AMP_ENABLE", "/Mute/GATE"
#: The amplifier is off below 0.8 V and on above 2.0 V (TI TPA3118, SDZ; from memory, to be checked).
OFF, ON = 0.8, 2.0
#: While the gate is supplied, it holds the enable input at half of that, which leaves the rest for noise on the wire.
HELD = OFF / 2
#: The pulls of a Pi 4 are 33–73 kΩ, and its pin drives at least 2.6 V at 4 mA (both Raspberry Pi documentation).
PULL, DRIVEN, DRIVING = 33e3, 2.6, 4
#: The resistance of a pin that drives these 4 mA from the lowest supply voltage.
DRIVER = (3.135 - DRIVEN) / (DRIVING * 1e-3)
#: The current that the sheet may take from the board's 3.3 V, in mA. This is our own limit.
SUPPLY = 1
#: The current that the gate's output delivers within its specification, in mA (Nexperia 74LVC1G08, revision 11, page 1:
#: 24 mA at 3 V).
OUTPUT = 24
#: The board's 3.3 V have a tolerance of 5 %, which a disturbance must not exceed.
DISTURBANCE = 0.05 * 3.3
#: U203 pulls the warning low with 0.4 V at 1 mA (from memory, to be checked).
WARNER = 400
#: An amplifier's module may itself pull its enable input up.
MODULE = [f"RMODULE vmodule {ENABLE} 100k", "VMODULE vmodule 0 5.25"]
GOOD = [f"RGOOD +3V3 {WARNING} 10k"]
SUPPLIED = ["V3 +3V3 0 3.465"]
WEAK = ["V3 +3V3 0 3.135"]
BOOT = [piecewise("V3", "+3V3", "0", [(0, 0), (5e-3, 0), (15e-3, 3.465)])]
REQUESTED = [f"RDRIVE drive {REQUEST} {DRIVER:g}"]


def undriven(_full, change, _table):
    """Yields the level at the amplifier while nothing drives the gate's input."""
    for name, pull in {"pull-up": [f"RPULL +3V3 {REQUEST} {PULL}"], "pull-down": [f"RPULL {REQUEST} 0 {PULL}"], "no pull": []}.items():
        waves = run(change, SUPPLIED + GOOD + pull, LEAST)
        yield f"undriven, {name}", Measured("enable", max(waves.voltage(ENABLE)), HELD, "V")
        yield f"undriven, {name}", supply(waves)
        yield f"boot, {name}", muted(run(change, BOOT + GOOD + pull, LEAST))
    yield "no 3.3 V, module pulls up", muted(run(change, ["V3 +3V3 0 0"] + GOOD, LEAST))


def driven(_full, change, _table):
    """Yields the level at the amplifier while the processor drives the gate's input, and the load on the processor."""
    waves = run(change, WEAK + GOOD + REQUESTED + ["VDRIVE drive 0 3.135"], MOST)
    yield "driven", Measured("enable", min(waves.voltage(ENABLE)), ON, "V", least=True)
    yield "driven", Measured("pin current", max(abs(value) for value in waves.current("VDRIVE")) * 1e3, DRIVING, "mA")
    yield "driven", supply(waves)
    waves = run(change, SUPPLIED + GOOD + REQUESTED + ["VDRIVE drive 0 3.465", f"RWIRE {ENABLE} 0 0.1"], LEAST)
    yield "enable wire at ground", Measured("current of the wire", max(waves.voltage(ENABLE)) / 0.1 * 1e3, OUTPUT, "mA")


def failing(_full, change, _table):
    """Yields the time that passes until the amplifier is muted when the supply fails."""
    warner = [piecewise("VFAIL", "fail", "0", [(0, 3.3), (5e-3, 3.3), (5.1e-3, 0)]), f"RFAIL fail {WARNING} {WARNER}"]
    waves = run(change, SUPPLIED + GOOD + warner + REQUESTED + ["VDRIVE drive 0 3.465"], LEAST)
    after = waves.first(waves.voltage(ENABLE), lambda value: value < HELD, 5e-3)
    yield "driven, power fails", Measured("muted after", ((after or 1) - 5e-3) * 1e3, 5, "ms")


def decoupling(_full, change, _table):
    """Yields the disturbance of the supply when the gate's output changes, at the end of 10 cm of wire (about 100 nH)."""
    step = "ISTEP +3V3 0 PULSE(0 {} 1u 2n 2n 1u 1)".format(OUTPUT * 1e-3)
    waves = simulate(built(change), board(TYPICAL), ["V3 wire 0 3.3", "LWIRE wire coil 100n", "RWIRE coil +3V3 0.05", step] + GOOD, "tran 1n 4u 0 1n")
    yield "gate changes", Measured("disturbance of 3.3 V", max(abs(value - 3.3) for value in waves.voltage("+3V3")), DISTURBANCE, "V")


def discharges(full, change, table):
    """Yields the load on each part during a discharge into the amplifier's wire, with and without a supply."""
    table = table or parts.limits()
    for name, volts in (("supplied", 3.3), ("no 3.3 V", 0)):
        nearest = None
        for volt in pulses.DISCHARGES if full else pulses.DISCHARGES[2:]:
            drawn = parts.watch(built(change))
            waves = simulate(drawn, board(MOST), [f"V3 +3V3 0 {volts}"] + GOOD + pulses.gun(volt, ENABLE), "tran 20n 1m 0 1u uic", parts.HOTTEST)
            output = max(abs(value) for value in waves.voltage(ENABLE, GATE)) / number(drawn.parts["R303"][2]) * 1e3
            nearest = min((measured for measured in (nearest, Measured("current into the gate", output, table["U301"]["output"], "mA"),
                                                     *parts.stress(drawn, waves, table)) if measured), key=lambda measured: measured.margin)
        yield f"discharge ±15 kV, {name}", nearest


CHECKS = (undriven, driven, failing, decoupling, discharges)


def all_checks(full, change=None, table=None):
    """`full` and `table` have no effect here, because each check takes milliseconds and has its own limits."""
    for check in CHECKS:
        yield from check(full, change, table)


def muted(waves):
    return Measured("enable", max(waves.voltage(ENABLE)), OFF, "V")


def supply(waves):
    return Measured("current from 3.3 V", max(abs(value) for value in waves.current("V3")) * 1e3, SUPPLY, "mA")


def run(change, lines, threshold):
    """Simulates a gate that switches at the lowest or the highest voltage that its maker allows."""
    return simulate(built(change), board(TYPICAL, gate_v=threshold), lines + MODULE, "tran 10u 20m")


def built(change):
    drawn = Circuit(MUTE)
    # The 1 % resistors R301 and R302 have their highest value.
    for reference in ("R301", "R302"):
        drawn.scale(reference, 1.02)
    if change:
        change(drawn)
    return drawn
