"""What a check is, and how they are run."""
import dataclasses
import sys
import time
import traceback

from bench.machine import MachineError
from bench.story import Unheard

CHECKS = []


class Failed(Exception):
    pass


@dataclasses.dataclass(frozen=True)
class Check:
    name: str
    run: object
    #: Whether it begins with a calm board that plays; else it switches the board on by itself.
    calm: bool


def check(name, calm=True):
    """Registers a function as a check: it is given the board, and returns figures to print."""

    def register(function):
        CHECKS.append(Check(name, function, calm))
        return function

    return register


def expect(condition, what):
    if not condition:
        raise Failed(what)


def near(value, wanted, tolerance, what):
    expect(abs(value - wanted) <= tolerance, f"{what}: {value:g}, not {wanted:g} ± {tolerance:g}")


def run_all(board, only=None):
    """Prints a line for each check. Returns how many failed."""
    chosen = [check for check in CHECKS if not only or only in check.name]
    if not chosen:
        sys.exit(f"no check is called ‘{only}’; there are: {' '.join(check.name for check in CHECKS)}")
    failures = 0
    for number, one in enumerate(chosen, 1):
        started = time.monotonic()
        try:
            if one.calm:
                board.calm()
            figures = one.run(board)
            verdict = f"ok {number} {one.name}" + (f": {figures}" if figures else "")
        except (Failed, Unheard, TimeoutError, MachineError, LookupError, OSError) as error:
            failures += 1
            verdict = f"not ok {number} {one.name}: {error}"
        except Exception:
            failures += 1
            verdict = f"not ok {number} {one.name}: the check itself is broken: {traceback.format_exc()}"
        print(f"{verdict} [{time.monotonic() - started:.0f} s]", flush=True)
    print(f"{len(chosen) - failures} passed, {failures} failed")
    return failures
