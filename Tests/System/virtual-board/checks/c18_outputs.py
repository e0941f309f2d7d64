"""Outputs, which control a board's amplifier, lamps and relays. Their levels are read back from the simulated chip."""
import contextlib
import statistics
import time

from bench.board import CHIP
from bench.check import check, expect
from bench.commands import CHECK_CONF
from bench.numbers import RATE

LINES = ["AMPLIFIER", "PLAYING", "INTERRUPTED", "HEALTHY"]
LEAD, LAG = 300, 700
CONF = f"""[Output amplifier]
Line=AMPLIFIER
Means=amplifier
Lead={LEAD}ms
Lag={LAG}ms
[Output playing]
Line=PLAYING
Means=playing
[Output interrupted]
Line=INTERRUPTED
Means=interrupted
ActiveLow=yes
[Output healthy]
Line=HEALTHY
Means=healthy
"""
LINE = "c=/sys/kernel/config/gpio-sim/outputs; d=/sys/devices/platform/$(<$c/dev_name)/$(<$c/bank0/chip_name)"
VALUES = f"{LINE}; cat $d/sim_gpio{{0,1,2,3}}/value"
CALLS = 10


def levels(board):
    """Returns the electrical level of each line."""
    return dict(zip(LINES, board.run(VALUES).split()))


def wait_for_levels(board, timeout=30, **wanted):
    limit = time.monotonic() + timeout
    while True:
        found = levels(board)
        if all(found[line] == level for line, level in wanted.items()):
            return
        expect(time.monotonic() < limit, f"{wanted} is not reached within {timeout} s: {found}")


@contextlib.contextmanager
def chip(board):
    board.run(f"{CHIP} make outputs {' '.join(LINES)}")
    try:
        yield
    finally:
        # Tacet must have released the line.
        board.run(f"rm -f {CHECK_CONF}; systemctl restart tacet; {CHIP} drop outputs")


def moment(entry):
    """Returns the time at which an entry was written, in nanoseconds of CLOCK_MONOTONIC."""
    return int(entry["__MONOTONIC_TIMESTAMP"]) * 1000


@check("outputs-follow-the-session", core=True)
def follow(board):
    """A call turns the amplifier off after its lag, and music waits for its lead."""
    with chip(board), board.configured(CONF):
        wait_for_levels(board, AMPLIFIER="1", PLAYING="1", INTERRUPTED="1", HEALTHY="1")
        start, mark = board.settle(), board.journal.mark()
        board.pull("PHONE_CALL", "up")
        wait_for_levels(board, AMPLIFIER="0", PLAYING="0", INTERRUPTED="0", HEALTHY="1")
        quiet = board.sound.wait_for_silence(start)
        off = board.journal.wait("output", mark, output="amplifier", asserted="no")
        lag = (board.sound.frame_at(moment(off)) - quiet.start) / RATE * 1000
        expect(lag >= LAG - 100, f"the amplifier turned off {lag:.0f} ms after the last frame")
        mark = board.journal.mark()
        board.pull("PHONE_CALL", "down")
        on = board.journal.wait("output", mark, output="amplifier", asserted="yes")
        music = board.sound.wait_for_music(quiet.end)
        wait_for_levels(board, AMPLIFIER="1", PLAYING="1", INTERRUPTED="1", HEALTHY="1")
        # The fade-in is longer than the tolerance.
        lead = (music.start - board.sound.frame_at(moment(on))) / RATE * 1000
        expect(lead >= LEAD - 20, f"music was heard {lead:.0f} ms after the amplifier was turned on")
        return f"lead {lead:.0f} ms until full level, lag {lag:.0f} ms"


@check("amplifier-is-on-around-every-frame", minutes=1)
def around(board):
    """The check reads the simulated line itself instead of Tacet's report about it."""
    with chip(board), board.configured(CONF + "[Playback]\nFadeIn=100ms\n"):
        wait_for_levels(board, AMPLIFIER="1")
        start = board.settle()
        try:
            board.run(f"{LINE}; systemd-run --quiet --unit=bench-edges /usr/local/lib/board/edges $d/sim_gpio0/value")
            board.pull(*["PHONE_CALL", "up", "2s", "PHONE_CALL", "down", "2s"] * CALLS, timeout=120)
            board.sound.wait(len(board.sound) + RATE)
            # The unit's invocation excludes the lines of an earlier run.
            this = board.run("systemctl show --property=InvocationID --value bench-edges").strip()
            lines = board.run(f"journalctl _SYSTEMD_INVOCATION_ID={this} --output=cat --no-pager").splitlines()
        finally:
            board.run("systemctl stop bench-edges", check=False)
        edges = [(int(line.split()[0]), int(line.split()[1])) for line in lines if line[-2:] in (" 0", " 1")]
        silences = [
            piece for piece in board.sound.pieces(start) if piece.kind == "silence" and piece.count > RATE // 2
        ]  # fmt: skip
        expect(len(edges) == 2 * CALLS, f"{len(edges)} edges of the amplifier's line in {CALLS} calls")
        expect(len(silences) == CALLS, f"{len(silences)} silences in {CALLS} calls")
        # An edge occurs between two readings, which a busy machine takes late, so only an interval that is certainly
        # too short is a failure.
        lags = [(off[1] - board.sound.time_of(silence.start)) // 1000 for silence, off in zip(silences, edges[::2])]
        leads = [(board.sound.time_of(silence.end) - on[0]) // 1000 for silence, on in zip(silences, edges[1::2])]
        readings = max(after - before for before, after in edges) // 1000
        text = (
            f"µs, median (least … most) of {CALLS}: from the edge to the first frame that is not silent "
            f"{statistics.median(leads):.0f} ({min(leads)} … {max(leads)}), Lead={LEAD}ms; from the last one to the edge "
            f"{statistics.median(lags):.0f} ({min(lags)} … {max(lags)}), Lag={LAG}ms; readings at most {readings} apart"
        )
        expect(min(leads) >= LEAD * 1000 and min(lags) >= LAG * 1000, text)
        return text


@check("output-line-that-another-program-holds")
def held(board):
    """A fault names the program that holds the line. The music plays, and the line is driven as soon as it is free."""
    with chip(board):
        board.machine.begin("exec gpioset AMPLIFIER=0")
        board.run("for i in {1..100}; do gpioinfo AMPLIFIER | grep -q gpioset && exit; sleep 0.1; done; exit 1")
        mark = board.journal.mark()
        with board.configured(CONF):
            fault = board.journal.wait("fault", mark, output="amplifier", fault="lost")
            expect("gpioset" in fault["MESSAGE"], fault["MESSAGE"])
            wait_for_levels(board, AMPLIFIER="0", PLAYING="1", HEALTHY="0")
            code, words = board.code("tacet health")
            expect(code == 1 and "amplifier" in words, f"{code}: {words}")
            board.run("pkill gpioset")
            board.journal.wait("fault-cleared", mark, output="amplifier")
            wait_for_levels(board, AMPLIFIER="1", PLAYING="1", HEALTHY="1")


@check("output-chip-goes-and-returns")
def gone(board):
    """The chip is unplugged while music plays. The music is not affected, and the lines have their levels when the chip
    returns."""
    with chip(board), board.configured(CONF):
        mark = board.journal.mark()
        board.run(f"{CHIP} unplug outputs")
        board.journal.wait("fault", mark, output="amplifier", fault="lost")
        board.settle()
        board.run(f"{CHIP} plug outputs")
        board.journal.wait("fault-cleared", mark, output="healthy")
        wait_for_levels(board, AMPLIFIER="1", PLAYING="1", INTERRUPTED="1", HEALTHY="1")


@check("healthy-drops-with-a-wire-and-with-tacet")
def healthy(board):
    """The relay drops when a wire is lost, when Tacet is killed and when it is stopped."""
    with chip(board), board.configured(CONF):
        wait_for_levels(board, HEALTHY="1")
        board.run(f"{CHIP} unplug panel")
        wait_for_levels(board, HEALTHY="0")
        board.run(f"{CHIP} plug panel")
        wait_for_levels(board, HEALTHY="1")
        board.run("systemctl kill --signal=KILL tacet")
        wait_for_levels(board, HEALTHY="0", AMPLIFIER="0")
        wait_for_levels(board, HEALTHY="1", timeout=60)
        board.run("systemctl stop tacet")
        wait_for_levels(board, HEALTHY="0", AMPLIFIER="0")
        board.run("systemctl start tacet")
        wait_for_levels(board, HEALTHY="1", timeout=60)
