"""The checks of the input stage. Each yields rows for the table: (situation, measured quantity)."""
from circuit import parts
from circuit.ngspice import piecewise
from circuit.parts import Measured
from circuit.spread import LEAST, MOST, RandomBoard, board

import bench
import pulses

#: The numbers of random boards, whose seeds begin with 1.
QUICK_BOARDS, FULL_BOARDS = 20, 200
#: The number of these boards that are also surged.
SURGED = 25
#: The lowest and highest current from 9 V on, in mA, as specified on the drawing. A programmable controller's 24 V
#: input may take as much (EN 61131-2 type 1 inputs of ABB: less than 8 mA at 30 V, ABB Automation Builder's help).
LEAST_CURRENT, MOST_CURRENT = 1, 8


def all_checks(full, change=None, table=None):
    for check in CHECKS:
        yield from check(full, change, table)


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


def thresholds(_full, change, _table):
    """Yields the thresholds at both ends of all tolerances. An insensitive (dull) board needs the highest voltage, and
    a sensitive (keen) one the lowest."""
    built = bench.circuit(change)
    insensitive = board(MOST, ctr=LEAST, fet_kp=LEAST)
    sensitive = board(LEAST, ctr=MOST, fet_kp=MOST, fet_vth=LEAST)
    for temperature in (-40, 85):
        waves = bench.transfer(built, insensitive, temperature, bench.PULL[LEAST], 3.465)
        yield f"least sensitive board, {temperature} °C", Measured("on from", on_from(waves), pulses.VEHICLES[0].least, "V")
        waves = bench.transfer(built, sensitive, temperature, 1e9, 3.135)
        yield f"most sensitive board, {temperature} °C", Measured("off up to", off_up_to(waves), 2.0, "V", least=True)
        weak = bench.transfer(built, board(LEAST, fet_vth=MOST), temperature, bench.PULL[LEAST], 3.3)
        strong = bench.transfer(built, board(MOST, fet_vth=LEAST, zener=LEAST), temperature, bench.PULL[LEAST], 3.3)
        yield f"weakest board, {temperature} °C", Measured("current from 9 V", min(currents(weak)), LEAST_CURRENT, "mA", least=True)
        yield f"strongest board, {temperature} °C", Measured("current to 36 V", max(currents(strong)), MOST_CURRENT, "mA")


def currents(waves):
    """Returns the currents into the input, in mA, from the lowest voltage that counts as on."""
    return [-value * 1e3 for volt, value in zip(waves.x, waves.current("VFIELD")) if volt >= pulses.VEHICLES[0].least]


def on_from(waves):
    """Returns the voltage from which the pin reads low."""
    pin = waves.voltage(bench.PIN)
    return next((volt for volt, value in zip(reversed(waves.x), reversed(pin)) if value > bench.LOW), 0.0)


def off_up_to(waves):
    """Returns the voltage up to which the pin reads high."""
    return waves.first(waves.voltage(bench.PIN), lambda value: value < bench.HIGH) or waves.x[-1]


def delays(_full, change, _table):
    """Yields the times from a step at the wire to a reliable level at the pin, compared with the least time that Tacet
    waits anyway."""
    built = bench.circuit(change)
    for vehicle in pulses.VEHICLES:
        step = [piecewise("VFIELD", bench.FIELD, bench.RETURN, [(0, 0), (1e-3, 0), (1.001e-3, vehicle.least),
                                                                (5e-3, vehicle.least), (5.001e-3, 0)])]
        slow = 0.0
        for spread, pull, temperature in ((board(MOST, ctr=LEAST, fet_kp=LEAST), bench.PULL[LEAST], -40), (board(MOST), 1e9, 85)):
            waves = bench.simulate(built, spread, bench.supplies(pull) + bench.grounded() + step, "tran 5u 15m", temperature)
            pin = waves.voltage(bench.PIN)
            on = waves.first(pin, lambda value: value < bench.LOW, 1e-3)
            off = waves.first(pin, lambda value: value > bench.HIGH, 5e-3)
            slow = max(slow, on - 1e-3 if on and on < 5e-3 else 1, off - 5e-3 if off else 1)
        yield f"{vehicle.name}, step", Measured("delay of the pin", slow * 1e3, bench.DEBOUNCE * 1e3, "ms")


def surged(vehicle, surge, full, change, table):
    """Simulates a surge on boards at the ends of all tolerances. Yields the part that is nearest to its limit, and the
    pin."""
    nearest, beyond, wrong = None, None, 0.0
    for spread, temperature in bench.worst_boards() if full else bench.worst_boards()[2:]:
        built = parts.watch(bench.circuit(change))
        waves = bench.surge(built, spread, surge, temperature)
        nearest = nearer(nearest, *parts.stress(built, waves, table or bench.limits()))
        beyond = nearer(beyond, pin_beyond(waves))
        wrong = max(wrong, waves.longest(waves.voltage(bench.PIN), lambda value: value > bench.LOW))
    situation = f"{vehicle.name}, {surge.name}"
    yield situation, nearest
    yield situation, beyond
    if surge.brief:
        yield situation, Measured("wrong level", wrong * 1e3, bench.DEBOUNCE * 1e3, "ms")
        yield from surged_while_off(vehicle, surge, change)


def surged_while_off(vehicle, surge, change):
    """Yields the time for which the pin may read as on during the same surge on a wire without a signal."""
    waves = surge_while_off(vehicle, surge, change)
    wrong = waves.longest(waves.voltage(bench.PIN), lambda value: value < bench.HIGH)
    yield f"{vehicle.name}, {surge.name}, off", Measured("wrong level", wrong * 1e3, bench.DEBOUNCE * 1e3, "ms")


def surge_while_off(vehicle, surge, change=None):
    base = vehicle.running
    quiet = pulses.Surge(surge.name, [(time, volt - base) for time, volt in surge.points], surge.resistance, surge.end, surge.step)
    return bench.surge(bench.circuit(change), board(MOST, fet_vth=LEAST, zener=LEAST), quiet, 85)


def discharges(full, change, table):
    """Simulates discharges into each terminal, with the field's ground at the vehicle's body or, in common mode,
    unconnected."""
    targets = ((bench.FIELD, "IN+", bench.grounded()), (bench.WET, "WET", bench.grounded()),
               (bench.RETURN, "IN−, no ground", ["RFIELD /Input/IN_P 0 1e12", "RGROUND /Input/IN_N 0 1e12"]))
    for node, name, ground in targets:
        nearest, beyond = None, None
        for volt in pulses.DISCHARGES if full else pulses.DISCHARGES[2:]:
            for spread, temperature in bench.worst_boards()[2:] if not full else bench.worst_boards():
                built = parts.watch(bench.circuit(change))
                waves = bench.discharge(built, spread, volt, node, temperature, ground)
                nearest = nearer(nearest, *parts.stress(built, waves, table or bench.limits()))
                beyond = nearer(beyond, pin_beyond(waves))
        yield f"discharge ±15 kV, {name}", nearest
        yield f"discharge ±15 kV, {name}", beyond


def wiring(_full, change, table):
    """Yields the results of dry contacts, and of mistakes in the wiring."""
    most, least = board(MOST, fet_vth=LEAST), board(MOST, ctr=LEAST, fet_kp=LEAST, wet=LEAST)
    for name, contact, judge, limit, spread in (
        ("closed dry contact, 100 Ω", 100, max, bench.LOW, least), ("open dry contact, 1 MΩ", 1e6, min, bench.HIGH, most),
    ):
        waves = bench.simulate(bench.circuit(change), spread,
                               bench.supplies(bench.PULL[LEAST]) + bench.grounded(1e6) + [f"RC {bench.WET} {bench.FIELD} {contact}"],
                               "tran 0.1m 100m", -40 if judge is max else 85)
        settled = [value for time, value in zip(waves.x, waves.voltage(bench.PIN)) if time > 50e-3]
        yield name, Measured("pin", judge(settled), limit, "V", least=judge is min)
    cases = {
        "broken ground, 32 V": [f"VF {bench.FIELD} 0 32", f"RG {bench.RETURN} 0 1e9"],
        "32 V at WET by mistake": [f"VF {bench.WET} 0 32", *bench.grounded()],
        "−32 V at WET by mistake": [f"VF {bench.WET} 0 -32", *bench.grounded()],
    }
    for name, lines in cases.items():
        built = parts.watch(bench.circuit(change))
        waves = bench.simulate(built, most, bench.supplies() + lines, "tran 1m 300m", 85)
        yield name, nearer(None, *parts.stress(built, waves, table or bench.limits()))
        yield name, pin_beyond(waves)
    # The pin drives high against the saturated transistor. 8 mA is its default strength (Raspberry Pi documentation).
    built = bench.circuit(change)
    lines = [f"VF {bench.FIELD} 0 12", f"VPIN drive 0 3.465", f"RPIN drive {bench.PIN} 1", "V3 +3V3 0 3.465", "V5 +5V 0 5"]
    waves = bench.simulate(built, most, lines + bench.grounded(), "tran 0.1m 20m", 25)
    yield "pin made an output", Measured("pin current", max(abs(value) for value in waves.current("VPIN")) * 1e3, 8, "mA")


def random_boards(full, change, table):
    """Yields the thresholds of many boards whose parts are anywhere in their tolerance. Some of them are also
    surged."""
    count = FULL_BOARDS if full else QUICK_BOARDS
    on, off, current, nearest = 0.0, 36.0, 0.0, None
    for seed in range(1, count + 1):
        one = RandomBoard(seed)
        built = one.fit(bench.circuit(change))
        pull = one.chance.uniform(bench.PULL[LEAST], bench.PULL[MOST])
        waves = bench.transfer(built, one.spread, one.temperature, pull, one.chance.uniform(3.135, 3.465))
        on, off = max(on, on_from(waves)), min(off, off_up_to(waves))
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
    yield situation, Measured("off up to", off, 2.0, "V", least=True)
    yield situation, Measured("current to 36 V", current, MOST_CURRENT, "mA")
    if nearest:
        yield f"{count // SURGED} of them, surged", nearest


def nearer(one, *others):
    """Returns the measurement that is nearest to its limit or furthest beyond it."""
    return min((measured for measured in (one, *others) if measured), key=lambda measured: measured.margin)


def pin_beyond(waves):
    """Returns the voltage by which the pin is beyond its supply or below ground."""
    pin, supply = waves.voltage(bench.PIN), waves.voltage("+3V3")
    return Measured("pin beyond its supply", max(0, *(value - top for value, top in zip(pin, supply)), *(-value for value in pin)), bench.BEYOND, "V")


#: All checks. Those that take the least time come first, so that a wrong part is detected early.
CHECKS = (thresholds, delays, surges, discharges, wiring, bursts, random_boards)
