"""The checks of the front end, which feeds the hold-up supply from a 24 V vehicle: the voltages of ISO 16750-2, the pulses
of ISO 7637-2 and discharges. They compare the load on each part with its limits, and the supply of the board with what the
board needs."""
import math

from circuit import parts
from circuit.netlist import FRONT_END, Circuit, number
from circuit.ngspice import piecewise, simulate
from circuit.parts import Measured
from circuit.spread import LEAST, MOST, TYPICAL, board

import pulses
import supply
from hold_up_checks import ENOUGH, HIGH, LOW, TOO_MUCH
from supply import BATTERY, MAIN, SUPPLY, WARNING, boots, built, loaded, lowest, vehicle

VEHICLE = pulses.VEHICLES[1]
#: ISO 16750-2, table 2, code F: the range in which everything works without limit (a reprint of BS ISO 16750-2:2010).
CODE_F = 16, 32
#: ISO 16750-2, 4.6.3, of a 24 V vehicle, level III, which has the lowest voltages: 6 V for 50 ms, 10 V for 1 s with 1 V
#: at 2 Hz, and back (Analog Devices quotes these values in LTspice's ISO16750-2.lib). The other levels last longer at
#: higher voltages, and have not been looked up.
START = [(0, 27), (0.1, 27), (0.11, 6), (0.16, 6), (0.21, 10), *((0.21 + step / 20, 10 - math.sin(step / 20 * 4 * math.pi)) for step in range(1, 20)),
         (1.21, 10), (1.25, 27), (3, 27)]
#: ISO 16750-2, 4.6.4, requires ten load dumps at intervals of a minute. These follow each other at once, which is harsher.
DUMPS, INTERVAL = 10, 0.8
#: The front end may take less from a reversed battery than a lamp does.
REVERSED = 10e-3
#: The highest voltage between the terminals, so that the distances on the board are sufficient. This is our own limit.
TERMINALS = 400
#: The highest ripple at the converter's input, at the other end of the filter and at its output, in mV. These are our own
#: limits.
RIPPLE, FILTERED_RIPPLE, MAIN_RIPPLE = 900, 10, 12
#: The formula of the switching frequency in hertz, for a resistor in ohms (TI TPS54560; from memory, to be checked), and
#: the ripple of the coil's current as a share of the rated current.
FREQUENCY, FASTEST, SLOWEST, COIL_RIPPLE = 92417e6, 600e3, 300e3, 0.3
#: Transconductances of the error amplifier and of the power stage (TI TPS54560; from memory, to be checked).
AMPLIFIER, STAGE = 350e-6, 12
#: The voltage of the RT pin, the voltage to which the capacitor at BOOT is charged, below which the switch stays off, and
#: that its pin endures, and the current of the switch's driver (TI TPS54560; from memory, to be checked).
RT, BOOT, BOOT_ENOUGH, BOOT_TOO_MUCH, DRIVER = 0.5, 5.5, 2.1, 8, 2.5e-3
#: The share of the time for which the converter's switch is on, with 27 V and the voltage drops of its parts.
DUTY = 0.225
#: The start and the end of the voltages at which the converter starts and stops, so that neither the starter nor the drop
#: across the wire keeps it off.
STARTS, STOPS = (8.5, 11), (5, 7)
GATE, RECTIFIED, PROTECTED, FILTERED = (f"/Front-end/{name}" for name in ("GATE", "RECTIFIED", "PROTECTED", "FILTERED"))
#: Half of the difference between the highest and the lowest board decides which boards are simulated.
ENDS = {"least": board(LEAST, limiter_vth=MOST, buck_eff=LEAST), "most": board(MOST, limiter_vth=LEAST, buck_eff=LEAST)}


def watched(drawn):
    for reference in ("F601", "D601", "D602", "D603"):
        drawn.measure(reference)
    return drawn


def stress(drawn, waves, table):
    """Yields a row for each part that the front end contains."""
    mine = {reference: limit for reference, limit in table.items() if reference[0] in "RCD" and reference[1] == "6" and reference != "D604"}
    yield from parts.stress(drawn, waves, mine)
    across = waves.voltage(RECTIFIED, PROTECTED)
    current = [abs(value) for value in waves.current("VI_D602")]
    yield Measured("D602 surge", max(current), table["D602"]["surge"], "A")
    yield Measured("D602 current", waves.average(current, parts.CONTINUOUS), table["D602"]["mean"], "A")
    yield Measured("Q601 voltage", max(max(across), -min(across)), table["Q601"]["voltage"], "V")
    yield Measured("Q601 gate", max(abs(value) for value in waves.voltage(GATE, PROTECTED)), table["Q601"]["gate"], "V")
    # The limit of 420 W is at a case of 75 °C, and the case has 85 °C.
    limit = table["Q601"]["power"] * (150 - parts.HOTTEST) / (150 - 75)
    yield Measured("Q601 power", waves.average([volt * ampere for volt, ampere in zip(across, current)], parts.CONTINUOUS), limit, "W")
    yield Measured("D604 voltage", max(waves.voltage("/Front-end/SW")), table["D604"]["voltage"], "V")
    yield Measured("U601 input", max(waves.voltage(FILTERED)), table["U601"]["voltage"], "V")
    yield Measured("U601 BOOT", max(waves.voltage("/Front-end/BOOT", "/Front-end/SW")), BOOT_TOO_MUCH, "V")
    yield Measured("U601 EN", max(waves.voltage("/Front-end/EN")), table["U601"]["enable"], "V")
    yield Measured("F601 current", math.sqrt(waves.average([value**2 for value in waves.current("VI_F601")], 1)), table["F601"]["current"], "A")


def nearest(situation, drawn, waves, table):
    """Yields the part that is nearest to its limit."""
    yield situation, min(stress(drawn, waves, table or parts.limits()), key=lambda measured: measured.margin)


def alive(situation, waves, start, warned=False):
    """Yields the supply of a board that must keep running, and must not be warned unless that is stated."""
    end = waves.x[-1]
    yield situation, Measured("supply", lowest(waves, SUPPLY, start, end), ENOUGH, "V", least=True)
    yield situation, Measured("supply", supply.highest(waves, SUPPLY, start, end), TOO_MUCH, "V")
    yield situation, Measured("boots other than one", abs(boots(waves) - 1), 0, "")
    if not warned:
        yield situation, Measured("pin that warns", lowest(waves, WARNING, start, end), HIGH, "V", least=True)


def operating(_full, change, table):
    """Yields the limits of code F with the full load, and the voltage of MAIN."""
    for volt in CODE_F:
        for name, reference in (("least", LEAST), ("most", MOST)):
            drawn = watched(built(change))
            waves = supply.run(drawn, board(TYPICAL, main_ref=reference, buck_eff=LEAST, limiter_vth=MOST, pass_r=MOST), vehicle([(0, volt), (1, volt)]) + loaded(15), 0.2)
            situation = f"code F, {volt} V, {name}, 15 W"
            yield from alive(situation, waves, 0.05)
            # 0.1 % more or less than the reference allows.
            off = abs(lowest(waves, MAIN, 0.1, 0.2) / (0.8 * 6.49) - 1)
            yield situation, Measured("MAIN off 5.19 V", off * 100, 1.3, "%")
            yield from nearest(situation, drawn, waves, table)


def thresholds(_full, change, _table):
    """Yields the voltages at which the converter starts and stops."""
    points = [(0, 4), (0.5, 13), (0.6, 13), (1.1, 4), (1.2, 4)]
    waves = supply.run(built(change), board(TYPICAL), vehicle(points, 0.05) + loaded(5), 1.2)
    volts = dict(zip(waves.x, waves.voltage("battery")))
    started = waves.first(waves.voltage(MAIN), lambda value: value > 4.5)
    stopped = waves.first(waves.voltage(MAIN), lambda value: value < 4.5, max(started or 0, 0.6))
    for what, time, (least, most) in (("starts at", started, STARTS), ("stops at", stopped, STOPS)):
        yield "slow rise and fall, 5 W", Measured(what, volts.get(time, 0), least, "V", least=True)
        yield "slow rise and fall, 5 W", Measured(what, volts.get(time, 99), most, "V")


def converting(_full, change, _table):
    """Yields what the frequency, the coils, the diode and the capacitors of the converter cause, because its model does
    not switch: a switch takes its place, with 27 V and 3.3 A. Without D604, the switch is assumed to break down at −10 V."""
    drawn = Circuit(FRONT_END)
    if change:
        change(drawn)
    boot, vin, _, rt, _, comp, com, switch = drawn.parts.pop("U601")[1]
    resistance, network = outside(drawn, boot, rt, comp, com)
    frequency = FREQUENCY / resistance ** 0.991 * 10 ** (-3 * 0.009)
    yield "converter", Measured("frequency", frequency / 1e3, FASTEST / 1e3, "kHz")
    yield "converter", Measured("frequency", frequency / 1e3, SLOWEST / 1e3, "kHz", least=True)
    if not SLOWEST <= frequency <= FASTEST:
        return
    yield from stability(network, frequency)
    for reference in ("C603", "C604", "C606", "C607"):
        drawn.scale(reference, supply.SHARES[reference])
    element, nodes, inductance = drawn.parts["L602"]
    drawn.parts["L602"] = (element, nodes, f"{inductance} IC=3.3")
    period = 1 / frequency
    lines = [supply.battery([(0, 27), (1, 27)]), "LWIRE battery wire 5u", f"RWIRE wire {BATTERY} 0.1", f"RLOAD {MAIN} 0 {5.19 / 3.3}", f".ic v({MAIN})=5.19",
             f"SSWITCH {vin} {switch} gate 0 ON", ".model ON SW(VT=0.5 VH=0 RON=0.09 ROFF=1e6)",
             "VBREAK break 0 -10", f"DBREAK break {switch} BREAK", ".model BREAK D(RS=0.1)", f"CSWITCH {switch} {com} 100p",
             f"BBOOT {vin} {boot} I=20m*(1+tanh(({BOOT}-V({boot},{com}))/0.2))", f"RBOOT {boot} {switch} {BOOT / DRIVER}", f"CBOOT {boot} {switch} 100p",
             f"VGATE gate 0 PULSE(0 1 1m 10n 10n {period * DUTY} {period})", f"ILOAD {MAIN} 0 PULSE(-3.3 0 0.999m 1n 1n 1 2)"]
    waves = simulate(drawn, board(TYPICAL), lines, "tran 0.1u 1.3m 0.95m 0.1u uic", 25, "reltol=2e-3")
    settled = 1.3e-3 - 1.1 * period
    for what, wave, limit in (("ripple at its input", waves.voltage(FILTERED), RIPPLE), ("ripple behind the filter", waves.voltage(PROTECTED), FILTERED_RIPPLE),
                              ("ripple of MAIN", waves.voltage(MAIN), MAIN_RIPPLE), ("ripple of the coil", [value * 1e3 for value in waves.current("L602")], COIL_RIPPLE * 5e3)):
        window = [value for time, value in zip(waves.x, wave) if time > settled]
        yield "converter", Measured(what, (max(window) - min(window)) * 1e3 / (1e3 if "coil" in what else 1), limit, "mA" if "coil" in what else "mV")
    yield "converter", Measured("MAIN, open loop", lowest(waves, MAIN, settled, 1.3e-3), 4.5, "V", least=True)
    yield "converter", Measured("MAIN, open loop", supply.highest(waves, MAIN, settled, 1.3e-3), 6, "V")
    charged = [volt for time, volt in zip(waves.x, waves.voltage(boot, switch)) if time > settled]
    yield "converter", Measured("BOOT to SW", min(charged), BOOT_ENOUGH, "V", least=True)


def outside(drawn, boot, rt, comp, com):
    """Returns the resistance that the RT pin of the converter sees, and the network that its COMP pin sees, as if it had
    the shape of the drawing. A current of 1 µA flows into COMP from 1 µs on."""
    current, start = 1e-6, 1e-6
    lines = [f"VBATTERY {FILTERED} 0 27", f"VMAIN {MAIN} 0 5.19", f"VBOOT {boot} boot {BOOT}", "RBOOT boot sw 100", "RSW sw /Front-end/SW 1",
             f"VRT {rt} {com} {RT}", f"ICOMP {com} {comp} PULSE(0 {current} {start} 1n 1n 1 2)", f"RCOMP {comp} {com} 10Meg"]
    waves = simulate(drawn, board(TYPICAL), lines, "tran 10n 1m 0 1u uic", 25)
    volts = waves.voltage(comp, com)
    before, soon, later, late, end = (at(waves, volts, start + time) for time in (0, 0.1e-6, 10e-6, 0.5e-3, 0.99e-3))
    slope = max((end - late) / 0.49e-3, 1e-9)
    small = current * 0.1e-6 / max(soon - before, 1e-12)
    value = {"R607": max((later - before - slope * 10e-6) / current, 1e-3), "C610": small, "C609": max(current / slope - small, 1e-15)}
    return RT / max(-waves.current("VRT")[-1], 1e-15), value


def at(waves, values, time):
    """Returns the value at the first sample from a time on."""
    return next(value for one, value in zip(waves.x, values) if one >= time)


def stability(value, frequency):
    """Yields the bandwidth of the converter with and without the capacitors of the board, the zero that has to be below it,
    and the pole that has to be above it."""
    gain = AMPLIFIER * 0.8 / 5.19 * value["R607"] * STAGE / (2 * math.pi)
    slow, quick = gain / (3 * 470e-6 + 2 * 47e-6), gain / (2 * 47e-6 * supply.SHARES["C606"])
    zero, pole = 1 / (2 * math.pi * value["R607"] * value["C609"]), 1 / (2 * math.pi * value["R607"] * value["C610"])
    yield "converter", Measured("bandwidth, with the board", slow / 1e3, 1, "kHz", least=True)
    yield "converter", Measured("bandwidth, without the board", quick / 1e3, frequency / 5e3, "kHz")
    yield "converter", Measured("zero", zero / 1e3, slow / 3e3, "kHz")
    yield "converter", Measured("zero", zero / 1e3, slow / 30e3, "kHz", least=True)
    yield "converter", Measured("pole", pole / 1e3, quick / 1e3, "kHz", least=True)
    yield "converter", Measured("pole", pole / 1e3, frequency / 1e3, "kHz")


def starter(_full, change, table):
    """Yields the starting profile. The bank feeds the board while the voltage is too low for the converter."""
    drawn = watched(built(change))
    waves = supply.run(drawn, supply.worst_board(), vehicle(START, 0.05) + loaded(10), 2)
    yield from alive("starter, level III, 10 W", waves, 0.05, warned=True)
    yield "starter, level III, 10 W", Measured("pin that warns, afterwards", lowest(waves, WARNING, 1.5, 2), HIGH, "V", least=True)
    yield from nearest("starter, level III, 10 W", drawn, waves, table)


def dumped(peak, count):
    """Returns load dumps of this peak from 27 V, after the board has started."""
    _, _, duration = VEHICLE.load_dump
    points, end = [(0, VEHICLE.running)], 0.05
    for _ in range(count):
        dump = pulses.decay(VEHICLE.load_dump[0] - VEHICLE.running, 10e-3, duration, VEHICLE.running, end)
        points += [(time, min(volt, peak)) for time, volt in dump]
        end += INTERVAL
    return points, end


def load_dumps(full, change, table):
    """Yields ten load dumps without a suppressor in the alternator (test A), and one with it (test B)."""
    for name, peak, count in (("load dump B", VEHICLE.limited, 1), (f"{DUMPS} load dumps A", VEHICLE.load_dump[0], DUMPS)):
        for side in ENDS if full else ("most",):
            points, end = dumped(peak, count)
            drawn = watched(built(change))
            waves = supply.run(drawn, ENDS[side], vehicle(points, VEHICLE.load_dump[1]) + loaded(15), end, 85 if side == "most" else -40)
            situation = f"{name}, {side}, 15 W"
            yield from alive(situation, waves, 0.045)
            yield from nearest(situation, drawn, waves, table)


def steady(_full, change, table):
    """Yields the jump start and the reversed battery."""
    drawn = watched(built(change))
    waves = supply.run(drawn, ENDS["least"], vehicle([(0, VEHICLE.jump_start), (1, VEHICLE.jump_start)], 0.05) + loaded(15), 0.3, -40)
    yield from alive("jump start, 15 W", waves, 0.05)
    yield from nearest("jump start, 15 W", drawn, waves, table)
    drawn = watched(built(change, 0))
    waves = supply.run(drawn, ENDS["most"], vehicle([(0, 0), (0.01, VEHICLE.reversed), (1, VEHICLE.reversed)], 0.05) + loaded(0), 0.3, 85)
    yield "reversed battery", Measured("current", max(abs(value) for value in waves.current("VBATTERY")), REVERSED, "A")
    yield "reversed battery", Measured("PROTECTED", -min(waves.voltage(PROTECTED)), 0.3, "V")
    yield from nearest("reversed battery", drawn, waves, table)


def interrupted(_full, change, table):
    """Yields pulse 1, before which the supply is cut, and pulse 2b. The bank feeds the board."""
    for surge in pulses.surges(VEHICLE):
        if surge.name not in ("pulse 1", "pulse 2b"):
            continue
        # The supply has a low resistance until the pulse, because the board could not start otherwise.
        later = [(time + 0.05, volt) for time, volt in surge.points]
        lines = [supply.battery([(0, VEHICLE.running), (1, VEHICLE.running)]), "SBATTERY battery terminal on 0 LOW", piecewise("VSURGE", "surge", "0", [(0, VEHICLE.running), *later]),
                 f"RSURGE surge pulse {surge.resistance}", "SSURGE pulse terminal off 0 LOW", f"RWIRE terminal {BATTERY} 1m", ".model LOW SW(VT=0.5 VH=0.1 RON=0.05 ROFF=1e9)",
                 piecewise("VON", "on", "0", [(0, 1), (0.05, 1), (0.050001, 0)]), piecewise("VOFF", "off", "0", [(0, 0), (0.05, 0), (0.050001, 1)])]
        drawn = watched(built(change))
        end = 0.05 + max(surge.end, 0.3)
        waves = simulate(drawn, ENDS["most"], lines + loaded(10), f"tran 0.1m {min(end, 1)} 0 {'2m' if surge.end > 1 else '0.2m'} uic", 85)
        yield from alive(surge.name, waves, 0.045, warned=True)
        yield surge.name, Measured("terminals", max(abs(value) for value in waves.voltage(BATTERY)), TERMINALS, "V")
        yield from nearest(surge.name, drawn, waves, table)


def burst(surge):
    """Returns the first 20 of the pulses 3a and 3b, because each of the 100 has the same effect."""
    return [(time + 0.5e-3, volt - VEHICLE.running) for time, volt in surge.points if time < 2.02e-3]


def fast(_full, change, table):
    """Yields pulses 2a, 3a and 3b, and discharges, at a converter that takes a constant current. Pulses 3a and 3b are
    coupled to the wire, whose inductance is 5 µH."""
    for surge in pulses.surges(VEHICLE):
        if surge.name == "pulse 2a":
            points = [(0, VEHICLE.running), *((time + 0.5e-3, volt) for time, volt in surge.points)]
            yield from sudden(surge.name, vehicle(points, surge.resistance), 3e-3, change, table)
        elif surge.fast:
            lines = [supply.battery([(0, VEHICLE.running), (1, VEHICLE.running)]), "LWIRE battery wire 5u", f"RWIRE wire {BATTERY} 0.1",
                     piecewise("VSURGE", "surge", "0", [(0, 0), *burst(surge)]), f"RSURGE surge pulse {surge.resistance}", f"CSURGE pulse {BATTERY} 100n"]
            yield from sudden(surge.name, lines, 2.6e-3, change, table)
    yield from sudden("plugged in", [piecewise("VBATTERY", "battery", "0", [(0, 0), (0.5e-3, 0), (0.501e-3, CODE_F[1])]), "LWIRE battery wire 5u", f"RWIRE wire {BATTERY} 0.1"],
                      3e-3, change, table)
    for volt in pulses.DISCHARGES:
        for name, resistance in (("plugged in", 0.2), ("unplugged", 1e9)):
            gun = [supply.battery([(0, VEHICLE.running), (1, VEHICLE.running)]), f"RWIRE battery {BATTERY} {resistance}", f"CGUN gun 0 {pulses.DISCHARGE_CAPACITANCE} IC={volt}",
                   f"RGUN hot {BATTERY} {pulses.DISCHARGE_RESISTANCE}", "SGUN gun hot start 0 GAP", ".model GAP SW(VT=0.5 VH=0.1 RON=1 ROFF=1e12)", "VSTART start 0 PWL(0 0 0.5m 0 0.50001m 1)"]
            yield from sudden(f"discharge {volt / 1e3:+.0f} kV, {name}", gun, 0.7e-3, change, table)


def sudden(situation, lines, end, change, table):
    drawn = Circuit(FRONT_END)
    for reference in ("C603", "C604"):
        drawn.scale(reference, supply.SHARES[reference])
    if change:
        change(drawn)
    drawn.parts["L602"] = ("RL602", drawn.parts["L602"][1], "30m")
    load = [f"BLOAD {FILTERED} 0 I=0.6*tanh(V({FILTERED})/10)", f"RMAIN {MAIN} 0 10k", f"R5 {SUPPLY} 0 1"]
    waves = simulate(watched(drawn), ENDS["most"], lines + load, f"tran 1u {end} 0 2u uic", 85, "reltol=5e-3")
    yield from nearest(situation, drawn, waves, table)


#: All checks. Those that take the least time come first, so that a wrong part is detected early.
CHECKS = (operating, converting, steady, thresholds, fast, starter, load_dumps, interrupted)


def all_checks(full, change=None, table=None):
    for check in CHECKS:
        yield from check(full, change, table)
