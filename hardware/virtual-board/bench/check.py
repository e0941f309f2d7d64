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


def run_all(board, only=None, skipped=(), tries=1):
    """Prints a line for each check.

    :param only: those with this in their names.
    :param skipped: none with one of these in their names.
    :param tries: how often one that fails is tried, each time with a line of its own.
    :return: how many failed each time."""
    wanted = lambda name: (not only or only in name) and not any(part in name for part in skipped)
    chosen = [check for check in CHECKS if wanted(check.name)]
    if not chosen:
        sys.exit(f"no check is called ‘{only}’; there are: {' '.join(check.name for check in CHECKS)}")
    failures = 0
    for number, one in enumerate(chosen, 1):
        failures += not any(passes(one, number, board) for _ in range(tries))
    print(f"{len(chosen) - failures} passed, {failures} failed")
    return failures


def passes(one, number, board):
    started = time.monotonic()
    failure = figures = None
    try:
        if one.calm:
            board.calm()
        figures = one.run(board)
    except (Failed, Unheard, TimeoutError, MachineError, LookupError, OSError) as error:
        failure = str(error)
    except Exception:
        failure = f"the check itself is broken: {traceback.format_exc()}"
    verdict = f"ok {number} {one.name}" + (f": {figures}" if figures else "")
    if failure is not None:
        verdict = f"not ok {number} {one.name}: {failure}"
    print(f"{verdict} [{time.monotonic() - started:.0f} s]", flush=True)
    return failure is None
