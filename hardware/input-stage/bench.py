"""The input stage on a bench, with its supplies, a processor's pin, and a source or contact at its terminals."""
import functools

from circuit import parts
from circuit.netlist import INPUT, Circuit
from circuit.ngspice import piecewise, simulate
from circuit.spread import LEAST, MOST, TYPICAL, board

import pulses

PIN, FIELD, RETURN, WET = "/GPIO12", "/Input/IN_P", "/Input/IN_N", "/Input/WET"
#: The board's 5 V, at least and at most (USB 2.0: 4.75 V to 5.25 V at the source).
FIVE = {LEAST: 4.75, TYPICAL: 5.0, MOST: 5.25}
#: `Bias=pull-up` is 33–73 kΩ in a Pi 4 (Raspberry Pi documentation, GPIO), with 5 pF.
PULL = {LEAST: 33e3, TYPICAL: 47e3, MOST: 73e3}
#: A pin reads low below the first voltage, and high above the second (Raspberry Pi documentation: Pi 4; a Pi 3 has 0.9
#: V and 1.6 V).
LOW, HIGH = 0.8, 2.0
#: The voltage that a pin endures beyond its supply and ground. The maker does not publish an absolute maximum, so this
#: is our own limit.
BEYOND = 0.3


@functools.cache
def limits():
    return parts.limits()


def circuit(change=None):
    """Returns the drawn input. `change` fits other parts."""
    drawn = Circuit(INPUT)
    if change:
        change(drawn)
    return drawn


def supplies(pull=47e3, volt=3.3, five=TYPICAL):
    """Returns the board's supplies and its pin."""
    return [f"V3 +3V3 0 {volt}", f"V5 +5V 0 {FIVE[five]}", f"RPULL +3V3 {PIN} {pull}", f"CPIN {PIN} 0 5p"]


def grounded(resistance=0.01):
    """Returns the connection of the field's ground with the board's, as in a vehicle."""
    return [f"RGROUND {RETURN} 0 {resistance}"]


def surge(built, spread, one, temperature):
    """Simulates a surge into the input."""
    source = [piecewise("VFIELD", "field", RETURN, one.points), f"RFIELD field {FIELD} {one.resistance}"]
    analysis = f"tran {one.step} {one.end} 0 {one.step * 5}"
    return simulate(built, spread, supplies() + grounded() + source, analysis, temperature)


def strike(built, spread, one, node, other, temperature, around):
    """Simulates a surge between two nodes while the wire carries no signal. `around` has the supplies and the grounds."""
    source = [piecewise("VSTRIKE", "strike", other, one.points), f"RSTRIKE strike {node} {one.resistance}"]
    return simulate(built, spread, around + source, f"tran {one.step} {one.end} 0 {one.step * 5}", temperature)


def discharge(built, spread, volt, node, temperature, around):
    """Simulates an electrostatic discharge into a terminal. The board's ground is the vehicle's body."""
    return simulate(built, spread, around + pulses.gun(volt, node), "tran 20n 1m 0 1u uic", temperature)


def transfer(built, spread, temperature, pull, volt):
    """Returns the pin's voltage over the input's, which rises to 36 V by a volt a second, so that a time is a
    voltage."""
    source = [f"VFIELD {FIELD} {RETURN} PWL(0 0 36 36)"]
    return simulate(built, spread, supplies(pull, volt) + grounded() + source, "tran 50m 36 0 50m", temperature)


def insensitive():
    """Returns the board that needs the highest voltage and current."""
    return board(MOST, ctr=LEAST, fet_kp=LEAST, dark=LEAST)


def sensitive():
    """Returns the board that needs the lowest voltage and current."""
    return board(LEAST, ctr=MOST, fet_kp=MOST, fet_vth=LEAST, dark=MOST)


def worst_boards():
    """Returns three boards for surges, with all parts at their minimum, typical and maximum values. The threshold of the
    transistor is at the opposite end, so that its current is lowest in the first board and highest in the last."""
    return ((board(LEAST, fet_vth=MOST), -40), (board(TYPICAL), 25), (board(MOST, fet_vth=LEAST), 85))
