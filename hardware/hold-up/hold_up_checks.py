"""The checks of the hold-up supply, which compare the time for which the board lives after the warning with the time of
a checkpoint."""
from circuit import parts
from circuit.netlist import HOLD_UP, Circuit
from circuit.ngspice import piecewise, simulate
from circuit.parts import Measured
from circuit.spread import LEAST, MOST, TYPICAL, RandomBoard, board

SUPPLY, MAIN, BACKUP, BANK, WARNING = "+5V", "/Hold-up/MAIN", "/Hold-up/BACKUP", "/Hold-up/BANK", "/GPIO25"
#: The strongest `Bias=pull-up` (Raspberry Pi documentation: Pi 4).
PULL = 33e3
#: The vehicle's converter has 5.2 V ± 1 % and up to 470 µF at its output. These are requirements.
LEAST_MAIN, MAIN_VOLT, MOST_MAIN, LEAST_CAPACITANCE, MOST_CAPACITANCE = 5.148, 5.2, 5.252, 10e-6, 470e-6
#: The load of a Pi 4 without USB devices, which is 5 V × (3 A of its recommended supply less 1.2 A for USB) (Raspberry
#: Pi documentation, power supplies; from memory, to be checked). A Pi 3 takes less. The amplifier has its own supply.
LOAD = 9
#: No load at all, so that the warning does not depend on a load.
IDLE = 0
#: The board warns of too low a voltage below 4.63 V (Raspberry Pi documentation; from memory, to be checked).
ENOUGH = 4.63
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
#: The voltage of the charged bank, and the time by which it must be charged, as specified on the drawing.
CHARGED, CHARGED_AFTER = 4.7, 600
#: U201 selects the other input if its voltage is 20 mV higher (models.lib).
HYSTERESIS = 0.02
#: A pin reads high above the first voltage and low below the second (Raspberry Pi documentation: Pi 4).
HIGH, LOW = 2.0, 0.8
#: L201's resistance (parts.csv). The mean voltage across a coil is that across its resistance.
COIL = "8.5m"
FAILS, END = 0.1, 3.0
FULL_BOARDS, QUICK_BOARDS = 200, 20


def all_checks(full, change=None, table=None):
    table = table or parts.limits()
    worst = worst_board()
    for name, capacitance in (("470 µF at MAIN", MOST_CAPACITANCE), ("10 µF at MAIN", LEAST_CAPACITANCE)):
        waves = failure(built(change), worst, capacitance=capacitance)
        warned, dead = moments(waves)
        alive = dead - warned
        least = lowest(waves, FAILS, warned + needed(BUSIEST_CARD))
        situation = f"worst board, {name}"
        yield situation, Measured("alive, card 100 × slower", alive * 1e3, needed(CHECKPOINT * SLOW_CARD) * 1e3, "ms", least=True)
        yield situation, Measured("alive, busiest card", alive * 1e3, needed(BUSIEST_CARD) * 1e3, "ms", least=True)
        yield situation, Measured("supply until then", least, ENOUGH, "V", least=True)
        yield situation, Measured("current through U201", LOAD / max(least, 1), table["U201"]["current"], "A")
    # A bank whose voltage does not sag takes no current from MAIN, so MAIN falls more slowly.
    best = board(TYPICAL, bank=MOST, bank_esr=LEAST, boost_ref=MOST, boost_eff=MOST, threshold=LEAST)
    for name, load in (("9 W", LOAD), ("idle", IDLE)):
        warned, dead = moments(failure(built(change), best, MOST_MAIN, load=load))
        yield f"strongest bank, {name}", Measured("alive, busiest card", (dead - warned) * 1e3, needed(BUSIEST_CARD) * 1e3, "ms", least=True)
    yield from main_comes_first(change)
    yield from charging(change, table)
    yield from random_boards(FULL_BOARDS if full else QUICK_BOARDS, change)


def worst_board():
    return board(TYPICAL, bank=LEAST, bank_esr=MOST, diode_r=MOST, boost_ref=LEAST, boost_eff=LEAST, threshold=LEAST)


def needed(checkpoint):
    return DEBOUNCE + REACTION + checkpoint


def built(change):
    drawn = Circuit(HOLD_UP)
    # The polymer capacitors have −20 %, and −10 % when old. Ceramic X5R has half of it at 5 V (from memory, to be
    # checked).
    for reference, share in (("C201", 0.7), ("C208", 0.7), ("C209", 0.7), ("C205", 0.5)):
        drawn.scale(reference, share)
    if change:
        change(drawn)
    _, nodes, _ = drawn.parts["L201"]
    drawn.parts["L201"] = ("RL201", nodes, COIL)
    return drawn


def failure(drawn, spread, main=MAIN_VOLT, capacitance=MOST_CAPACITANCE, end=END, temperature=25, load=LOAD):
    """Simulates the vehicle's converter, which stops at `FAILS`, with a charged bank."""
    lines = [f"VMAIN source 0 {main}", f"SMAIN source {MAIN} on 0 CUT", ".model CUT SW(VT=0.5 VH=0.1 RON=1m ROFF=1e9)",
             piecewise("VON", "on", "0", [(0, 1), (FAILS, 1), (FAILS + 1e-6, 0)]), f"CMAIN {MAIN} 0 {capacitance}",
             # Below 3 V, the board has stopped and takes no current.
             f"BLOAD {SUPPLY} 0 I={load}/max(V({SUPPLY}),3)*(0.5+0.5*tanh((V({SUPPLY})-3)/0.1))", "V3 +3V3 0 3.3", f"RPULL +3V3 {WARNING} {PULL}",
             f".ic v({BANK})={CHARGED} v(/Hold-up/MIDDLE)={CHARGED / 2}"]
    return simulate(drawn, spread, lines, f"tran 1m {end} 0 5m", temperature)


def moments(waves):
    """Returns the times at which the board is warned, and at which its voltage is too low."""
    warned = waves.first(waves.voltage(WARNING), lambda value: value < LOW, FAILS)
    dead = waves.first(waves.voltage(SUPPLY), lambda value: value < ENOUGH, FAILS)
    # Neither may hide a failure. Without a warning, no time is left. Without an end, only the simulated time counts.
    end = waves.x[-1]
    return (end if warned is None else warned), (end if dead is None else dead)


def lowest(waves, start, end):
    return min(value for time, value in zip(waves.x, waves.voltage(SUPPLY)) if start <= time <= end)


def main_comes_first(change):
    """Otherwise, the bank would feed the board all the time, or the board would not be warned."""
    waves = failure(built(change), board(TYPICAL, boost_ref=MOST, threshold=MOST), LEAST_MAIN, end=FAILS / 2)
    yield "no failure, least MAIN", Measured("BACKUP", waves.voltage(BACKUP)[-1], LEAST_MAIN - HYSTERESIS, "V")
    yield "no failure, least MAIN", Measured("pin that warns", min(waves.voltage(WARNING)), HIGH, "V", least=True)


def charging(change, table):
    """Charges from empty, with the most unequal new cells at the highest voltage and with the largest cells at the
    lowest."""
    drawn = built(change)
    drawn.replace("C203", "EDLC share=0.9")
    drawn.replace("C204", "EDLC share=1.3")
    waves = charge(drawn, board(TYPICAL), MOST_MAIN)
    cell = waves.voltage(BANK, "/Hold-up/MIDDLE")
    yield "charging, unequal cells", Measured("C203 voltage", max(cell), table["C203"]["voltage"], "V")
    heat = waves.average([value**2 / 22 for value in waves.voltage(*drawn.nodes("R201")[:2])], 1)
    yield "charging, unequal cells", Measured("R201 power", heat, table["R201"]["power"], "W")
    waves = charge(built(change), board(TYPICAL, bank=MOST), LEAST_MAIN)
    charged = waves.first(waves.voltage(BANK), lambda value: value > CHARGED)
    yield "charging, largest cells", Measured(f"time to {CHARGED} V", charged or waves.x[-1], CHARGED_AFTER, "s")


def charge(drawn, spread, main):
    lines = [piecewise("VMAIN", MAIN, "0", [(0, 0), (0.1, main)]), "V3 +3V3 0 3.3"]
    return simulate(drawn, spread, lines, "tran 0.1 1200 0 1 uic")


def random_boards(count, change):
    """The resistors are as drawn. Those that matter have 0.1 %, which `boost_ref` includes."""
    shortest = 1e9
    for seed in range(1, count + 1):
        one = RandomBoard(seed)
        waves = failure(built(change), one.spread, one.chance.uniform(LEAST_MAIN, MOST_MAIN), temperature=one.temperature)
        warned, dead = moments(waves)
        shortest = min(shortest, dead - warned)
    yield f"{count} random boards", Measured("alive, busiest card", shortest * 1e3, needed(BUSIEST_CARD) * 1e3, "ms", least=True)
