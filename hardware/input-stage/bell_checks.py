"""The checks of the bell input, which has to be on while a telephone line or a door bell rings, and off otherwise.

The voltages of a telephone line are from memory: ringing with 35 V to 90 V AC and 16 Hz to 68 Hz on a supply of 48 V, a
supply of 56.5 V at most, 10 pulses a second while somebody dials, and a load of at least 4 kΩ while it rings (ETSI ES 203
021). A door bell has a transformer of 8 V to 24 V, whose voltage may deviate by 10 %."""
import math

from circuit import parts
from circuit.netlist import BELL, Circuit
from circuit.ngspice import piecewise, simulate
from circuit.parts import Measured
from circuit.spread import LEAST, MOST, TYPICAL, board

import bench
import input_checks
import pulses

PIN, LINE_A, LINE_B = "/GPIO11", "/Bell/LINE_A", "/Bell/LINE_B"
RECT, RETURN, SELECT = "/Bell/RECT", "/Bell/RETURN", "/Bell/SELECT"
#: The ringing voltages in V AC that must be detected, and the frequencies in Hz.
RINGING, LOUDEST, SLOWEST, FASTEST = 35, 90, 16, 68
#: The highest and the nominal supply of the line, in V.
IDLE, NOMINAL = 56.5, 48
#: A door bell's voltage, in V AC, at least and at most, and the voltage of hum on its wires. The last is our own limit.
BELL_LEAST, BELL_MOST, HUM = 8 * 0.9, 24 * 1.1, 2
#: The times in which the pin has to follow the bell, in ms. The shortest ring of a cadence lasts 400 ms (from memory), so
#: a bell of 25 Hz must be detected earlier. C502 takes longest to lose the voltage of the loudest ring. These are our own limits.
FOLLOWS, FOLLOWS_SLOW, RELEASES = 350, 600, 1000
#: The load of the input on the line while it rings, in kΩ, and its direct current, in µA, which 5 MΩ would take.
LOAD, LEAK = 4, IDLE / 5
#: The time after which C502 must be empty, in s, and the voltage that counts as empty. Until then, a pulse of the line
#: may reach the threshold. This is our own limit.
EMPTY_AFTER, EMPTY = 10, 15
#: The film capacitor has ± 10 % and 5 % over temperature. The electrolytic one has ± 20 %, and −20 % when it is old (from
#: memory, to be checked).
FILM, ELECTROLYTIC_LEAST, ELECTROLYTIC_MOST = 0.15, 0.64, 1.2
#: The current that this sheet may take from the board's 3.3 V, in mA, and the current that leaks from its pin, in A. Both
#: are our own limits.
SUPPLY, LEAKING = 3, 10e-6
#: A pin's default strength, in mA (Raspberry Pi documentation).
OUTPUT = 8
#: The surge of ITU-T K.21 on a telephone line: 1.5 kV, 10/700 µs, 40 Ω (from memory, to be checked).
LONG_SURGE = 1.5e3


def built(change, film=1.0, electrolytic=1.0, jumper=False):
    drawn = Circuit(BELL)
    drawn.scale("C501", film)
    drawn.scale("C502", electrolytic)
    if change:
        change(drawn)
    if jumper:
        drawn.extra.append(f"RJUMPER {RECT} {SELECT} 0.01")
    return drawn


def insensitive():
    return board(MOST, ctr=LEAST, gain=LEAST, dark=LEAST)


def sensitive():
    return board(LEAST, ctr=MOST, gain=MOST, dark=MOST)


def supplies(pull, volt=3.3):
    """Returns the board's supply and its pin. The line has a leak to the board's ground."""
    return [f"V3 +3V3 0 {volt}", f"RPULL +3V3 {PIN} {pull}", f"CPIN {PIN} 0 5p", f"RLINE {LINE_B} 0 10Meg"]


def rings(volts, hertz, end, direct=NOMINAL, start=0.1):
    """Returns a line that rings from `start` to `end`, through 200 Ω."""
    ringing = f"V(on)*{volts * math.sqrt(2):g}*sin({2 * math.pi * hertz:g}*(time-{start}))"
    return [piecewise("VON", "on", "0", [(0, 0), (start, 0), (start + 1e-6, 1), (end, 1), (end + 1e-6, 0)]),
            f"BRING line {LINE_B} V={direct}*min(time/1m,1)+{ringing}", f"RRING line {LINE_A} 200"]


def heard(situation, drawn, spread, temperature, lines, start, end, follows):
    """Yields the level of the pin while a bell rings, and the times in which it follows the bell."""
    waves = simulate(drawn, spread, supplies(bench.PULL[LEAST], 3.465) + lines, f"tran 0.2m {end + 1.1} 0 1m", temperature)
    pin = waves.voltage(PIN)
    on = waves.first(pin, lambda value: value < bench.LOW, start) or waves.x[-1]
    settled = [value for time, value in zip(waves.x, pin) if start + follows / 1e3 < time < end]
    off = waves.first(pin, lambda value: value > bench.HIGH, end) or waves.x[-1] + 1
    yield situation, Measured("asserted after", (on - start) * 1e3, follows, "ms")
    yield situation, Measured("pin while it rings", max(settled), bench.LOW, "V")
    yield situation, Measured("released after", (off - end) * 1e3, RELEASES, "ms")
    yield situation, Measured("current from 3.3 V", max(abs(value) for value in waves.current("V3")) * 1e3, SUPPLY, "mA")


def ringing(_full, change, _table):
    """Yields the results of the weakest ringing at the board that is the least sensitive, and of the strongest at the board
    that is the most sensitive. The pin does not change between the half waves."""
    for hertz, follows, electrolytic in ((SLOWEST, FOLLOWS_SLOW, ELECTROLYTIC_LEAST), (SLOWEST, FOLLOWS_SLOW, ELECTROLYTIC_MOST), (25, FOLLOWS, ELECTROLYTIC_MOST)):
        for temperature in (-40, 85):
            drawn = built(change, 1 - FILM, electrolytic)
            yield from heard(f"{RINGING} V AC, {hertz} Hz, C502 × {electrolytic}, {temperature} °C", drawn, insensitive(), temperature, rings(RINGING, hertz, 1.1), 0.1, 1.1, follows)
    drawn = built(change, 1 + FILM, ELECTROLYTIC_MOST)
    yield from heard(f"{LOUDEST} V AC, 50 Hz, 85 °C", drawn, sensitive(), 85, rings(LOUDEST, 50, 0.7, IDLE), 0.1, 0.7, FOLLOWS)


def door_bell(_full, change, _table):
    """Yields the results of a door bell with the jumper at J502, and of hum on its wires."""
    for hertz in (47, 63):
        lines = rings(BELL_LEAST, hertz, 0.6, 0)
        yield from heard(f"door bell, {BELL_LEAST:.1f} V AC, {hertz} Hz, −40 °C", built(change, 1 - FILM, ELECTROLYTIC_MOST, True), insensitive(), -40, lines, 0.1, 0.6, FOLLOWS)
    yield from silent(f"door bell, hum of {HUM} V AC", built(change, 1 + FILM, ELECTROLYTIC_LEAST, True), rings(HUM, 63, 1, 0, 0.01), 0.5, 1e-3)


def silent(situation, drawn, lines, end, step=1e-3):
    """Yields the lowest level of the pin of the most sensitive board. Its pin leaks, and has no pull-up of its own."""
    waves = simulate(drawn, sensitive(), supplies(1e9, 3.135) + [f"ILEAK {PIN} 0 {LEAKING}"] + lines, f"tran 0.2m {end} 0 {step}", 85)
    settled = [value for time, value in zip(waves.x, waves.voltage(PIN)) if time > 5e-3]
    yield situation, Measured("pin", min(settled), bench.HIGH, "V", least=True)


def dialled():
    """Returns a line on which somebody dials two digits of ten pulses."""
    points, time = [(0, IDLE), (0.1, IDLE), (0.101, 5)], 0.3
    for number in range(20):
        points += [(time, 5), (time + 1e-4, IDLE), (time + 0.06, IDLE), (time + 0.0601, 0)]
        time += 0.1
    return points + [(time, 5)]


def quiet(_full, change, _table):
    """Yields the level of the pin while somebody dials, takes off the handset and puts it on, and while the exchange reverses
    the polarity."""
    steps = {"dialling pulses": (dialled(), 2.4), "handset taken off and put on": ([(0, 0), (1e-3, IDLE), (0.2, IDLE), (0.2001, 5), (0.4, 5), (0.4001, IDLE)], 0.6),
             "polarity reversed": ([(0, -IDLE), (0.2, -IDLE), (0.2001, IDLE)], 0.4)}
    for name, (points, end) in steps.items():
        lines = [piecewise("VLINE", "line", LINE_B, points), f"RLINE2 line {LINE_A} 200"]
        yield from silent(name, built(change, 1 + FILM, ELECTROLYTIC_LEAST), lines, end)
    drawn = built(change, 1, ELECTROLYTIC_MOST)
    drawn.extra.append(f"CCHARGED {RECT} {RETURN} 1n IC=30")
    element, nodes, value = drawn.parts["C502"]
    drawn.parts["C502"] = (element, nodes, f"{value} IC=30")
    waves = simulate(drawn, board(TYPICAL), supplies(1e9) + [f"RQUIET {LINE_A} {LINE_B} 600"], f"tran 10m {EMPTY_AFTER} 0 100m uic", 25)
    yield "after a ring", Measured(f"C502 after {EMPTY_AFTER} s", waves.voltage(RECT, RETURN)[-1], EMPTY, "V")


def loading(_full, change, _table):
    """Yields the load of the input on the line."""
    for volts, hertz in ((60, 25), (LOUDEST, 50)):
        waves = simulate(built(change, 1 + FILM), board(LEAST), supplies(1e9) + rings(volts, hertz, 2, IDLE), "tran 0.2m 1.2 0.8 0.5m", 85)
        effective = math.sqrt(sum_of(waves, waves.voltage(LINE_A, "line"), 200) / (waves.x[-1] - waves.x[0]))
        yield f"{volts} V AC, {hertz} Hz", Measured("load", volts / effective / 1e3, LOAD, "kΩ", least=True)
    lines = [f"VIDLE {LINE_A} {LINE_B} {IDLE}"]
    waves = simulate(built(change), board(LEAST), supplies(1e9) + lines, "tran 1m 2 1 10m", 85)
    yield f"{IDLE} V DC", Measured("current", abs(waves.current("VIDLE")[-1]) * 1e6, LEAK, "µA")


def sum_of(waves, across, resistance):
    """Returns the integral of the square of the current in a resistor."""
    return waves.energy([(value / resistance) ** 2 for value in across])


def isolation(_full, change, _table):
    """Yields the current across the isolation, as for the input of a vehicle."""
    for name, source, analysis in (("60 V between the grounds", f"VG {LINE_B} 0 60", "tran 1m 20m"), ("24 V AC between the grounds", f"VG {LINE_B} 0 SIN(0 34 50)", "tran 0.1m 60m")):
        waves = simulate(built(change), board(TYPICAL), [*supplies(1e9)[:-1], source, f"RQUIET {LINE_A} {LINE_B} 600"], analysis)
        yield name, Measured("current", max(abs(value) for value in waves.current("VG")) * 1e3, input_checks.LEAKAGE, "mA")


def output(_full, change, _table):
    """Yields the current of a pin that drives high while the bell rings."""
    lines = rings(LOUDEST, 50, 1) + ["VPIN drive 0 3.465", f"RPIN drive {PIN} 1"]
    waves = simulate(built(change), board(MOST), supplies(1e9, 3.465) + lines, "tran 0.2m 0.4 0 1m", 25)
    yield "pin made an output", Measured("pin current", max(abs(value) for value in waves.current("VPIN")) * 1e3, OUTPUT, "mA")


def lasting(_full, change, table):
    """Yields the load on each part while the bell rings for a long time, and when somebody puts on the jumper meanwhile."""
    for name, volts, hertz, direct, jumper in (("telephone", LOUDEST, 50, IDLE, False), ("telephone", LOUDEST, FASTEST, IDLE, False), ("door bell", BELL_MOST, 63, 0, True)):
        drawn = parts.watch(built(change, 1 + FILM, 1, jumper))
        waves = simulate(drawn, board(LEAST), supplies(bench.PULL[LEAST]) + rings(volts, hertz, 2, direct), "tran 0.2m 1 0.5 0.3m", parts.HOTTEST)
        yield f"{name}, {volts:.1f} V AC, {hertz} Hz", nearest(drawn, waves, table)
    drawn = parts.watch(built(change, 1, ELECTROLYTIC_MOST))
    lines = [f"SJUMPER {RECT} {SELECT} put 0 JUMPER", ".model JUMPER SW(VT=0.5 VH=0.1 RON=0.1 ROFF=1e9)", piecewise("VPUT", "put", "0", [(0, 0), (0.5, 0), (0.50001, 1)])]
    waves = simulate(drawn, board(LEAST), supplies(bench.PULL[LEAST]) + rings(LOUDEST, 50, 0.49) + lines, "tran 0.1m 0.6 0.48 0.2m", parts.HOTTEST)
    current = max(waves.current("VI_U501"))
    yield "jumper put on after a ring", Measured("U501 current", current, (table or bench.limits())["U501"]["current"], "A")


def nearest(drawn, waves, table):
    """Returns the part that is nearest to its limit."""
    table = table or bench.limits()
    impulse = Measured("D501 current", max(abs(value) for value in waves.current("VI_D501")), table["D501"]["impulse"], "A")
    return input_checks.nearer(impulse, *parts.stress(drawn, waves, table))


def long_surge(volt):
    """Returns the surge of ITU-T K.21, which rises in 10 µs and halves in 700 µs."""
    halving = 700e-6 / math.log(2) * math.log(10)
    return pulses.Surge(f"surge 10/700 {volt:+.0f} V", [(0, 0)] + pulses.decay(volt, 8e-6, halving, 0, 10e-6), 40, 6e-3, 2e-6)


def strikes(full, change, table):
    """Yields the results of surges between the wires and in common mode, and of fast transients in common mode."""
    grounded = [f"RGROUND {LINE_B} 0 0.01"]
    cases = [(LINE_A, LINE_B, "line", grounded, pulses.combination_wave, pulses.SURGES), (LINE_A, LINE_B, "line", grounded, long_surge, (LONG_SURGE, -LONG_SURGE)),
             (LINE_B, "0", "common mode", [f"RWIRES {LINE_A} {LINE_B} 600"], pulses.combination_wave, pulses.SURGES),
             (LINE_B, "0", "common mode", [f"RWIRES {LINE_A} {LINE_B} 600"], pulses.fast_transient, pulses.TRANSIENTS)]
    for node, other, name, ground, shape, volts in cases:
        for volt in volts:
            one, worst, beyond, wrong = shape(volt), None, None, 0.0
            for spread, temperature in bench.worst_boards() if full else bench.worst_boards()[2:]:
                drawn = parts.watch(built(change))
                waves = bench.strike(drawn, spread, one, node, other, temperature, supplies(1e9) + ground)
                worst = input_checks.nearer(worst, nearest(drawn, waves, table))
                beyond = input_checks.nearer(beyond, pin_beyond(waves))
                wrong = max(wrong, waves.longest(waves.voltage(PIN), lambda value: value < bench.HIGH))
            yield f"{one.name}, {name}", worst
            yield f"{one.name}, {name}", beyond
            yield f"{one.name}, {name}", input_checks.wrong_level(wrong)


def discharges(full, change, table):
    """Yields the results of discharges into each terminal, with the line at the board's ground or unconnected."""
    for node, other, name in ((LINE_A, LINE_B, "A"), (LINE_B, LINE_A, "B")):
        for ground, end in (([f"RGROUND {other} 0 0.01"], ""), ([f"RWIRES {other} 0 1e12"], ", no ground")):
            worst, beyond = None, None
            for volt in pulses.DISCHARGES if full else pulses.DISCHARGES[2:]:
                for spread, temperature in bench.worst_boards() if full else bench.worst_boards()[2:]:
                    drawn = parts.watch(built(change))
                    waves = bench.discharge(drawn, spread, volt, node, temperature, supplies(1e9) + ground)
                    worst = input_checks.nearer(worst, nearest(drawn, waves, table))
                    beyond = input_checks.nearer(beyond, pin_beyond(waves))
            yield f"discharge ±15 kV, {name}{end}", worst
            yield f"discharge ±15 kV, {name}{end}", beyond


def pin_beyond(waves):
    """Returns the voltage by which the pin is beyond its supply or below ground."""
    pin, volts = waves.voltage(PIN), waves.voltage("+3V3")
    return Measured("pin beyond its supply", max(0, *(value - top for value, top in zip(pin, volts)), *(-value for value in pin)), bench.BEYOND, "V")


#: All checks. Those that take the least time come first, so that a wrong part is detected early.
CHECKS = (isolation, output, quiet, door_bell, loading, strikes, discharges, ringing, lasting)


def all_checks(full, change=None, table=None):
    for check in CHECKS:
        yield from check(full, change, table)
