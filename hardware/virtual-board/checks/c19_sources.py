"""Levels that come from elsewhere than a GPIO line: a switch and a key, a jack, and programs on the bus."""
import contextlib

from bench.check import check, expect
from bench.numbers import RATE
from bench.story import pause
from checks.c02_signals import exactly

PIPE = "/run/bench-inputs"
#: A lid switch would make logind suspend the board.
LOGIND = "/run/systemd/logind.conf.d/bench.conf"
CONF = """[Signal lid]
Effect=pause
Source=switch
Input=Bench Panel
Code=SW_LID
LostGrace=0s
WhenLost=release
[Signal phones]
Effect=pause
Jack=Headphone Jack
ActiveLow=yes
[Signal voip]
Effect=pause
Source=bus
LostGrace=0s
[Button headset]
Input=Bench Panel
Code=KEY_PLAYPAUSE
Command=playPause
"""


@contextlib.contextmanager
def panel(board):
    """Runs the body with the panel of tools/inputs.c, whose jack has something plugged in."""
    board.write(LOGIND, "[Login]\nHandleLidSwitch=ignore\nHandleLidSwitchExternalPower=ignore\n")
    board.run(
        "systemctl try-restart systemd-logind; modprobe -a uinput evdev; "
        f"rm -f {PIPE}; mkfifo {PIPE}; "
        f"systemd-run --quiet --unit=bench-inputs /usr/local/lib/board/inputs {PIPE}"
    )
    try:
        move(board, "jack 1")
        with board.configured(CONF):
            yield
    finally:
        board.run(f"systemctl stop bench-inputs; rm -f {PIPE} {LOGIND}", check=False)


def move(board, *acts):
    board.run(f"printf '%s\\n' {' '.join(repr(act) for act in acts)} >{PIPE}")


def interrupted(board, signal, begin, end):
    """Begins and ends an interruption. Returns its figures."""
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    begin()
    board.journal.wait("interruption-began", mark, signal=signal)
    board.sound.wait_for_silence(start)
    end()
    board.journal.wait("interruption-ended", mark)
    return exactly(pause(board.sound, start, board.sound.wait_for_music().end))


@check("switch-and-key-of-an-input-device")
def switch(board):
    """A lid closes; the device disappears and returns under another number; a held key repeats."""
    with panel(board):
        figures = interrupted(board, "lid", lambda: move(board, "lid 1"), lambda: move(board, "lid 0"))
        listing = board.run("tacet inputs")
        expect("“Bench Panel”" in listing and "SW_LID  off" in listing, f"tacet inputs: {listing}")
        mark = board.journal.mark()
        move(board, "unplug")
        board.journal.wait("fault", mark, signal="lid", fault="lost")
        # Another device takes the number.
        move(board, "plug", "lid 1")
        board.journal.wait("fault-cleared", mark, signal="lid", fault="lost")
        board.journal.wait("interruption-began", mark, signal="lid")
        move(board, "lid 0")
        board.journal.wait("interruption-ended", mark)
        board.settle()
        mark = board.journal.mark()
        move(board, "key 1", "repeat 40", "key 0")
        board.journal.wait("command", mark)
        board.sound.wait(len(board.sound) + RATE)
        expect(len(board.journal.since(mark, "command")) == 1, "a repeating key gave several commands")
        move(board, "key 1", "key 0")
        board.settle()
        return figures


@check("jack-of-a-sound-card")
def jack(board):
    """The music pauses while no headphones are plugged in."""
    with panel(board):
        return interrupted(board, "phones", lambda: move(board, "jack 0"), lambda: move(board, "jack 1"))


@check("program-on-the-bus")
def program(board):
    """A command asserts a signal; a kill of `tacet assert` loses it."""
    with panel(board):
        unit = "systemd-run --quiet --unit=bench-call --collect tacet assert voip -- sleep 600"
        figures = interrupted(board, "voip", lambda: board.run(unit), lambda: board.run("systemctl stop bench-call"))
        mark = board.journal.mark()
        board.run(unit)
        board.journal.wait("interruption-began", mark, signal="voip")
        board.run("systemctl kill --kill-whom=main --signal=KILL bench-call")
        board.journal.wait("fault", mark, signal="voip", fault="lost")
        board.journal.wait("interruption-ended", mark)
        expect(board.run("tacet deassert voip").strip() == "success", "tacet deassert")
        board.journal.wait("fault-cleared", mark, signal="voip", fault="lost")
        board.settle()
        return figures
