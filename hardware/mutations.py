"""Single faults of each part, which the checks of its sheet have to detect: every pin open, every pair of pins shorted,
and every resistor, capacitor and coil with ten times and a tenth of its value.

excused.csv lists the faults that no check has to detect, each with its reason. An excuse for a fault that does not
exist, or that a check detects, is an error. A fault that does not change the simulated circuit is also an error."""
import csv
import itertools
import multiprocessing
import os
import re

import bell_checks
import front_end_checks
import hold_up_checks
import input_checks
import mute_checks
from circuit.netlist import BELL, FRONT_END, HOLD_UP, INPUT, MODELS, MUTE, Circuit
from circuit.ngspice import SimulationError

EXCUSED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "excused.csv")
#: The checks of each sheet, in which `CHECKS` begins with those that take the least time, and its number.
SHEETS = {"Input stage": (input_checks, INPUT), "Front end": (front_end_checks, FRONT_END), "Hold-up supply": (hold_up_checks, HOLD_UP),
          "Amplifier mute": (mute_checks, MUTE), "Bell input": (bell_checks, BELL)}
#: The sheets whose faults take too long for a quick check, which simulates only one of this many faults.
QUICK = {"Front end": 63, "Hold-up supply": 140, "Bell input": 15}
#: A joint that is not soldered still leaks, and a bridge of solder still has a resistance. The simulator also needs both.
OPEN, SHORT = 1e10, 0.01
#: The elements whose values can be scaled.
PASSIVE = "RCL"


class MisappliedError(Exception):
    pass


class Fault:
    """A fault of one part. Calling it with a circuit changes the circuit, and `applied` counts the calls."""

    def __init__(self, reference, what, change):
        self.reference, self.name, self.change, self.applied = reference, f"{reference} {what}", change, 0

    def __call__(self, circuit):
        if self.reference not in circuit.parts:
            raise MisappliedError(f"{self.name}: the circuit does not contain this part")
        before = circuit.lines()
        self.change(circuit, self.reference)
        if circuit.lines() == before:
            raise MisappliedError(f"{self.name}: the circuit is still the same")
        self.applied += 1


def faults(sheet):
    """Yields all faults of a sheet's parts. The pins of a part with more than two are named as in its model."""
    drawn = Circuit(sheet)
    for reference, (element, nodes, model) in drawn.parts.items():
        names = ports(model) if len(nodes) > 2 else None
        # One open pin of two interrupts the part.
        for pin in range(len(nodes) if names else 1):
            yield Fault(reference, f"{names[pin]} open" if names else "open", opened(pin))
        for one, other in itertools.combinations(range(len(nodes)), 2):
            if nodes[one] != nodes[other]:
                yield Fault(reference, f"{names[one]} and {names[other]} shorted" if names else "shorted", shorted(one, other))
        if element[0] in PASSIVE:
            yield Fault(reference, "× 10", scaled(10))
            yield Fault(reference, "÷ 10", scaled(0.1))


def ports(model):
    """Returns the names of a model's pins."""
    with open(MODELS, encoding="utf-8") as file:
        return re.search(rf"^\.subckt {re.escape(model)} (.+)$", file.read(), re.MULTILINE)[1].split()


def opened(pin):
    return lambda circuit, reference: circuit.open(reference, pin, OPEN)


def shorted(one, other):
    return lambda circuit, reference: circuit.short(reference, one, other, SHORT)


def scaled(factor):
    return lambda circuit, reference: circuit.scale(reference, factor)


def excuses():
    """Returns {(sheet, fault): reason}."""
    with open(EXCUSED, encoding="utf-8", newline="") as file:
        return {(row["Sheet"], row["Fault"]): row["Reason"] for row in csv.DictReader(file)}


def detected(subject, fault):
    """Returns the first failing row of a sheet's checks with this fault as text, or None. A circuit that cannot be
    simulated does not count as detected, because the simulator may fail for any reason."""
    errors = []
    for check in subject.CHECKS:
        try:
            found = next((row for row in check(False, fault, None) if not row[1].passed), None)
        except SimulationError as error:
            errors.append(f"{check.__name__} could not be simulated ({str(error).strip().splitlines()[-1]})")
            continue
        if found:
            situation, measured = found
            return f"{situation}: {measured.what} {measured.value:.4g}, limit {measured.limit:.4g} {measured.unit}"
    if not fault.applied:
        raise MisappliedError(f"{fault.name}: no check simulates this part")
    if errors:
        raise MisappliedError(f"{fault.name}: {'; '.join(errors)}")
    return None


def judged(case):
    """Returns whether a fault was detected, and by what or why not. Runs in a separate process."""
    title, index = case
    subject, sheet = SHEETS[title]
    try:
        row = detected(subject, list(faults(sheet))[index])
    except MisappliedError as error:
        return False, str(error)
    return row is not None, row


def undetected(full, excused_too=True):
    """Simulates every fault on all processors. With `full`, prints each fault and, with `excused_too`, also simulates those
    with an excuse. An excuse is judged with one simulator only, because all checks of its sheet have to run for it. Returns
    the faults that are neither detected nor excused, and the excuses that are not needed."""
    excused, failed = excuses(), []
    for title, (_, sheet) in SHEETS.items():
        names = [fault.name for fault in faults(sheet)]
        reasons = {fault: reason for (one, fault), reason in excused.items() if one == title}
        failed += [f"excused.csv: {title} does not have the fault {name}" for name in reasons if name not in names]
        failed += failures(title, names, reasons, full, excused_too)
    failed += [f"excused.csv: the sheet {title} does not exist" for title, _ in excused if title not in SHEETS]
    return failed + accepted()


def failures(title, names, reasons, full, excused_too):
    """Simulates the faults of one sheet. Returns those with a wrong result."""
    print(f"\n{title}, single faults, which have to fail", flush=True)
    share = 1 if full else QUICK.get(title, 1)
    cases = [(title, index) for index, name in enumerate(names) if index % share == 0 and (full and excused_too or name not in reasons)]
    failed, count = [], 0
    with multiprocessing.Pool() as pool:
        for (_, index), (found, text) in zip(cases, pool.imap(judged, cases)):
            name, count = names[index], count + found
            problem = None
            if found and name in reasons:
                problem = f"is excused, but detected ({text})"
            elif not found and (text or name not in reasons):
                problem = text or "nothing has noticed"
            if problem:
                failed.append(f"{title}, {name}: {problem}")
                print(f"FAIL  {failed[-1]}", flush=True)
            elif full:
                print(f"ok    {name:24} {text or f'excused: {reasons[name]}'}", flush=True)
    print(f"{count} of {len(cases) if share > 1 else len(names)} faults detected, {len(reasons)} excused (excused.csv)", flush=True)
    return failed


def accepted():
    """Applies a fault that changes nothing, and a fault of a part that does not exist. Returns those that did not raise
    an error."""
    found = []
    for title, (subject, sheet) in SHEETS.items():
        some = next(iter(Circuit(sheet).parts))
        for fault in (Fault(some, "unchanged", lambda *_: None), Fault("R999", "open", opened(0))):
            try:
                detected(subject, fault)
            except MisappliedError:
                continue
            found.append(f"{title}, {fault.name}: a fault that changes nothing was accepted")
    return found
