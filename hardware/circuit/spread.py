"""Tolerances, which are the possible deviations of each part from its typical value, and boards built from such
parts."""
import random

#: Each name has (minimum, typical, maximum) over −40 … 85 °C and a lifetime.
SPREAD = {
    # SFH617A-4: 160–320 % at 10 mA (data sheet); ×0.7 when hot and ×0.5 at the end of its life (rules of thumb; to be
    # checked against the data sheet's diagrams), ×1.2 when cold.
    "ctr": (1.6 * 0.7 * 0.5, 2.3, 3.2 * 1.2),
    # BSP135: −2.1 … −1.0 V at 25 °C (data sheet), ∓4 mV/K (from memory, to be checked).
    "fet_vth": (-2.35, -1.4, -0.75),
    # BSP135: from its transconductance, 0.08 … 0.16 S at 0.1 A (data sheet): gfs² / (2 × 0.1 A).
    "fet_kp": (0.032, 0.128, 0.2),
    # BZX84-B4V7: ± 2 % at 5 mA (data sheet), −3.5 … 0.2 mV/K (from memory, to be checked).
    "zener": (4.39, 4.7, 5.02),
    # BZX84-B13: ± 2 % at 5 mA (data sheet), 7 … 11 mV/K (from memory, to be checked).
    "zener_wet": (12.0, 13, 13.95),
    # SFH617A: 1.25 V at 60 mA, at most 1.65 V (data sheet). The spread at 2 mA is an assumption.
    "led": (-0.06, 0, 0.15),
    # SFH617A-4: 100 nA at 25 °C (data sheet), doubled every 10 K up to 85 °C (a rule of thumb).
    "dark": (0, 10e-9, 6.4e-6),
    # SMBJ and SMCJ: for example 335–371 V at 25 °C (from memory, to be checked), and 0.1 %/K (data sheet).
    "tvs": (0.89, 1, 1.11),
    # Unregulated converter: −10 % at full load, +15 % without load (from memory, to be checked).
    "wet": (0.9, 1, 1.15),
    # SCCS30E106SRB: −10 … +30 % (maker), −30 % at the end of its life (from memory, to be checked).
    "bank": (0.9 * 0.7, 1, 1.3),
    # Its resistance: twice at the end of its life, half as much again at −40 °C (from memory, to be checked).
    "bank_esr": (0.8, 1, 3),
    # IRF7832: 4.8 mΩ at 4.5 V, half as much again when hot (from memory, to be checked).
    "pass_r": (0.003, 0.005, 0.008),
    # TPS61022: ± 2.5 % (product page), and the 0.1 % of each of R204 and R205. 85 % is TI's own worst case (E2E
    # 1026761).
    "boost_ref": (0.973, 1, 1.027),
    "boost_eff": (0.85, 0.9, 0.95),
    # TPS3808G01: ± 2 % over temperature (from memory, to be checked).
    "threshold": (0.98, 1, 1.02),
    # TPS389001: ± 1 % (TI SLVSD65A), and the 0.1 % of each of R218 and R219.
    "warning": (0.9884, 1, 1.0116),
    # TPS54560: ± 1 % and 85 % (from memory, to be checked), and the 0.1 % of each of R604 and R605.
    "main_ref": (0.9883, 1, 1.0117),
    "buck_eff": (0.8, 0.85, 0.92),
    # IXTH16N20D2: −4 to −2 V (IXYS DS100260A).
    "limiter_vth": (-4, -3, -2),
    # BZT52C43: 40–46 V and 0.085 %/K (from memory, to be checked).
    "clamp_v": (37.8, 43, 48.3),
    # 74LVC1G08 at 3.3 V: switches between 0.8 and 2.0 V (from memory, to be checked).
    "gate_v": (0.8, 1.4, 2.0),
    # BZX84-B27: ± 2 % at 2 mA (data sheet), 21 … 26 mV/K (from memory, to be checked).
    "zener_bell": (24.8, 27, 29.1),
    # P3100SC: off up to 275 V, on at 350 V (from memory, to be checked).
    "thyristor": (275, 310, 350),
    # BC847B: 200–450 at 2 mA; half as much at −40 °C and at 0.1 mA, half as much again when hot (from memory, to be checked).
    "gain": (80, 290, 680),
}
TEMPERATURES = (-40, 25, 85)
#: ± 1 % and 100 ppm/K for resistors; ± 10 % and X7R's 15 % over temperature for capacitors.
RESISTOR, CAPACITOR = 0.02, 0.25
LEAST, TYPICAL, MOST = range(3)


def board(which, **changes):
    """Returns all parts at one end of their tolerance, except those in `changes`, whose end is given by name."""
    return {name: ends[changes.get(name, which)] for name, ends in SPREAD.items()}


class RandomBoard:
    """A board whose parts are anywhere in their tolerances. The same seed gives the same board."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.spread = {name: self.chance.uniform(ends[LEAST], ends[MOST]) for name, ends in SPREAD.items()}
        self.temperature = self.chance.uniform(TEMPERATURES[0], TEMPERATURES[-1])

    def fit(self, circuit):
        """Gives each resistor and capacitor of a circuit its own value."""
        width = {"R": RESISTOR, "C": CAPACITOR}
        circuit.scale_passive(lambda kind: 1 + self.chance.uniform(-width[kind], width[kind]))
        return circuit
