"""The input stage on a bench: with its supplies, a processor's pin, and something at its terminals."""
import functools

from circuit import parts
from circuit.netlist import INPUT, Circuit
from circuit.ngspice import piecewise, simulate
from circuit.spread import LEAST, MOST, TYPICAL, board

import pulses

PIN, FIELD, RETURN, WET = "/GPIO17", "/Input/IN_P", "/Input/IN_N", "/Input/WET"
#: `Bias=pull-up`: 33–73 kΩ in a Pi 4 (Raspberry Pi documentation, GPIO), 5 pF.
PULL = {LEAST: 33e3, TYPICAL: 47e3, MOST: 73e3}
#: Below it a pin reads low, above it high (Raspberry Pi documentation: Pi 4; a Pi 3 has 0.9 V and 1.6 V).
LOW, HIGH = 0.8, 2.0
#: What a pin endures beyond its supply and ground. The maker publishes no absolute maximum; this is our own limit.
BEYOND = 0.3
#: Tacet's default `Debounce=` (tacet.conf(5)).
DEBOUNCE = 30e-3


@functools.cache
def limits():
    return parts.limits()


def circuit(change=None):
    """The drawn input. `change` fits other parts."""
    drawn = Circuit(INPUT)
    if change:
        change(drawn)
    return drawn


def supplies(pull=47e3, volt=3.3):
    """The board's supplies and its pin."""
    return [f"V3 +3V3 0 {volt}", f"V5 +5V 0 {5 * volt / 3.3:.4g}", f"RPULL +3V3 {PIN} {pull}", f"CPIN {PIN} 0 5p"]


def grounded(resistance=0.01):
    """The field's ground joined to the board's, as in a vehicle."""
    return [f"RGROUND {RETURN} 0 {resistance}"]


def surge(built, spread, one, temperature):
    """A surge into the input."""
    source = [piecewise("VFIELD", "field", RETURN, one.points), f"RFIELD field {FIELD} {one.resistance}"]
    analysis = f"tran {one.step} {one.end} 0 {one.step * 5}"
    return simulate(built, spread, supplies() + grounded() + source, analysis, temperature)


def discharge(built, spread, volt, node, temperature, ground):
    """An electrostatic discharge into a terminal; the board's ground is the vehicle's body."""
    source = [f"CGUN gun 0 {pulses.DISCHARGE_CAPACITANCE} IC={volt}", f"RGUN hot {node} {pulses.DISCHARGE_RESISTANCE}",
              "SGUN gun hot start 0 GAP", ".model GAP SW(VT=0.5 VH=0.1 RON=1 ROFF=1e12)", "VSTART start 0 PWL(0 0 1u 0 1.01u 1)"]
    return simulate(built, spread, supplies() + ground + source, "tran 20n 1m 0 1u uic", temperature)


def transfer(built, spread, temperature, pull, volt):
    """The pin's voltage over the input's: it rises to 36 V by a volt a second, so that a time is a voltage."""
    source = [f"VFIELD {FIELD} {RETURN} PWL(0 0 36 36)"]
    return simulate(built, spread, supplies(pull, volt) + grounded() + source, "tran 50m 36 0 50m", temperature)


def worst_boards():
    """Three boards for surges: all parts at their least, typical, most; the transistor lets most current through at least."""
    return ((board(LEAST, fet_vth=MOST), -40), (board(TYPICAL), 25), (board(MOST, fet_vth=LEAST), 85))
