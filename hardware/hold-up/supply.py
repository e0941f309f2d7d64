"""The front end and the hold-up supply on a bench, with a vehicle's battery and a board that boots and stops."""
from circuit.netlist import FRONT_END, HOLD_UP, Circuit
from circuit.ngspice import piecewise, simulate
from circuit.spread import LEAST, MOST, TYPICAL, board

BATTERY, MAIN = "/Front-end/SUPPLY", "/MAIN"
SUPPLY, BACKUP, BANK, GOOD, WARNING = "+5V", "/Hold-up/BACKUP", "/Hold-up/BANK", "/Hold-up/BANK_GOOD", "/GPIO7"
#: The strongest `Bias=pull-up` (Raspberry Pi documentation: Pi 4).
PULL = 33e3
#: A vehicle with a running engine, and the resistance of the wire and the battery, which is an assumption.
RUNNING, WIRE = 27, 0.2
#: The voltages at which a board boots and at which it stops. Both are assumptions, and so is that it boots by itself.
BOOTS, STOPS = 4.5, 3.0
#: The cells in pairs, and the voltage of the charged bank, as specified on the drawing.
CELLS, CHARGED = ("C203", "C204", "C211", "C212"), 4.7
#: The polymer capacitors have −20 %, and −10 % when old. Ceramic X5R has half of it at 5 V, and X7R half of it at 28 V
#: (from memory, to be checked).
SHARES = {"C201": 0.7, "C208": 0.7, "C209": 0.7, "C205": 0.5, "C603": 0.5, "C604": 0.5, "C606": 0.5, "C607": 0.5}
#: The coils of both converters carry a mean current, whose voltage is that across their resistance (parts.csv).
COILS = {"L201": "8.5m", "L602": "30m"}


def built(change, bank=CHARGED, shares=SHARES):
    """Returns the drawn supply with a bank of this voltage. `change` fits other parts."""
    drawn = Circuit(FRONT_END, HOLD_UP)
    for reference, share in shares.items():
        drawn.scale(reference, share)
    for reference in CELLS:
        drawn.replace(reference, f"EDLC volt={bank / 2}")
    if change:
        change(drawn)
    for reference, resistance in COILS.items():
        _, nodes, _ = drawn.parts[reference]
        drawn.parts[reference] = (f"R{reference}", nodes, resistance)
    return drawn


def worst_board():
    """Returns the board that runs for the least time. It is warned last and locked out first."""
    return board(TYPICAL, bank=LEAST, bank_esr=MOST, pass_r=MOST, boost_ref=LEAST, boost_eff=LEAST, buck_eff=LEAST, warning=LEAST, threshold=MOST)


def loaded(power, pull=PULL):
    """Returns a board that takes this power from its supply while it runs, and less during the first 30 ms."""
    running = f"(0.5+0.5*tanh((V({SUPPLY})-{(BOOTS + STOPS) / 2}+{(BOOTS - STOPS) / 2}*(2*V(run)-1))/0.02))"
    return [f"BRUN run0 0 V={running}", "RRUN run0 run 1k", "CRUN run 0 100n", "RBUSY run busy 1k", "CBUSY busy 0 10u",
            f"BLOAD {SUPPLY} 0 I=V(run)*V(busy)*{power}/max(V({SUPPLY}),{STOPS})",
            "B3 3v3 0 V=3.3*V(run)", "R3 3v3 +3V3 0.1", f"RPULL +3V3 {WARNING} {pull}", f"RGOOD +3V3 {GOOD} {pull}"]


def battery(points):
    """Returns the vehicle's voltage over time, as (second, volt). It rises within 0.1 ms to the first of them."""
    (start, volt), *rest = points
    return piecewise("VBATTERY", "battery", "0", [(start, 0), (start + 1e-4, volt), *rest])


def vehicle(points, resistance=WIRE):
    """Returns a vehicle with this voltage, at the terminals."""
    return [battery(points), f"RBATTERY battery {BATTERY} {resistance}"]


def cut(at, volt=RUNNING):
    """Returns a vehicle whose wire is cut at a time. Nothing holds the terminals at ground afterwards."""
    return [battery([(0, volt), (at, volt)]), f"SCUT battery {BATTERY} on 0 CUT", f".model CUT SW(VT=0.5 VH=0.1 RON={WIRE} ROFF=1e9)",
            piecewise("VON", "on", "0", [(0, 1), (at, 1), (at + 1e-6, 0)])]


def run(drawn, spread, lines, end, temperature=25, step="10m"):
    """Simulates a supply that starts without any voltage except that of the bank. The tolerances of the simulator
    change the results by less than 1 %, and halve its time."""
    return simulate(drawn, spread, lines, f"tran 1m {end} 0 {step} uic", temperature, "reltol=2e-3 trtol=20 abstol=1e-8 vntol=1e-5")


def boots(waves, after=0.0):
    """Returns how often the board has booted after a time."""
    running = [value > 0.5 for value in waves.voltage("run")]
    return sum(now and not before for time, before, now in zip(waves.x[1:], running, running[1:]) if time >= after)


def lowest(waves, node, start, end):
    return min(value for time, value in zip(waves.x, waves.voltage(node)) if start <= time <= end)


def highest(waves, node, start, end):
    return max(value for time, value in zip(waves.x, waves.voltage(node)) if start <= time <= end)
