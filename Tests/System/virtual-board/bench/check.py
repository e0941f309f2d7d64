"""Checks and the code that runs them."""
import dataclasses
import sys
import time
import traceback

from bench.machine import MachineError
from bench.story import Unheard

CHECKS = []
#: The length in milliseconds (half of the sound card's buffer) from which a stall of the emulated board makes the
#: failure of a check meaningless. The check is then run at most this many times, and each failure is printed.
STANDSTILL, MOST_TRIES = 100, 3
#: The results of a check. A check may also pass only when it is run again after a stall.
PASSED, PASSED_AGAIN, FAILED = range(3)
#: The number of turns. A run with `TURN=` omits all but one in this many of the checks that do not run in each turn.
TURNS = 6


class Failed(Exception):
    pass


@dataclasses.dataclass(frozen=True)
class Check:
    name: str
    run: object
    #: True if the check begins with an idle board that plays. Otherwise, the check itself switches the board on.
    calm: bool
    #: True if the check runs in each turn, because it must never break or because others depend on it.
    core: bool
    #: The approximate time that the check takes in minutes, so that all turns can be made about equally long.
    minutes: float


def check(name, calm=True, core=False, minutes=0.25):
    """Registers a function as a check. The function receives the board and returns figures to print."""

    def register(function):
        CHECKS.append(Check(name, function, calm, core, minutes))
        return function

    return register


def expect(condition, what):
    if not condition:
        raise Failed(what)


def near(value, wanted, tolerance, what):
    expect(abs(value - wanted) <= tolerance, f"{what}: {value:g}, not {wanted:g} ± {tolerance:g}")


def run_all(board, only=None, skipped=(), tries=1, turn=None):
    """Prints a line for each check.

    :param only: runs only the checks whose names contain this text.
    :param skipped: omits the checks whose names contain one of these texts.
    :param tries: the number of times that a failing check is run. Each failure prints a line.
    :param turn: runs the core, and the other checks whose turn it is.
    :return: the number of checks that failed every time."""
    wanted = lambda name: (not only or only in name) and not any(part in name for part in skipped)
    chosen = [check for check in CHECKS if wanted(check.name)]
    if not chosen:
        sys.exit(f"no check is called ‘{only}’; there are: {' '.join(check.name for check in CHECKS)}")
    if turn is not None:
        chosen = in_turn(chosen, turn)
    failures, repeated = 0, 0
    for number, one in enumerate(chosen, 1):
        outcomes = [passes(one, number, board)]
        while outcomes[-1] == FAILED and len(outcomes) < tries:
            outcomes.append(passes(one, number, board))
        failures += outcomes[-1] == FAILED
        repeated += outcomes[-1] == PASSED and len(outcomes) > 1 or outcomes[-1] == PASSED_AGAIN
    if standstills := board.standstills():
        print(f"# the board stood still {len(standstills)} times, for at most {max(standstills)} ms")
    if left := [check.name for check in CHECKS if check not in chosen]:
        print(f"# did not run: {' '.join(left)}")
    if repeated:
        print(f"# {repeated} passed only when repeated")
    print(f"{len(chosen) - failures} passed, {failures} failed")
    return failures


def in_turn(checks, turn):
    """Returns the core and the other checks whose turn it is. Each belongs to one of the turns. The longest checks are
    assigned first, to the turn that takes the shortest time so far."""
    minutes = [0.0] * TURNS
    due = set()
    for one in sorted((check for check in checks if not check.core), key=lambda check: -check.minutes):
        least = minutes.index(min(minutes))
        minutes[least] += one.minutes
        if least == turn % TURNS:
            due.add(one.name)
    return [check for check in checks if check.core or check.name in due]


def passes(one, number, board):
    for attempt in range(1, MOST_TRIES + 1):
        started, before = time.monotonic(), len(board.standstills())
        failure, figures = judge(one, board)
        seconds = f"[{time.monotonic() - started:.0f} s]"
        if failure is None:
            print(f"ok {number} {one.name}{f': {figures}' if figures else ''} {seconds}", flush=True)
            return PASSED if attempt == 1 else PASSED_AGAIN
        standstill = max(board.standstills()[before:], default=0)
        if standstill < STANDSTILL or attempt == MOST_TRIES:
            break
        reason = f"running it again, because the board stood still for {standstill} ms: {failure}"
        print(f"# {number} {one.name}: {reason} {seconds}", flush=True)
    print(f"not ok {number} {one.name}: {failure} {seconds}", flush=True)
    return FAILED


def judge(one, board):
    """Runs a check. Returns the reason of a failure or None, and the check's figures."""
    try:
        if one.calm:
            board.calm()
        return None, one.run(board)
    except (Failed, Unheard, TimeoutError, MachineError, LookupError, OSError) as error:
        return str(error), None
    except Exception:
        return f"the check itself is broken: {traceback.format_exc()}", None
