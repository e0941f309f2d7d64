"""The programs that read wires, on a real kernel, with Debian 13's libgpiod, which the board has, and with Debian
12's."""
import json
import re

from bench.check import check, expect
from bench.commands import NOBODY
from bench.wires import LIBRARIES, Desk, Watch

SETTINGS = """[Signal phone-call]
Line=PHONE_CALL
[Signal alarm]
Line=ALARM
[Signal cover-closed]
Line=COVER_CLOSD
[Button play]
Chip=desk
Offset=4
ActiveLow=yes
Bias=pull-up
Command=play
"""


def trial(name):
    """Registers a check for each library. It receives a desk without any chip and returns figures to print."""

    def register(function):
        for library in LIBRARIES:
            run = lambda board, library=library: function(Desk(board, library))
            check(f"{name}-with-libgpiod-{library.version}", calm=False)(run)
        return function

    return register


def shows(listing, pattern):
    expect(re.search(pattern, listing, re.MULTILINE), f"no match of ‘{pattern}’ in {listing}")


def has(lines, beginning, *parts):
    found = [line for line in lines if line.startswith(beginning)]
    expect(found, f"no ‘{beginning}’ in {lines}")
    for part in parts:
        expect(part in found[-1], f"no ‘{part}’ in ‘{found[-1]}’")


def edges(lines, wire):
    """Returns the level and time (nanoseconds) of each edge of a wire."""
    words = [line.split() for line in lines]
    return [(int(word[2]), int(word[3])) for word in words if word[:2] == ["edge", wire]]


@trial("lines-without-a-chip")
def no_chip(desk):
    code, output = desk.lines(settings=SETTINGS)
    expect(code == 1 and "cannot find a GPIO chip: the system has none" in output, f"{code}: {output}")


@trial("lines-and-what-they-are-for")
def listed(desk):
    desk.make()
    desk.chip("make extra DOOR -")
    desk.pull("ALARM", "up")
    code, output = desk.lines(settings=SETTINGS)
    expect(code == 0, output)
    shows(output, r"0 +PHONE_CALL +input +\S+ +low +– +signal phone-call \(not asserted\)")
    shows(output, r"1 +ALARM +input +\S+ +high +– +signal alarm \(asserted\)")
    # The line is high because of the resistor that the configuration specifies.
    shows(output, r"4 +– +input +\S+ +high +– +button play \(not asserted\)")
    shows(output, "signal cover-closed: cannot find line COVER_CLOSD.*Did you mean ‘COVER_CLOSED’")
    # Levels of other lines are read only on request, because reading a line requests it, and it may be another
    # program's output.
    shows(output, r"3 +SPARE +input +\S+ +–")
    code, output = desk.lines("--levels --all", SETTINGS)
    expect(code == 0, output)
    shows(output, r"3 +SPARE +input +\S+ +low")
    shows(output, r"5 +– +input +\S+ +low")
    code, output = desk.lines("--json 2>/dev/null", SETTINGS)
    chips = {chip["label"]: chip for chip in json.loads(output)["chips"]}
    expect(chips["desk"]["lines"][1]["level"] == 1, output)


@trial("lines-nobody-may-read")
def forbidden(desk):
    desk.make()
    desk.lines(settings=SETTINGS)
    tacet = f"{desk.library.setting}{desk.library.tacet} lines --config /mnt/bench/lines.conf"
    code, output = desk.board.code(f"{NOBODY} env {tacet}")
    expect(code == 1 and "Permission denied" in output and "group" in output, f"{code}: {output}")


@trial("an-output-stays-one")
def output_stays(desk):
    """Another program drives a line. Listing the line changes nothing, and requesting it names that program."""
    desk.make()
    drive(desk)
    _, output = desk.lines("--levels", SETTINGS)
    shows(output, r"3 +SPARE +output +\S+ +– +gpioset")
    value = desk.run(f"{DRIVEN}; cat /sys/devices/platform/$(<$c/dev_name)/$(<$c/bank0/chip_name)/sim_gpio3/value")
    expect(value == "1", f"the output is {value}")
    watch = Watch(desk, "SPARE")
    has(watch.said(), "error SPARE", "in use by ‘gpioset’")
    desk.run("pkill gpioset")
    # gpio-watch gets the line as soon as it is free.
    watch.wait("level SPARE")


DRIVEN = "c=/sys/kernel/config/gpio-sim/desk"


def drive(desk):
    desk.board.machine.begin(f"{DRIVEN}; exec gpioset --chip $(<$c/bank0/chip_name) 3=1")
    desk.run("for i in {1..100}; do gpioinfo SPARE | grep -q gpioset && exit; sleep 0.1; done; exit 1")


@trial("lines-are-taken")
def taken(desk):
    desk.make()
    desk.chip("make extra DOOR -")
    desk.pull("ALARM", "up")
    watch = Watch(desk, "PHONE_CALL", "ALARM", "#4@desk,pull-up", "DOOR@extra", "GHOST", "#0@desk")
    said = watch.said()
    for line in ("level PHONE_CALL 0", "level ALARM 1", "level #4@desk,pull-up 1", "level DOOR@extra 0"):
        has(said, line)
    has(said, "error GHOST", "no chip has a line of that name")
    has(said, "error #0@desk", "is already used as PHONE_CALL")
    _, output = desk.lines(settings=SETTINGS)
    shows(output, r"0 +PHONE_CALL +input +\S+ +– +gpio-watch +signal phone-call$")


@trial("edges-have-the-kernels-time")
def edges_in_time(desk):
    desk.make()
    desk.chip("make extra DOOR -")
    watch = Watch(desk, "PHONE_CALL", "DOOR@extra")
    pulls = desk.pull("PHONE_CALL", "up", "100ms", "DOOR", "up", "100ms", "PHONE_CALL", "down")
    said = watch.wait("edge", count=3)
    reported = sorted(edges(said, "PHONE_CALL") + edges(said, "DOOR@extra"), key=lambda edge: edge[1])
    expect([level for level, _ in reported] == [1, 1, 0], f"{said}")
    late = [(time - pull[0]) / 1e6 for (_, time), pull in zip(reported, pulls)]
    expect(all(0 <= delay < 100 for delay in late), f"time stamps are {late} ms after the pulls")
    return f"{max(late):.2f} ms after the pull at most"


@trial("bursts-end-with-the-true-level")
def bursts(desk):
    """More edges than the kernel buffers occur while the reader is stopped. The last level of every line must be
    right."""
    desk.make()
    watch = Watch(desk, "PHONE_CALL", "ALARM")
    both = "PHONE_CALL up PHONE_CALL down"
    repeat = lambda words, count: f"pull $(for i in {{1..{count}}}; do echo {words}; done) >/dev/null"
    figures = []
    for count, last, final in ((100, "", 0), (100, "pull PHONE_CALL up", 1), (600, "pull PHONE_CALL up", 1)):
        desk.pull("PHONE_CALL", "down")
        found = edges(watch.after(f"{repeat(both, count)}; {last or ':'}"), "PHONE_CALL")
        expect(found and found[-1][0] == final, f"{count} pulses, last level {final}: {found[-3:]}")
        expect([time for _, time in found] == sorted(time for _, time in found), "edges are not in order")
        figures.append(f"{len(found)} of {2 * count + final}")
    # The burst does not hide the edge of another line, before or after it.
    found = watch.after(f"{repeat(both, 300)}; pull ALARM up PHONE_CALL down >/dev/null")
    expect(edges(found, "ALARM")[-1:] and edges(found, "ALARM")[-1][0] == 1, f"an edge after a burst: {found[-3:]}")
    expect(edges(found, "PHONE_CALL")[-1][0] == 0, f"{found[-3:]}")
    found = watch.after(f"pull ALARM down >/dev/null; {repeat(both, 600)}")
    expect(edges(found, "ALARM")[-1:] and edges(found, "ALARM")[-1][0] == 0, f"an edge before a burst: {found[-3:]}")
    return f"edges reported: {', '.join(figures)}"


@trial("a-chip-goes-and-comes-back")
def chip_goes(desk):
    """The chip returns with a different number, because another chip has taken its number in the meantime."""
    desk.make()
    desk.chip("make extra DOOR -")
    watch = Watch(desk, "PHONE_CALL", "ALARM", "#4@desk,pull-up", "DOOR@extra")
    held = watch.descriptors()
    start = watch.mark()
    desk.chip("unplug desk")
    said = watch.wait("lost", start, count=3)
    for wire in ("PHONE_CALL", "ALARM", "#4@desk,pull-up"):
        has(said, f"lost {wire}", "Check the chip's connection")
    desk.pull("DOOR", "up")
    watch.wait("edge DOOR@extra 1", start)
    # gpio-watch looks for the chip, but does not spin, which would take all of the 300 ticks.
    ticks = watch.ticks(3)
    expect(ticks < 150, f"{ticks} ticks in 3 s without the chip")
    desk.chip("make squatter -")
    for _ in range(3):
        start = watch.mark()
        desk.chip("plug desk")
        watch.wait("level PHONE_CALL 0", start)
        desk.pull("PHONE_CALL", "up")
        watch.wait("edge PHONE_CALL 1", start)
        desk.chip("unplug desk")
        watch.wait("lost", start, count=3)
    start = watch.mark()
    desk.chip("plug desk")
    watch.wait("level", start, count=3)
    now = watch.descriptors()
    expect(now == held, f"{held} descriptors before, {now} after")
    return f"{ticks} ticks in 3 s without it; {now} descriptors"


@trial("a-name-on-two-chips")
def twins(desk):
    desk.make()
    desk.chip("make twin ALARM")
    said = Watch(desk, "ALARM", "ALARM@twin").said()
    has(said, "error ALARM ", "(desk)", "(twin)", "Specify the chip")
    has(said, "level ALARM@twin 0")


@trial("seventy-lines-of-a-chip")
def many(desk):
    """There are more lines than one request to the kernel can contain."""
    desk.chip("make wide" + " -" * 70)
    said = Watch(desk, *(f"#{offset}@wide" for offset in range(70))).said()
    levels = sum(line.startswith("level") for line in said)
    expect(levels == 70, f"{levels} levels: {said[:3]}")
