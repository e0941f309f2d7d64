"""The voltages on a vehicle's wires, with supply voltages and surges, each with its standard.

Pulses are those of the highest severity (level IV) of ISO 7637-2:2011. Load dump, jump start and reversed battery are
those of ISO 16750-2:2012. Load dump was looked up (JKIEES 30-8, table 1, which quotes ISO 16750-2). Everything else is
from memory, so check it against your edition. The input is a signal line, so the pulses of ISO 7637-3:2016 and the
surges and bursts of IEC 61000-4-5 and IEC 61000-4-4 are also applied. Their levels are from memory."""
import dataclasses
import math


@dataclasses.dataclass(frozen=True)
class Vehicle:
    name: str
    #: The supply voltage while the engine runs (ISO 7637-2, 4.2: UA).
    running: float
    #: The lowest and highest voltage on a signal's wire (ISO 16750-2, tables 1 and 2, codes C and F).
    least: float
    most: float
    #: ISO 7637-2, tables 2 to 6: Us of the pulses, and Ri, td and tr of pulse 1.
    pulse_1: tuple
    pulse_2a: float
    pulse_2b: float
    pulse_3a: float
    pulse_3b: float
    #: ISO 16750-2, tables 5 and 6: Us, Ri, td of test A, and the voltage Us* that an alternator's limiter leaves in
    #: test B.
    load_dump: tuple
    limited: float
    #: ISO 16750-2, 4.3.1 and 4.7, for 60 s or longer.
    jump_start: float
    reversed: float
    #: ISO 7637-3, slow pulses, level IV: the voltage of both polarities.
    slow: float


VEHICLES = (
    Vehicle("12 V", 13.5, 9, 16, (-150, 10, 2e-3, 1e-6), 112, 10, -220, 150, (101, 0.5, 0.4), 35, 24, -14, 30),
    Vehicle("24 V", 27, 16, 32, (-600, 50, 1e-3, 3e-6), 112, 20, -300, 300, (202, 1, 0.35), 65, 36, -28, 45),
)


@dataclasses.dataclass(frozen=True)
class Surge:
    name: str
    #: The source voltage over time, and the resistance of the source.
    points: list
    resistance: float
    end: float
    step: float
    #: True if a wrong level counts, because except for the surge the wire still has its proper voltage.
    brief: bool = False
    #: True for a burst of fast pulses, whose simulation takes a second.
    fast: bool = False


def decay(amplitude, rise, duration, base, start, until=3.0):
    """Returns a double exponential as ISO 7637-1 defines it, with tr from 10 % to 90 % and td from 10 % to 10 %."""
    constant = duration / math.log(10)
    peak = start + rise / 0.8
    points = [(start, base), (peak, base + amplitude)]
    points += [(peak + constant * step / 4, base + amplitude * math.exp(-step / 4)) for step in range(1, round(until * 4) + 1)]
    return points + [(points[-1][0] + constant / 2, base)]


def surges(vehicle):
    """Yields the surges of a vehicle of this voltage, on a wire that carries its supply."""
    base = vehicle.running
    amplitude, resistance, duration, rise = vehicle.pulse_1
    # The supply is cut off (t3 below 100 µs) before the pulse.
    yield Surge("pulse 1", [(0, base), (50e-6, base), (60e-6, 0)] + decay(amplitude, rise, duration, 0, 100e-6),
                resistance, 4e-3, 2e-6)
    yield Surge("pulse 2a", [(0, base)] + decay(vehicle.pulse_2a, 1e-6, 50e-6, base, 100e-6), 2, 2e-3, 0.5e-6, True)
    # A motor continues to run as a generator for up to 2 s after the supply is cut off.
    yield Surge("pulse 2b", [(0, base), (0.05, base), (0.051, 0), (0.052, vehicle.pulse_2b), (1.05, vehicle.pulse_2b / 2),
                             (2.05, 0.1 * vehicle.pulse_2b), (2.1, 0)], 0.05, 2.2, 1e-3)
    for name, amplitude in (("pulse 3a", vehicle.pulse_3a), ("pulse 3b", vehicle.pulse_3b)):
        yield Surge(name, burst(amplitude, base), 50, 12e-3, 2e-6, True, True)
    amplitude, resistance, duration = vehicle.load_dump
    for name, most in (("load dump A", amplitude), ("load dump B", vehicle.limited)):
        dump = [(time, min(volt, most)) for time, volt in decay(amplitude - base, 10e-3, duration, base, 0.05)]
        yield Surge(name, [(0, base)] + dump, resistance, 1.1, 0.5e-3)
    # ISO 7637-3, directly coupled. Its fast pulses are smaller than pulses 3a and 3b, and have the same shape.
    for name, sign in (("7637-3 slow +", 1), ("7637-3 slow −", -1)):
        yield Surge(name, [(0, base)] + decay(sign * vehicle.slow, 1e-6, 50e-6, base, 100e-6), 2, 2e-3, 0.5e-6, True)
    for name, volt in (("jump start", vehicle.jump_start), ("reversed battery", vehicle.reversed)):
        yield Surge(name, [(0, 0), (1e-3, volt)], 0.05, 2, 1e-3)


def burst(amplitude, base):
    """Returns pulses 3a and 3b for 10 ms, one each 100 µs, with tr = 5 ns and td = 150 ns."""
    points = [(0, base)]
    for number in range(100):
        points += decay(amplitude, 5e-9, 150e-9, base, 50e-6 + number * 100e-6)
    return points


def combination_wave(volt):
    """Returns the surge of IEC 61000-4-5, which rises in 1.2 µs and halves in 50 µs. 42 Ω is the resistance for a signal
    line, and 1 kV is the level of EN 61000-6-2."""
    halving = 50e-6 / math.log(2) * math.log(10)
    return Surge(f"surge {volt:+.0f} V", [(0, 0)] + decay(volt, 1e-6, halving, 0, 10e-6), 42, 1e-3, 0.2e-6)


def fast_transient(volt):
    """Returns one pulse of a burst of IEC 61000-4-4, which rises in 5 ns and halves in 50 ns."""
    halving = 50e-9 / math.log(2) * math.log(10)
    return Surge(f"transient {volt:+.0f} V", [(0, 0)] + decay(volt, 5e-9, halving, 0, 1e-6), 50, 20e-6, 5e-9)


SURGES, TRANSIENTS = (1e3, -1e3), (2e3, -2e3)


def load_dumps(vehicle, count):
    """Returns as many load dumps A, one each minute."""
    amplitude, resistance, duration = vehicle.load_dump
    points = [(0, vehicle.running)]
    for number in range(count):
        points += decay(amplitude - vehicle.running, 10e-3, duration, vehicle.running, 1 + number * 60)
    return Surge(f"{count} load dumps A", points, resistance, count * 60, 0.2)


#: ISO 10605 has 330 pF. 330 Ω is harsher than the 2 kΩ of a person in a vehicle. Contact is ± 8 kV, and air is ± 15 kV.
#: IEC 61000-4-2 has 150 pF and 330 Ω, which is less charge at the same voltage.
DISCHARGES = (8e3, -8e3, 15e3, -15e3)
DISCHARGE_CAPACITANCE, DISCHARGE_RESISTANCE = 330e-12, 330


def gun(volt, node):
    """Returns the lines of a circuit for a discharge into a node."""
    return [f"CGUN gun 0 {DISCHARGE_CAPACITANCE} IC={volt}", f"RGUN hot {node} {DISCHARGE_RESISTANCE}",
            "SGUN gun hot start 0 GAP", ".model GAP SW(VT=0.5 VH=0.1 RON=1 ROFF=1e12)", "VSTART start 0 PWL(0 0 1u 0 1.01u 1)"]
