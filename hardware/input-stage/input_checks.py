"""The checks of the input stage. Each yields rows for the table: (situation, measured quantity)."""
import functools

from circuit import parts
from circuit.ngspice import piecewise, simulate
from circuit.parts import Measured
from circuit.spread import LEAST, MOST, TYPICAL, RandomBoard, board

import bench
import debounce
import pulses

#: The numbers of random boards, whose seeds begin with 1.
QUICK_BOARDS, FULL_BOARDS = 20, 200
#: The number of these boards that are also surged.
SURGED = 25
#: A type 1 or type 3 input of IEC 61131-2 is off up to 5 V, and a type 1 input also up to 0.5 mA. It is on from 11 V
#: (type 3) and takes 2 mA to 15 mA then. A type 3 input would have to be off up to 1.5 mA, which this one is not. (5 V
#: and 11 V: Beckhoff EP8601, data sheet. 0.5 mA and 1.5 mA: Siemens A5E00069467-07, page 4-15. 2 mA and 15 mA are from
#: memory.)
OFF_VOLTS, OFF_MILLIAMPERES, LEAST_CURRENT, MOST_CURRENT = 5, 0.5, 2, 15
#: A two-wire sensor delivers at least 5 mA when it is on (EN 60947-5-2; from memory, to be checked).
ON_MILLIAMPERES = 5
#: A dry contact counts as open from the first resistance on and as closed up to the second one.
OPEN_CONTACT, CLOSED_CONTACT = 10e3, 100
#: The voltage across an open contact and the current through a closed one, in mA, that clean a contact. The maker of a
#: contact states its minimum load.
WETTING_VOLTS, WETTING_CURRENT = 10, 2
#: The current that one input takes from the board's 5 V without a load, in mA. This is our own limit.
MOST_SUPPLY = 60
#: The delay of the pin, in ms. A bell's shortest pulse lasts 6 ms (tacet.conf), and the pin must follow it closely.
DELAY = 1
#: The current across the isolation, in mA, at 60 V DC and at 24 V AC and 50 Hz between the grounds. These are our own
#: limits. A charge of the wire flows away within 0.1 s.
LEAKAGE, DECAY, CHARGE_LEFT = 0.1, 0.1, 10
#: The disturbance of the 5 V when U102 starts, whose peak is twice its current. USB 2.0 allows 5 %.
DISTURBANCE, STARTING = 0.25, 0.5
#: The number of load dumps in a row (ISO 16750-2, test A), and the time constants of a case that are tried, in seconds,
#: because the data sheet of Q101 does not contain one.
DUMPS, CASES = 10, (1, 10, 100)


@functools.cache
def shortest_debounce():
    """Returns the shortest `Debounce=` of all shipped files and its file."""
    return min((time, place) for place, time in debounce.shipped())


def wrong_level(seconds):
    """Returns the time for which the pin was wrong, which Tacet ignores if it is shorter than each `Debounce=`."""
    return Measured("wrong level", seconds * 1e3, shortest_debounce()[0], "ms")


def all_checks(full, change=None, table=None):
    for check in CHECKS:
        yield from check(full, change, table)


def thresholds(_full, change, _table):
    """Yields the thresholds at both ends of all tolerances, in V and mA, and the current between them. The current never
    falls with the voltage, so below the voltage up to which the input is off, it is also off."""
    built = bench.circuit(change)
    for temperature in (-40, 85):
        waves = bench.transfer(built, bench.insensitive(), temperature, bench.PULL[LEAST], 3.465)
        on = on_from(waves)
        yield f"least sensitive board, {temperature} °C", Measured("on from", on, pulses.VEHICLES[0].least, "V")
        yield f"least sensitive board, {temperature} °C", Measured("on from", current_at(waves, on), ON_MILLIAMPERES, "mA")
        waves = bench.transfer(built, bench.sensitive(), temperature, 1e9, 3.135)
        off = off_up_to(waves)
        yield f"most sensitive board, {temperature} °C", Measured("off up to", off, OFF_VOLTS, "V", least=True)
        yield f"most sensitive board, {temperature} °C", Measured("off up to", current_at(waves, off), OFF_MILLIAMPERES, "mA", least=True)
        weak = bench.transfer(built, board(LEAST, fet_vth=MOST, zener=MOST, led=MOST), temperature, bench.PULL[LEAST], 3.3)
        strong = bench.transfer(built, board(MOST, fet_vth=LEAST, zener=LEAST), temperature, bench.PULL[LEAST], 3.3)
        yield f"weakest board, {temperature} °C", Measured("current from 9 V", min(currents(weak)), LEAST_CURRENT, "mA", least=True)
        yield f"strongest board, {temperature} °C", Measured("current to 36 V", max(currents(strong)), MOST_CURRENT, "mA")


def currents(waves):
    """Returns the currents into the input, in mA, from the lowest voltage that counts as on."""
    return [-value * 1e3 for volt, value in zip(waves.x, waves.current("VFIELD")) if volt >= pulses.VEHICLES[0].least]


def current_at(waves, volt):
    """Returns the current into the input at a voltage, in mA."""
    return next(-value * 1e3 for at, value in zip(waves.x, waves.current("VFIELD")) if at >= min(volt, waves.x[-1]))


def on_from(waves):
    """Returns the voltage from which the pin reads low."""
    pin = waves.voltage(bench.PIN)
    return next((volt for volt, value in zip(reversed(waves.x), reversed(pin)) if value > bench.LOW), 0.0)


def off_up_to(waves):
    """Returns the voltage up to which the pin reads high."""
    crossed = waves.first(waves.voltage(bench.PIN), lambda value: value < bench.HIGH)
    return waves.x[-1] if crossed is None else crossed


def contacts(_full, change, _table):
    """Yields the levels of a dry contact, and the voltage and current that keep it clean. The supply of the contact is
    at the end that is worse in each case."""
    weak = (wetted(bench.insensitive(), LEAST), -40, bench.supplies(bench.PULL[LEAST], 3.465, LEAST))
    strong = (wetted(bench.sensitive(), MOST), 85, bench.supplies(1e9, 3.135, MOST))
    waves = contact(change, CLOSED_CONTACT, *weak)
    yield "closed dry contact, 100 Ω", Measured("pin", max(waves.voltage(bench.PIN)), bench.LOW, "V")
    yield "closed dry contact, 100 Ω", Measured("wetting current", min(waves.current("VC")) * 1e3, WETTING_CURRENT, "mA", least=True)
    waves = contact(change, OPEN_CONTACT, *strong)
    yield "leaking dry contact, 10 kΩ", Measured("pin", min(waves.voltage(bench.PIN)), bench.HIGH, "V", least=True)
    waves = contact(change, 1e9, *weak)
    yield "open dry contact", Measured("wetting voltage", min(waves.voltage(bench.WET, bench.FIELD)), WETTING_VOLTS, "V", least=True)
    yield "open dry contact", Measured("current from 5 V", max(abs(value) for value in waves.current("V5")) * 1e3, MOST_SUPPLY, "mA")


def wetted(spread, end):
    """Returns a board whose supply of the contact is at one end of its tolerance."""
    return {**spread, **{name: board(end)[name] for name in ("wet", "zener_wet")}}


def contact(change, resistance, spread, temperature, supplies):
    lines = [f"RC {bench.WET} contact {resistance:g}", f"VC contact {bench.FIELD} 0"]
    return simulate(bench.circuit(change), spread, supplies + bench.grounded(1e6) + lines, "tran 0.1m 100m 50m", temperature)


def isolation(_full, change, _table):
    """Yields the current between the grounds, and what remains of a charge of the field's wires."""
    for name, source, analysis in (("60 V between the grounds", f"VG {bench.RETURN} 0 60", "tran 1m 20m"),
                                   ("24 V AC between the grounds", f"VG {bench.RETURN} 0 SIN(0 34 50)", "tran 0.1m 60m")):
        for floating in (bench.FIELD, bench.WET):
            lines = [source, f"RFLOATING {floating} {bench.RETURN} 1e6"]
            waves = simulate(bench.circuit(change), board(TYPICAL), bench.supplies() + lines, analysis)
            yield name, Measured("current", max(abs(value) for value in waves.current("VG")) * 1e3, LEAKAGE, "mA")
    charged = ["SCHARGE charge hot on 0 GAP", "VCHARGE hot 0 1000", f"RCHARGE charge {bench.RETURN} 100",
               "VON on 0 PULSE(1 0 1m 1u 1u 10 20)", ".model GAP SW(VT=0.5 VH=0.1 RON=1 ROFF=1e12)"]
    waves = simulate(bench.circuit(change), board(TYPICAL), bench.supplies() + charged, f"tran 0.1m {DECAY + 1e-3}")
    yield "charge of 1 kV on the wires", Measured(f"after {DECAY} s", abs(waves.voltage(bench.RETURN)[-1]), CHARGE_LEFT, "V")


def decoupling(_full, change, _table):
    """Yields the disturbance of the 5 V at the end of 10 cm of wire (about 100 nH) when U102 starts."""
    step = f"ISTEP +5V 0 PULSE(0 {STARTING} 1u 10n 10n 1u 1)"
    lines = ["V3 +3V3 0 3.3", "V5 wire 0 5", "LWIRE wire coil 100n", "RWIRE coil +5V 0.05", step]
    waves = simulate(bench.circuit(change), board(TYPICAL), lines + bench.grounded(), "tran 5n 5u 0 5n")
    level = waves.voltage("+5V")
    yield "U102 starts", Measured("disturbance of 5 V", max(abs(value - level[0]) for value in level), DISTURBANCE, "V")


def delays(_full, change, _table):
    """Yields the times from a step at the wire to a reliable level at the pin, and the levels before each step."""
    built = bench.circuit(change)
    for vehicle in pulses.VEHICLES:
        step = [piecewise("VFIELD", bench.FIELD, bench.RETURN, [(0, 0), (1e-3, 0), (1.001e-3, vehicle.least),
                                                                (5e-3, vehicle.least), (5.001e-3, 0)])]
        slow, off, on = 0.0, 3.3, 0.0
        for spread, pull, temperature in ((bench.insensitive(), bench.PULL[LEAST], -40), (board(MOST), 1e9, 85)):
            waves = simulate(built, spread, bench.supplies(pull) + bench.grounded() + step, "tran 5u 20m", temperature)
            pin = waves.voltage(bench.PIN)
            off = min([off] + [value for time, value in zip(waves.x, pin) if time < 1e-3])
            on = max([on] + [value for time, value in zip(waves.x, pin) if 4e-3 < time < 5e-3])
            low = waves.first(pin, lambda value: value < bench.LOW, 1e-3)
            high = waves.first(pin, lambda value: value > bench.HIGH, 5e-3)
            slow = max(slow, (low or 1) - 1e-3, (high or 1) - 5e-3)
        yield f"{vehicle.name}, before the step", Measured("pin", off, bench.HIGH, "V", least=True)
        yield f"{vehicle.name}, after the step", Measured("pin", on, bench.LOW, "V")
        yield f"{vehicle.name}, step", Measured("delay of the pin", slow * 1e3, DELAY, "ms")


def surges(full, change, table):
    for vehicle in pulses.VEHICLES:
        for surge in pulses.surges(vehicle):
            if not surge.fast:
                yield from surged(vehicle, surge, full, change, table)


def bursts(full, change, table):
    """Yields the results of pulses 3a and 3b, which take most of the time."""
    for vehicle in pulses.VEHICLES:
        for surge in pulses.surges(vehicle):
            if surge.fast:
                yield from surged(vehicle, surge, full, change, table)


def surged(vehicle, surge, full, change, table):
    """Simulates a surge on boards at the ends of all tolerances. Yields the part that is nearest to its limit, and the
    pin, which must be right before the surge."""
    nearest, beyond, before, wrong = None, None, 0.0, 0.0
    for spread, temperature in bench.worst_boards() if full else bench.worst_boards()[2:]:
        built = parts.watch(bench.circuit(change))
        waves = bench.surge(built, spread, surge, temperature)
        nearest = nearer(nearest, *parts.stress(built, waves, table or bench.limits()))
        beyond = nearer(beyond, pin_beyond(waves))
        pin = waves.voltage(bench.PIN)
        before = max(before, pin[0])
        wrong = max(wrong, waves.longest(pin, lambda value: value > bench.LOW))
    situation = f"{vehicle.name}, {surge.name}"
    yield situation, nearest
    yield situation, beyond
    # The points of the other surges begin without a voltage.
    if surge.points[0][1]:
        yield situation, Measured("pin before", before, bench.LOW, "V")
    if surge.brief:
        yield situation, wrong_level(wrong)
        yield from surged_while_off(vehicle, surge, full, change)


def surged_while_off(vehicle, surge, full, change):
    """Yields the time for which the pin may read as on during the same surge on a wire without a signal."""
    before, wrong = 3.3, 0.0
    for spread, temperature in bench.worst_boards() if full else bench.worst_boards()[2:]:
        waves = surge_while_off(vehicle, surge, spread, temperature, change)
        pin = waves.voltage(bench.PIN)
        before = min(before, pin[0])
        wrong = max(wrong, waves.longest(pin, lambda value: value < bench.HIGH))
    yield f"{vehicle.name}, {surge.name}, off", Measured("pin before", before, bench.HIGH, "V", least=True)
    yield f"{vehicle.name}, {surge.name}, off", wrong_level(wrong)


def surge_while_off(vehicle, surge, spread, temperature, change=None):
    base = vehicle.running
    quiet = pulses.Surge(surge.name, [(time, volt - base) for time, volt in surge.points], surge.resistance, surge.end, surge.step)
    return bench.surge(bench.circuit(change), spread, quiet, temperature)


def strikes(full, change, table):
    """Yields the results of surges (IEC 61000-4-5) between each terminal and the common one, and in common mode, and of
    the pulses of a burst (IEC 61000-4-4) in common mode."""
    targets = [(bench.FIELD, bench.RETURN, "IN+", bench.grounded(), pulses.combination_wave, pulses.SURGES),
               (bench.WET, bench.RETURN, "WET", bench.grounded(), pulses.combination_wave, pulses.SURGES),
               (bench.RETURN, "0", "common mode", [], pulses.combination_wave, pulses.SURGES),
               (bench.RETURN, "0", "common mode", [], pulses.fast_transient, pulses.TRANSIENTS)]
    for node, other, name, ground, shape, volts in targets:
        for volt in volts:
            nearest, beyond, one = None, None, shape(volt)
            for spread, temperature in bench.worst_boards() if full else bench.worst_boards()[2:]:
                built = parts.watch(bench.circuit(change))
                waves = bench.strike(built, spread, one, node, other, temperature, bench.supplies() + ground)
                nearest = nearer(nearest, *parts.stress(built, waves, table or bench.limits()))
                beyond = nearer(beyond, pin_beyond(waves))
            yield f"{one.name}, {name}", nearest
            yield f"{one.name}, {name}", beyond


def load_dumps(_full, change, table):
    """Yields the temperature of Q101 and the power in R101 during ten load dumps in a row."""
    for vehicle in pulses.VEHICLES:
        built = parts.watch(bench.circuit(change))
        spread, temperature = bench.worst_boards()[-1]
        dumps = pulses.load_dumps(vehicle, DUMPS)
        waves = bench.surge(built, spread, dumps, temperature)
        limit = (table or bench.limits())["Q101"]
        _, drain, source = built.nodes("Q101")
        power = [abs(volt * ampere) for volt, ampere in zip(waves.voltage(drain, source), waves.current("VI_Q101"))]
        warmest = max(warmed(waves.x, power, constant) for constant in CASES)
        yield f"{vehicle.name}, {dumps.name}", Measured("Q101 junction", parts.HOTTEST + limit["thermal"] * warmest, limit["junction"], "°C")
        yield f"{vehicle.name}, {dumps.name}", nearer(*parts.stress(built, waves, table or bench.limits()))


def warmed(times, power, constant):
    """Returns the largest power that reaches a case with this time constant."""
    level = largest = power[0]
    for index in range(1, len(times)):
        share = min(1, (times[index] - times[index - 1]) / constant)
        level += (power[index] - level) * share
        largest = max(largest, level)
    return largest


def discharges(full, change, table):
    """Simulates discharges into each terminal, with the field's ground at the vehicle's body or unconnected."""
    floating = [f"RFIELD {bench.FIELD} 0 1e12", f"RGROUND {bench.RETURN} 0 1e12"]
    targets = [(node, f"{name}{end}", ground) for node, name in ((bench.FIELD, "IN+"), (bench.WET, "WET"), (bench.RETURN, "IN−"))
               for ground, end in ((bench.grounded(), ""), (floating, ", no ground")) if (node, end) != (bench.RETURN, "")]
    for node, name, ground in targets:
        nearest, beyond = None, None
        for volt in pulses.DISCHARGES if full else pulses.DISCHARGES[2:]:
            for spread, temperature in bench.worst_boards()[2:] if not full else bench.worst_boards():
                built = parts.watch(bench.circuit(change))
                waves = bench.discharge(built, spread, volt, node, temperature, bench.supplies() + ground)
                nearest = nearer(nearest, *parts.stress(built, waves, table or bench.limits()))
                beyond = nearer(beyond, pin_beyond(waves))
        yield f"discharge ±15 kV, {name}", nearest
        yield f"discharge ±15 kV, {name}", beyond


def wiring(_full, change, table):
    """Yields the results of mistakes in the wiring."""
    most = board(MOST, fet_vth=LEAST)
    cases = {
        "broken ground, 32 V": [f"VF {bench.FIELD} 0 32", f"RG {bench.RETURN} 0 1e9"],
        "32 V at WET by mistake": [f"VF {bench.WET} 0 32", *bench.grounded()],
        "−32 V at WET by mistake": [f"VF {bench.WET} 0 -32", *bench.grounded()],
    }
    for name, lines in cases.items():
        built = parts.watch(bench.circuit(change))
        waves = simulate(built, most, bench.supplies() + lines, "tran 1m 300m", 85)
        yield name, nearer(None, *parts.stress(built, waves, table or bench.limits()))
        yield name, pin_beyond(waves)
    # The pin drives high against the saturated transistor. 8 mA is its default strength (Raspberry Pi documentation).
    lines = [f"VF {bench.FIELD} 0 12", "VPIN drive 0 3.465", f"RPIN drive {bench.PIN} 1", "V3 +3V3 0 3.465", "V5 +5V 0 5"]
    waves = simulate(bench.circuit(change), most, lines + bench.grounded(), "tran 0.1m 20m", 25)
    yield "pin made an output", Measured("pin current", max(abs(value) for value in waves.current("VPIN")) * 1e3, 8, "mA")


def random_boards(full, change, table):
    """Yields the thresholds of many boards whose parts are anywhere in their tolerance. Some of them are also
    surged."""
    count = FULL_BOARDS if full else QUICK_BOARDS
    on, off, leak, current, nearest = 0.0, 36.0, 36.0, 0.0, None
    for seed in range(1, count + 1):
        one = RandomBoard(seed)
        built = one.fit(bench.circuit(change))
        pull = one.chance.uniform(bench.PULL[LEAST], bench.PULL[MOST])
        waves = bench.transfer(built, one.spread, one.temperature, pull, one.chance.uniform(3.135, 3.465))
        on, off = max(on, on_from(waves)), min(off, off_up_to(waves))
        leak = min(leak, current_at(waves, off_up_to(waves)))
        current = max(current, *currents(waves))
        if full and seed % SURGED == 0:
            for vehicle in pulses.VEHICLES:
                for surge in pulses.surges(vehicle):
                    if surge.name in ("pulse 1", "load dump A"):
                        watched = parts.watch(one.fit(bench.circuit(change)))
                        waves = bench.surge(watched, one.spread, surge, one.temperature)
                        nearest = nearer(nearest, *parts.stress(watched, waves, table or bench.limits()))
    situation = f"{count} random boards"
    yield situation, Measured("on from", on, pulses.VEHICLES[0].least, "V")
    yield situation, Measured("off up to", off, OFF_VOLTS, "V", least=True)
    yield situation, Measured("off up to", leak, OFF_MILLIAMPERES, "mA", least=True)
    yield situation, Measured("current to 36 V", current, MOST_CURRENT, "mA")
    if nearest:
        yield f"{count // SURGED} of them, surged", nearest


#: All checks. Those that take the least time come first, so that a wrong part is detected early.
CHECKS = (thresholds, contacts, isolation, decoupling, delays, wiring, discharges, strikes, load_dumps, surges, bursts, random_boards)


def nearer(one, *others):
    """Returns the measurement that is nearest to its limit or furthest beyond it."""
    return min((measured for measured in (one, *others) if measured), key=lambda measured: measured.margin)


def pin_beyond(waves):
    """Returns the voltage by which the pin is beyond its supply or below ground."""
    pin, supply = waves.voltage(bench.PIN), waves.voltage("+3V3")
    return Measured("pin beyond its supply", max(0, *(value - top for value, top in zip(pin, supply)), *(-value for value in pin)), bench.BEYOND, "V")
