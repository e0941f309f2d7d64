"""The checks of the hold-up supply: how long the board lives after the warning, compared with what a checkpoint takes."""
from circuit import parts
from circuit.netlist import HOLD_UP, Circuit
from circuit.ngspice import piecewise, simulate
from circuit.parts import Measured
from circuit.spread import LEAST, MOST, TYPICAL, RandomBoard, board

SUPPLY, MAIN, BACKUP, BANK, WARNING = "+5V", "/Hold-up/MAIN", "/Hold-up/BACKUP", "/Hold-up/BANK", "/POWER_FAIL"
#: The vehicle's converter: 5.2 V ± 1 %, up to 470 µF at its output. These are requirements.
LEAST_MAIN, MAIN_VOLT, MOST_MAIN, MAIN_CAPACITANCE = 5.148, 5.2, 5.252, 470e-6
#: A Pi 4 without USB devices: 3 A of its recommended supply less 1.2 A for USB (Raspberry Pi documentation, power
#: supplies; from memory, to be checked). A Pi 3 takes less. The amplifier has a supply of its own.
LOAD = 1.8
#: The board warns of too low a voltage below 4.63 V (Raspberry Pi documentation; from memory, to be checked).
ENOUGH = 4.63
#: A checkpoint on a server's disk: the slowest of a hundred (Sources/Measurements/README.md, make bench-state, p99).
CHECKPOINT = 3.17e-3
#: A memory card can be a hundred times slower.
SLOW_CARD = 100
#: A card may be busy for 250 ms after each write (SD Physical Layer specification; from memory, to be checked), and a
#: checkpoint writes data, the file system's journal and its commit.
BUSIEST_CARD = 3 * 0.25
#: `Debounce=` of the line that warns, as recommended in this folder's README.
DEBOUNCE = 5e-3
#: The bank, once charged (`charging` shows when).
CHARGED = 4.5
FAILS = 0.1
FULL_BOARDS, QUICK_BOARDS = 100, 5


def all_checks(full, change=None, table=None):
    table = table or parts.limits()
    worst = board(TYPICAL, bank=LEAST, bank_esr=MOST, diode_r=MOST, boost_ref=LEAST, boost_eff=LEAST, threshold=LEAST)
    waves = failure(built(change), worst)
    warned, dead = moments(waves)
    alive = dead - warned
    yield "power fails", Measured("warned after", (warned - FAILS) * 1e3, 20, "ms")
    yield "power fails", Measured("lowest in the first 50 ms", lowest(waves, FAILS, FAILS + 0.05), ENOUGH, "V", least=True)
    yield "worst bank, 1.8 A", Measured("alive after the warning", alive * 1e3, needed(CHECKPOINT * SLOW_CARD) * 1e3, "ms", least=True)
    yield "busiest card", Measured("alive after the warning", alive * 1e3, needed(BUSIEST_CARD) * 1e3, "ms", least=True)
    checkpoint = [-value for time, value in zip(waves.x, waves.current("VI_L201")) if time < warned + needed(BUSIEST_CARD)]
    yield "until then", Measured("current of U202", max(abs(value) for value in checkpoint), table["U202"]["current"], "A")
    yield from main_comes_first(change)
    yield from charging(change, table)
    yield from random_boards(FULL_BOARDS if full else QUICK_BOARDS, change)


def needed(checkpoint):
    return DEBOUNCE + checkpoint


def built(change):
    drawn = Circuit(HOLD_UP)
    # The polymer capacitor: −20 %, −10 % when old.
    drawn.scale("C201", 0.7)
    if change:
        change(drawn)
    drawn.measure("L201")
    return drawn


def failure(drawn, spread, main=MAIN_VOLT, end=8.0, temperature=25):
    """The vehicle's converter stops at `FAILS`, with a charged bank."""
    lines = [f"VMAIN source 0 {main}", f"SMAIN source {MAIN} on 0 CUT", ".model CUT SW(VT=0.5 VH=0.1 RON=1m ROFF=1e9)",
             piecewise("VON", "on", "0", [(0, 1), (FAILS, 1), (FAILS + 1e-6, 0)]), f"CMAIN {MAIN} 0 {MAIN_CAPACITANCE}",
             # Below 3 V the board has stopped, and takes nothing.
             f"BLOAD {SUPPLY} 0 I={LOAD}*(0.5+0.5*tanh((V({SUPPLY})-3)/0.1))", "V3 +3V3 0 3.3",
             f".ic v({BANK})={CHARGED} v(/Hold-up/MIDDLE)={CHARGED / 2} v({BACKUP})=4.99"]
    return simulate(drawn, spread, lines, f"tran 1m {end} 0 5m", temperature)


def moments(waves):
    """When the board is warned, and when it has too little."""
    warned = waves.first(waves.voltage(WARNING), lambda value: value < 0.8, FAILS)
    dead = waves.first(waves.voltage(SUPPLY), lambda value: value < ENOUGH, FAILS)
    # Neither may hide a failure: without a warning, nothing is left; without an end, only what was simulated counts.
    end = waves.x[-1]
    return (end if warned is None else warned), (end if dead is None else dead)


def lowest(waves, start, end):
    return min(value for time, value in zip(waves.x, waves.voltage(SUPPLY)) if start <= time <= end)


def main_comes_first(change):
    """Otherwise the bank would feed the board all the time."""
    waves = failure(built(change), board(TYPICAL, boost_ref=MOST), LEAST_MAIN, end=FAILS / 2)
    yield "highest BACKUP", Measured("BACKUP", waves.voltage(BACKUP)[-1], LEAST_MAIN, "V")


def charging(change, table):
    """From empty, with the most unequal new cells."""
    drawn = built(change)
    drawn.replace("C203", "EDLC share=0.9")
    drawn.replace("C204", "EDLC share=1.3")
    lines = [piecewise("VMAIN", MAIN, "0", [(0, 0), (0.1, MOST_MAIN)]), "V3 +3V3 0 3.3"]
    waves = simulate(drawn, board(TYPICAL), lines, "tran 0.1 1200 0 1 uic")
    cell = waves.voltage(BANK, "/Hold-up/MIDDLE")
    yield "charging, unequal cells", Measured("C203 voltage", max(cell), table["C203"]["voltage"], "V")
    charged = waves.first(waves.voltage(BANK), lambda value: value > CHARGED)
    yield "charging", Measured(f"to {CHARGED} V", charged or 1200, 300, "s")
    nodes = drawn.nodes("R201")
    heat = waves.average([value**2 / 22 for value in waves.voltage(nodes[0], nodes[1])], 1)
    yield "charging", Measured("R201 power", heat, table["R201"]["power"], "W")


def random_boards(count, change):
    shortest = 1e9
    for seed in range(1, count + 1):
        one = RandomBoard(seed)
        warned, dead = moments(failure(built(change), one.spread, one.chance.uniform(LEAST_MAIN, MOST_MAIN), 4, one.temperature))
        shortest = min(shortest, dead - warned)
    yield f"{count} random boards", Measured("alive after the warning", shortest * 1e3, needed(BUSIEST_CARD) * 1e3, "ms", least=True)
