"""Outputs, which control a board's amplifier, lamps and relays. Their levels are read back from the simulated chip."""
import contextlib
import datetime
import re
import statistics
import time

from bench.board import CHIP, SIMULATOR
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


def calls(board):
    """Makes `CALLS` calls. Returns the pulls of the wire, and the edges of the first line, each as the times of the readings
    before and after it."""
    try:
        board.run(f"{LINE}; systemd-run --quiet --unit=bench-edges /usr/local/lib/board/edges $d/sim_gpio0/value")
        pulls = board.pull(*["PHONE_CALL", "up", "2s", "PHONE_CALL", "down", "2s"] * CALLS, timeout=120)
        board.sound.wait(len(board.sound) + RATE)
        # The unit's invocation excludes the lines of an earlier run.
        this = board.run("systemctl show --property=InvocationID --value bench-edges").strip()
        lines = board.run(f"journalctl _SYSTEMD_INVOCATION_ID={this} --output=cat --no-pager").splitlines()
    finally:
        board.run("systemctl stop bench-edges", check=False)
    return pulls, [(int(line.split()[0]), int(line.split()[1])) for line in lines if line[-2:] in (" 0", " 1")]


@check("amplifier-is-on-around-every-frame", minutes=1)
def around(board):
    """The check reads the simulated line itself instead of Tacet's report about it."""
    with chip(board), board.configured(CONF + "[Playback]\nFadeIn=100ms\n"):
        wait_for_levels(board, AMPLIFIER="1")
        start = board.settle()
        _, edges = calls(board)
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


#: In microseconds. An emulated processor takes much longer than a real one, but the music fades out for three times as
#: long.
MUTE_LIMIT = 100_000


@check("mute-line-follows-the-edge-itself", minutes=0.7)
def muted(board):
    """A line with Means=silent is asserted at the edge of a call, while the music still fades out."""
    conf = "[Output mute]\nLine=AMPLIFIER\nMeans=silent\n[Signal phone-call]\nDebounce=0s\n[Playback]\nFadeOut=300ms\n"
    with chip(board), board.configured(conf):
        wait_for_levels(board, AMPLIFIER="0")
        board.settle()
        pulls, edges = calls(board)
        expect(len(edges) == 2 * CALLS == len(pulls), f"{len(edges)} edges of the mute line in {CALLS} calls")
        # An edge occurs between two readings, so the first of them is a lower bound, and the second an upper one.
        least = sorted((edge[0] - pull[0]) // 1000 for pull, edge in zip(pulls[::2], edges[::2]))
        most = sorted((edge[1] - pull[0]) // 1000 for pull, edge in zip(pulls[::2], edges[::2]))
        text = (
            f"from the edge of the call to that of the mute line: median {statistics.median(most):.0f} µs, most "
            f"{most[-1]} µs of {CALLS} (at least {least[-1]} µs)"
        )
        expect(least[-1] <= MUTE_LIMIT, text)
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


@contextlib.contextmanager
def kept_levels(board):
    """Makes the kernel keep the level of an output that is no longer held, as that of a Raspberry Pi does."""
    board.run(f"echo 1 >{SIMULATOR}/persist_gpio_outputs")
    try:
        yield
    finally:
        board.run(f"echo 0 >{SIMULATOR}/persist_gpio_outputs")


@contextlib.contextmanager
def drop_in(board, text, folder="/run/systemd/system/tacet.service.d"):
    board.write(f"{folder}/95-check.conf", text)
    board.run("systemctl daemon-reload")
    try:
        yield
    finally:
        board.run(f"rm -r {folder}; systemctl daemon-reload")


#: Prints the milliseconds from a kill until the amplifier and the healthy output have been turned off. `read` waits
#: without starting a program, which would take time from Tacet.
KILL = f"""{LINE}
exec 9<> <(:)
systemctl kill --signal=KILL tacet
start=${{EPOCHREALTIME/./}}
for line in 0 3; do
  level=1
  while read -r level <$d/sim_gpio$line/value; [ $level = 1 ] && [ $((${{EPOCHREALTIME/./}} - start)) -lt 20000000 ]; do
    read -r -t 0.005 -u 9 || true
  done
  echo $(((${{EPOCHREALTIME/./}} - start) / 1000))
done
"""
KILLS = 3
#: Waits until the killed service waits for its restart.
KILLED = (
    "systemctl kill --signal=KILL tacet; for i in {1..300}; do"
    " [ $(systemctl show -P SubState tacet) = auto-restart ] && exit; sleep 0.1; done; exit 1"
)


def stop_post(board):
    """Returns the time in milliseconds that systemd took for the last command of ExecStopPost=."""
    shown = board.run("systemctl show --timestamp=us -P ExecStopPostEx tacet")
    start, stop = (
        datetime.datetime.fromisoformat(re.search(rf"{name}_time=\[\w+ (\S+ \S+) ", shown)[1])
        for name in ("start", "stop")
    )
    return (stop - start).total_seconds() * 1000


@check("outputs-are-deasserted-within-a-second-of-a-kill", core=True, minutes=0.7)
def deasserted(board):
    """The kernel keeps the levels of the killed daemon, so systemd must have the outputs deasserted. An emulated
    processor takes much longer than a real one to start a program in a sandbox, so this time, which is measured with a
    program that does nothing, is added to the limit."""
    asserted = dict(AMPLIFIER="1", PLAYING="1", INTERRUPTED="1", HEALTHY="1")
    with chip(board), board.configured(CONF):
        _, warnings = board.code("tacet check")
        expect("keeps the level" not in warnings, warnings)
        with kept_levels(board):
            wait_for_levels(board, **asserted)
            _, warnings = board.code("tacet check")
            expect("keeps the level" in warnings and "gpio_sim.persist_gpio_outputs" in warnings, warnings)
            # Without the command, the levels stay, so the rest of this check can fail.
            with drop_in(board, "[Service]\nExecStopPost=\nExecStopPost=-/bin/true\nRestartSec=4s\n"):
                board.run(KILLED)
                found, sandbox = levels(board), stop_post(board)
                expect(found == asserted, f"without ExecStopPost=, the levels are {found}")
            took = []
            for _ in range(KILLS):
                wait_for_levels(board, timeout=60, **asserted)
                took.append([int(line) for line in board.run(KILL).split()])
            wait_for_levels(board, timeout=60, **asserted)
            board.settle()
    amplifier, healthy = zip(*took)
    text = (
        f"ms from SIGKILL: amplifier {', '.join(map(str, amplifier))}; healthy {', '.join(map(str, healthy))}; "
        f"{sandbox:.0f} for a program that does nothing in the same sandbox"
    )
    expect(max(amplifier + healthy) < 1000 + sandbox, text)
    return text


#: Prevents the daemon from starting, and from cleaning up.
REFUSING = "[Service]\nExecStart=\nExecStart=/usr/lib/tacet/tacetd --strict\nExecStopPost=\n"


@check("boot-deasserts-outputs-before-and-without-tacet", minutes=1)
def boot(board):
    """The outputs have kept their levels through a reset. Tacet does not start, because its configuration has mistakes.
    The last configuration that worked determines the levels."""
    with chip(board), board.configured(CONF):
        board.run("for i in {1..300}; do grep -q AMPLIFIER /var/lib/tacet/configuration && exit; sleep 0.1; done; exit 1")
        board.write("/etc/systemd/system/tacet.service.d/95-check.conf", REFUSING)
        board.write(CHECK_CONF, CONF + "[Signal alarm]\nDuckLevel=loud\n")
        board.run("sync")
        board.cut_power()
        board.boot(kept=dict(AMPLIFIER=1, PLAYING=1, INTERRUPTED=0, HEALTHY=1))
        board.journal.wait("start-refused", 0, timeout=120)
        wait_for_levels(board, AMPLIFIER="0", PLAYING="0", INTERRUPTED="1", HEALTHY="0")
        times = [int(board.show(f"ExecMain{name}TimestampMonotonic", "tacet-outputs")) / 1e6 for name in ("Start", "Exit")]
        tacet = int(board.show("ExecMainStartTimestampMonotonic")) / 1e6
        expect(times[1] <= tacet, f"tacet-outputs ended {times[1] - tacet:.2f} s after Tacet's start")
        board.run("rm -r /etc/systemd/system/tacet.service.d; systemctl daemon-reload; systemctl reset-failed")
        board.write(CHECK_CONF, CONF)
        board.run(f"echo 0 >{SIMULATOR}/persist_gpio_outputs; systemctl restart tacet")
        board.settle()
    took = (times[1] - times[0]) * 1000
    return f"took {took:.0f} ms, {times[1]:.1f} s after the kernel's start and {tacet - times[1]:.1f} s before Tacet's"
