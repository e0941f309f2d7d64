"""The checks of the hold-up supply, which compare the time for which the board runs after the warning with the time of a
checkpoint, and which count how often the board boots."""
from circuit import parts
from circuit.netlist import HOLD_UP, Circuit, number
from circuit.parts import Measured
from circuit.spread import LEAST, MOST, TYPICAL, RandomBoard, board

import supply
from supply import BACKUP, BANK, CHARGED, GOOD, MAIN, RUNNING, SUPPLY, WARNING, boots, built, cut, highest, loaded, lowest, vehicle, worst_board

#: The loads in watts: a Pi 3, a Pi 4, and a Pi 4 or 5 with USB devices (Raspberry Pi documentation, power supplies; from
#: memory, to be checked). The amplifier has its own supply.
LOADS = (5, 10, 15)
#: The board warns of too low a voltage below 4.63 V, and accepts up to 5.25 V (Raspberry Pi documentation; from memory,
#: to be checked).
ENOUGH, TOO_MUCH = 4.63, 5.25
#: The `Debounce=` that the drawing recommends for the warning line.
DEBOUNCE = 5e-3
#: The time from the wire to the speaker, less the 30 ms of `Debounce=`. It is the slowest of 50 on the emulated arm64
#: board (Tests/Bench/README.md, make board-test: 71.0 ms). A checkpoint starts earlier than a sound changes.
REACTION = 41e-3
#: The time of a checkpoint on a server's disk, which is the 99th percentile of 500 (Tests/Bench/README.md, make
#: bench-state), and the factor by which a memory card is assumed to be slower. The factor is an assumption, not a
#: measurement.
CHECKPOINT, SLOW_CARD = 3.17e-3, 100
#: The longest time of a checkpoint on a card. A card may be busy for 250 ms after each write (SanDisk SD Card Product
#: Manual 2.2, section 4.7.2), and a checkpoint on ext4 writes data, journal and commit. A card of more than 32 GB may
#: take 500 ms each (from memory, to be checked).
BUSIEST_CARD = 3 * 0.25
#: The time by which the bank must be charged, and the time by which a jumper must have discharged it to a harmless
#: voltage, as specified on the drawing.
CHARGED_AFTER, DISCHARGED_AFTER, HARMLESS = 600, 1800, 0.5
#: The least difference between MAIN and BACKUP, with which only MAIN feeds the board.
APART = 0.05
#: The leakage of a cell (from memory, to be checked).
CELL_LEAK = 30e-6
#: The current that the converter has left beside 15 W.
CHARGING = 0.6
#: A bank that is still above this voltage has not been used.
UNUSED = 4.65
#: The current that a pin, a connector and dirt may take from a line, which is our own limit.
LEAK = 50e-6
#: The current of a line whose pin was made an output by mistake, in mA, which is our own limit.
OUTPUT = 5
#: A pin reads high above the first voltage and low below the second (Raspberry Pi documentation: Pi 4).
HIGH, LOW = 2.0, 0.8
FAILS, ENDS = 0.1, {5: 6.5, 10: 4, 15: 2}
FULL_BOARDS, QUICK_BOARDS = 50, 2


def needed(checkpoint):
    return DEBOUNCE + REACTION + checkpoint


def failure(change, spread, power, end=None, temperature=25, bank=CHARGED):
    """Simulates a board that runs when the wire to the vehicle is cut at `FAILS`."""
    return supply.run(built(change, bank), spread, cut(FAILS) + loaded(power), end or ENDS[power], temperature)


def moments(waves):
    """Returns the times at which the board is warned, and at which its voltage is too low."""
    warned = waves.first(waves.voltage(WARNING), lambda value: value < LOW, FAILS)
    dead = waves.first(waves.voltage(SUPPLY), lambda value: value < ENOUGH, FAILS)
    # Neither may hide a failure. Without a warning, no time is left. Without an end, only the simulated time counts.
    end = waves.x[-1]
    return (end if warned is None else warned), (end if dead is None else dead)


def started(situation, waves, bank=CHARGED):
    """Yields the conditions just before the failure, because the results are worth nothing if they are not met."""
    before = FAILS / 2, FAILS
    yield situation, Measured("BANK before", abs(lowest(waves, BANK, *before) - bank), 0.05, "V")
    yield situation, Measured("supply before", lowest(waves, SUPPLY, *before), 4.9, "V", least=True)
    yield situation, Measured("pin that warns before", lowest(waves, WARNING, *before), HIGH, "V", least=True)
    yield situation, Measured("boots other than one", abs(boots(waves) - 1), 0, "")


def failing(full, change, _table):
    """Yields the times for which the worst board runs after the warning. It must not boot again afterwards."""
    for power in reversed(LOADS if full else LOADS[2:]):
        situation = f"worst board, {power} W"
        waves = failure(change, worst_board(), power)
        warned, dead = moments(waves)
        alive = dead - warned
        yield from started(situation, waves)
        yield situation, Measured("alive, card 100 × slower", alive * 1e3, needed(CHECKPOINT * SLOW_CARD) * 1e3, "ms", least=True)
        yield situation, Measured("alive, busiest card", alive * 1e3, needed(BUSIEST_CARD) * 1e3, "ms", least=True)
        yield situation, Measured("supply until then", lowest(waves, SUPPLY, FAILS, warned + needed(BUSIEST_CARD)), ENOUGH, "V", least=True)
        # Otherwise, the bank would feed the vehicle through Q201, or the board again.
        yield situation, Measured("MAIN afterwards", lowest(waves, MAIN, FAILS, FAILS + 0.2), 0.5, "V")
        yield situation, Measured("EN of U202 in the end", waves.voltage("/Hold-up/ENABLE")[-1], 0.4, "V")


def barely_charged(_full, change, _table):
    """Yields the time for which the worst board runs if the bank has just reached the lowest voltage that counts as
    good."""
    least = 0.405 * 0.98 * 11
    waves = failure(change, worst_board(), 10, bank=least, end=3)
    warned, dead = moments(waves)
    yield from started("bank just good, 10 W", waves, least)
    yield "bank just good, 10 W", Measured("alive, busiest card", (dead - warned) * 1e3, needed(BUSIEST_CARD) * 1e3, "ms", least=True)


def idle(_full, change, _table):
    """Yields the delay of the warning if nothing discharges the converter's output except R208."""
    best = board(TYPICAL, bank=MOST, bank_esr=LEAST, boost_ref=MOST, boost_eff=MOST, warning=LEAST, main_ref=MOST)
    waves = failure(change, best, 0, end=1)
    yield "strongest bank, idle", Measured("warned after", (moments(waves)[0] - FAILS) * 1e3, 100, "ms")


def no_failure(_full, change, table):
    """Yields the voltages of a board whose supply does not fail. MAIN feeds it, and it is not warned."""
    table = table or parts.limits()
    for name, spread, power in (("least MAIN, 15 W", board(TYPICAL, main_ref=LEAST, boost_ref=MOST, warning=MOST, pass_r=MOST), 15),
                                ("most MAIN, 5 W", board(TYPICAL, main_ref=MOST, boost_ref=MOST, pass_r=LEAST), 5)):
        drawn = built(change)
        waves = supply.run(drawn, spread, vehicle([(0, RUNNING), (1, RUNNING)]) + loaded(power), 0.2)
        settled = 0.1, 0.2
        situation = f"no failure, {name}"
        yield situation, Measured("BACKUP", highest(waves, BACKUP, *settled), lowest(waves, MAIN, *settled) - APART, "V")
        yield situation, Measured("pin that warns", lowest(waves, WARNING, *settled), HIGH, "V", least=True)
        yield situation, Measured("pin for the bank", lowest(waves, GOOD, *settled), HIGH, "V", least=True)
        yield situation, Measured("supply", highest(waves, SUPPLY, *settled), TOO_MUCH, "V")
        yield situation, Measured("supply", lowest(waves, SUPPLY, *settled), 5, "V", least=True)
        heat = highest(waves, MAIN, *settled) ** 2 / number(drawn.parts["R208"][2])
        yield situation, Measured("R208 power", heat, table["R208"]["power"], "W")
    # The model of U202 does not switch, so its coil is only calculated, at 1 MHz and the lowest voltage of the bank.
    drawn = Circuit(HOLD_UP)
    if change:
        change(drawn)
    ripple = 2.85 * (1 - 2.85 / 4.8) / (number(drawn.parts["L201"][2]) * 1e6)
    yield "U202", Measured("ripple of the coil", ripple, 3, "A")
    yield "U202", Measured("ripple of the coil", ripple, 0.3, "A", least=True)


def lines(_full, change, _table):
    """Yields the levels of both lines, with a pin that has no pull-up but a leak, and with one that was made an output."""
    for name, node, reached in (("POWER_FAIL", WARNING, CHARGED), ("BANK_GOOD", GOOD, CHARGED)):
        drawn = built(change, reached)
        leak = [f"ILEAK {node} 0 {LEAK}"]
        waves = supply.run(drawn, board(TYPICAL), vehicle([(0, RUNNING), (1, RUNNING)]) + loaded(5, pull=1e9) + leak, 0.1)
        yield f"{name} high, {LEAK * 1e6:.0f} µA of leakage", Measured("pin", lowest(waves, node, 0.06, 0.1), HIGH, "V", least=True)
        # Without a vehicle and with an empty bank, both lines are low. The board has its own supply.
        board_only = [f"V5 {SUPPLY} 0 5", "V3 +3V3 0 3.465", f"RVEHICLE {supply.BATTERY} 0 1k"]
        waves = supply.run(built(change, 0), board(TYPICAL), [*board_only, f"RPULL +3V3 {node} {supply.PULL}"], 0.02)
        yield f"{name} low", Measured("pin", highest(waves, node, 0.01, 0.02), LOW / 2, "V")
        waves = supply.run(built(change, 0), board(TYPICAL), [*board_only, f"VPIN {node} 0 3.465"], 0.02)
        yield f"{name} low, pin made an output", Measured("pin current", max(abs(value) for value in waves.current("VPIN")[len(waves.x) // 2:]) * 1e3, OUTPUT, "mA")


def starting(_full, change, table):
    """Yields the start with an empty bank, which charges the capacitors of the board."""
    waves = supply.run(built(change, 0), board(TYPICAL, main_ref=LEAST, warning=MOST, pass_r=MOST), vehicle([(0, RUNNING), (1, RUNNING)]) + loaded(15), 0.2)
    yield "start, empty bank, 15 W", Measured("boots other than one", abs(boots(waves) - 1), 0, "")
    yield "start, empty bank, 15 W", Measured("supply", lowest(waves, SUPPLY, 0.05, 0.2), 5, "V", least=True)
    yield "start, empty bank, 15 W", Measured("pin for the bank", highest(waves, GOOD, 0.05, 0.2), LOW, "V")
    yield "start, empty bank, 15 W", Measured("BACKUP", highest(waves, BACKUP, 0, 0.2), 0.5, "V")
    current = [abs(value) / 30e-3 for value in waves.voltage("/Front-end/SW", MAIN)]
    settled = max(value for time, value in zip(waves.x, current) if time > 0.05)
    yield "start, empty bank, 15 W", Measured("U601 current", settled, (table or parts.limits())["U601"]["current"], "A")


def restarts(_full, change, _table):
    """Yields how often a board boots that starts by itself whenever it is supplied."""
    strong = board(TYPICAL, bank=MOST, bank_esr=MOST, threshold=LEAST)
    waves = failure(change, strong, 10, end=14)
    yield "power cut, strongest bank, 10 W", Measured("boots other than one", abs(boots(waves) - 1), 0, "")
    yield "power cut, strongest bank, 10 W", Measured("runs at the end", waves.voltage("run")[-1], 0.5, "")
    returns = supply.run(built(change), worst_board(), vehicle([(0, RUNNING), (0.1, RUNNING), (0.101, 0), (4, 0), (4.001, RUNNING), (6, RUNNING)]) + loaded(10), 5)
    yield "power returns after lock-out", Measured("boots other than two", abs(boots(returns) - 2), 0, "")
    brief = supply.run(built(change), worst_board(), vehicle([(0, RUNNING), (0.1, RUNNING), (0.101, 0), (0.7, 0), (0.701, RUNNING), (6, RUNNING)]) + loaded(15), 1.2)
    yield "power returns at once", Measured("boots other than one", abs(boots(brief) - 1), 0, "")
    yield "power returns at once", Measured("supply", lowest(brief, SUPPLY, FAILS, 1.2), ENOUGH, "V", least=True)


def sagging(_full, change, _table):
    """Yields what happens if the vehicle's voltage sags slowly and recovers slowly (ISO 16750-2, 4.5), through a wire of 1
    Ω. The real sag takes an hour, during which nothing else changes."""
    points = [(0, RUNNING), (0.1, RUNNING), (0.6, 10), (0.8, 5), (3.4, 0), (3.5, 0), (4, 8), (4.5, 13), (5, RUNNING)]
    waves = supply.run(built(change), worst_board(), vehicle(points, 1) + loaded(10), 5)
    warned, _ = moments(waves)
    yield "slow sag, 10 W", Measured("BANK when warned", lowest(waves, BANK, FAILS, warned), UNUSED, "V", least=True)
    yield "slow sag, 10 W", Measured("boots other than one", abs(boots(waves) - boots(waves, 3.5) - 1), 0, "")
    yield "slow recovery, 10 W", Measured("boots other than one", abs(boots(waves, 3.5) - 1), 0, "")


def charging(_full, change, table):
    """Charges from empty, with the most unequal new cells at the highest voltage and with the largest cells at the
    lowest."""
    table = table or parts.limits()

    def unequal(circuit):
        for reference, share in zip(supply.CELLS, (0.9, 1.3, 0.9, 1.3)):
            circuit.replace(reference, f"EDLC share={share}")
        if change:
            change(circuit)
    source = vehicle([(0, 0), (0.1, RUNNING), (2000, RUNNING)]) + loaded(0)
    drawn = built(unequal, 0)
    drawn.measure("D201")
    waves = supply.run(drawn, board(TYPICAL, main_ref=MOST), source, 1200, step="5")
    yield "charging, unequal cells", Measured("D201 current", -min(waves.current("VI_D201")), CHARGING, "A")
    cell = waves.voltage(BANK, "/Hold-up/MIDDLE")
    yield "charging, unequal cells", Measured("C203 voltage", max(cell), table["C203"]["voltage"], "V")
    yield "charging, unequal cells", Measured("C204 voltage", max(waves.voltage("/Hold-up/MIDDLE")), table["C204"]["voltage"], "V")
    for reference in ("R201", "R209"):
        across = waves.voltage(*drawn.nodes(reference)[:2])
        heat = waves.average([value**2 / number(drawn.parts[reference][2]) for value in across], 1)
        yield "charging, unequal cells", Measured(f"{reference} power", heat, table[reference]["power"], "W")
    waves = supply.run(built(change, 0), board(TYPICAL, bank=MOST, main_ref=LEAST, threshold=MOST), source, 1200, step="5")
    for what, node, level in ((f"time to {CHARGED} V", BANK, CHARGED), ("time to bank good", GOOD, HIGH)):
        reached = waves.first(waves.voltage(node), lambda value, level=level: value > level)
        yield "charging, largest cells", Measured(what, reached or waves.x[-1], CHARGED_AFTER, "s")
    reached = waves.first(waves.voltage(GOOD), lambda value: value > HIGH) or 0
    yield "charging, largest cells", Measured("BANK when good", lowest(waves, BANK, reached, 1200), 4.3, "V", least=True)


def balancing(_full, change, table):
    """Yields the voltages of the cells after some days, of which two leak. The rest of the supply is a source."""
    table = table or parts.limits()
    drawn = built(change)
    passive = *supply.CELLS, "R202", "R203"
    drawn.parts = {reference: drawn.parts[reference] for reference in passive}
    drawn.extra = [line for line in drawn.extra if line.split()[0].split("_")[1] in passive]
    lines = ["VCHARGER charger 0 5", f"RCHARGER charger {BANK} 11", f"ILEAK /Hold-up/MIDDLE 0 {2 * CELL_LEAK}"]
    waves = supply.run(drawn, board(TYPICAL), lines, 4e5, step="4000")
    yield "some days, two leaking cells", Measured("C203 voltage", waves.voltage(BANK, "/Hold-up/MIDDLE")[-1], table["C203"]["voltage"], "V")
    yield "some days, two leaking cells", Measured("C204 voltage", waves.voltage("/Hold-up/MIDDLE")[-1], table["C204"]["voltage"], "V")
    drain = waves.current("VCHARGER")[-1]
    yield "some days, two leaking cells", Measured("current", -drain * 1e3, 5, "mA")


def discharging(_full, change, table):
    """Yields the discharge of the largest cells through the jumper at J202, without a supply."""
    table = table or parts.limits()
    drawn = built(change, 5)
    source = [f"VJUMPER {BANK} /Hold-up/DISCHARGE 0", f"RVEHICLE {supply.BATTERY} 0 1k", *loaded(0)]
    waves = supply.run(drawn, board(TYPICAL, bank=MOST), source, DISCHARGED_AFTER, step="10")
    reached = waves.first(waves.voltage(BANK), lambda value: value < HARMLESS)
    yield "jumper at J202", Measured(f"time to {HARMLESS} V", reached or 1e9, DISCHARGED_AFTER, "s")
    heat = waves.average([volt * ampere for volt, ampere in zip(waves.voltage(BANK), waves.current("VJUMPER"))], 1)
    yield "jumper at J202", Measured("R220 power", heat, table["R220"]["power"], "W")


def random_boards(full, change, _table):
    """The resistors are as drawn. Those that matter have 0.1 %, which the tolerances of the references include."""
    count, least = FULL_BOARDS if full else QUICK_BOARDS, 9.0
    for seed in range(1, count + 1):
        one = RandomBoard(seed)
        waves = failure(change, one.spread, 15, FAILS + needed(BUSIEST_CARD) + 0.01, one.temperature)
        least = min(least, lowest(waves, SUPPLY, FAILS, waves.x[-1]))
    yield f"{count} random boards, 15 W", Measured("supply, busiest card", least, ENOUGH, "V", least=True)


#: The checks that also have to detect single faults. Those that take the least time come first, so that a wrong part is detected early.
CHECKS = (starting, no_failure, lines, discharging, balancing, idle, failing, charging, barely_charged, restarts, sagging)


def all_checks(full, change=None, table=None):
    for check in (*CHECKS, random_boards):
        yield from check(full, change, table)
