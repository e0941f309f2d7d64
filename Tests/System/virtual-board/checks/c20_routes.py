"""The output in use disappears, is replaced by another card, and returns. A plug is pulled, another program holds the
card, and its mixer mutes it.

The first card, Loopback, is recorded. The other one, Spare, is not, so its output is derived from the positions in the
journal.
"""
import contextlib

from bench.check import check, expect
from bench.numbers import FRAMES, RATE
from bench.story import arrival, distance, pause, silent
from checks.c02_signals import exactly
from checks.c05_devices import CARD, QUEUE
from checks.c19_sources import PIPE, move

CONF = "[Session]\nPauseOnRouteLoss={pause}\n[Playback]\nFallbackDevices=hw:Spare,0\n"


def position(entry):
    """Returns the number of the frame with which the music continues."""
    return int(entry["TACET_POSITION_USEC"]) * RATE // 1_000_000 % FRAMES + 1


def unbind(board, card=0):
    board.run(f"echo snd_aloop.{card} >{CARD}/unbind")


def bind(board, card=0):
    board.run(f"[ -e {CARD}/snd_aloop.{card} ] || echo snd_aloop.{card} >{CARD}/bind")


@contextlib.contextmanager
def routes(board, pause):
    """Runs the body with both cards, and restores them."""
    with board.configured(CONF.format(pause=pause)):
        try:
            yield
        finally:
            bind(board)
            bind(board, 1)


def lose(board):
    """Removes the first card. Returns the number of the frame after the last one played, and the journal's entry."""
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    unbind(board)
    entry = board.journal.wait("route-changed", mark, reason="oldDeviceUnavailable", device="hw:Spare,0")
    lost = board.journal.since(mark, "media-services-lost")
    expect(not lost, "the services were lost although another card replaced the first one")
    heard = [piece for piece in board.sound.pieces(start) if piece.kind == "numbers"][-1]
    gone = distance(position(entry), heard.next)
    expect(-2 * QUEUE <= gone <= 2 * QUEUE, f"the other card continued {gone} frames after the last one heard")
    return heard.next, gone


def come_back(board):
    """Plugs in the first card again. Returns the frame of the recording from which it is used, and the journal's
    entry."""
    mark = board.journal.mark()
    bind(board)
    back = len(board.sound)
    entry = board.journal.wait("route-changed", mark, reason="newDeviceAvailable", device="hw:Loopback,0", timeout=40)
    return back, entry


@check("route-falls-to-a-second-card-and-returns", core=True)
def falls(board):
    """With PauseOnRouteLoss=no, the music continues on the other card, and returns with the last frame played there."""
    with routes(board, "no"):
        _, gone = lose(board)
        status = board.run("tacet status")
        expect("hw:Spare,0, the fallback" in status, f"tacet status: {status}")
        expect("Playing" in board.show("StatusText"), "it does not play on the other card")
        back, entry = come_back(board)
        piece = board.sound.wait_for_music(back)
        first = arrival(board.sound, back, piece.end)
        # The position in the journal is in microseconds.
        late = distance(first, position(entry))
        expect(-2 <= late <= 2, f"{late} frames lost on the way back")
        expect("the fallback" not in board.run("tacet status"), "tacet status still names the fallback")
        return f"{gone} frames on the way there, {late} on the way back"


@check("route-loss-pauses")
def pauses(board):
    """With PauseOnRouteLoss=yes, the music pauses. The return of the card does not resume it, but play continues it."""
    with routes(board, "yes"):
        number, gone = lose(board)
        back, _ = come_back(board)
        board.sound.wait(back + 2 * RATE)
        silent(board.sound, back)
        board.press("PLAY_PAUSE")
        piece = board.sound.wait_for_music(back)
        lost = distance(arrival(board.sound, back, piece.end), number)
        expect(-2 * QUEUE <= lost <= 2 * QUEUE, f"{lost} frames lost")
        return f"{lost} frames lost"


@check("route-that-flaps-makes-no-storm")
def flaps(board):
    """A card that disappears ten times causes only a few changes of route, and music plays afterwards."""
    with routes(board, "no"):
        mark = board.journal.mark()
        board.run(
            f"for i in $(seq 10); do echo snd_aloop.0 >{CARD}/unbind; sleep 0.1; echo snd_aloop.0 >{CARD}/bind; sleep 0.1; done",
            timeout=60,
        )
        back = len(board.sound)
        board.sound.wait_for_music(back, timeout=90)
        changes = len(board.journal.since(mark, "route-changed"))
        expect(changes <= 4, f"{changes} changes of the route")
        return f"{changes} changes"


@check("route-without-another-card-is-a-lost-device")
def none_left(board):
    """Neither card is present. The first one that returns ends the loss."""
    with routes(board, "no"):
        unbind(board, 1)
        mark = board.journal.mark()
        unbind(board)
        board.journal.wait("media-services-lost", mark)
        bind(board, 1)
        board.journal.wait("media-services-reset", mark, device="hw:Spare,0", timeout=40)
        back, _ = come_back(board)
        board.sound.wait_for_music(back)


@contextlib.contextmanager
def plugged(board):
    """Runs the body with the jack of tools/inputs.c, in which something is plugged, as the output's jack."""
    board.run(
        f"modprobe -a uinput evdev; rm -f {PIPE}; mkfifo {PIPE}; "
        f"systemd-run --quiet --unit=bench-inputs /usr/local/lib/board/inputs {PIPE}"
    )
    try:
        move(board, "jack 1")
        with board.configured("[Playback]\nJack=Headphone Jack\n"):
            yield
    finally:
        board.run(f"systemctl stop bench-inputs; rm -f {PIPE}", check=False)


@check("route-plug-is-pulled")
def plug(board):
    """Pulling the plug pauses the music. Inserting it does not resume the music, but play continues with the next
    frame."""
    with plugged(board):
        mark, start = board.journal.mark(), board.settle() - RATE // 5
        move(board, "jack 0")
        board.journal.wait("route-changed", mark, reason="oldDeviceUnavailable")
        board.sound.wait_for_silence(start)
        expect("unplugged" in board.run("tacet status"), "tacet status does not say that the plug is out")
        move(board, "jack 1")
        board.journal.wait("route-changed", mark, reason="newDeviceAvailable")
        still = len(board.sound)
        board.sound.wait(still + RATE)
        silent(board.sound, still)
        board.press("PLAY_PAUSE")
        return exactly(pause(board.sound, start, board.sound.wait_for_music(still).end))


@check("muted-card-is-a-fault")
def muted(board):
    """A card whose mixer is muted is a fault that names the control, at once and after a restart, until it is not."""
    with plugged(board):
        mark = board.journal.mark()
        move(board, "master 0")
        words = "has Master muted (see ‘alsamixer -c 0’)"
        entry = board.journal.wait("fault", mark, fault="output:muted")
        expect(words in entry["MESSAGE"], f"the journal: {entry['MESSAGE']}")
        code, health = board.code("tacet health")
        expect(code == 1 and words in health, f"tacet health: {code}, {health}")
        expect(words in board.run("tacet why"), "tacet why does not name the control")
        mark = board.journal.mark()
        board.run("systemctl restart tacet")
        board.journal.wait("fault", mark, fault="output:muted")
        move(board, "master 1")
        board.journal.wait("fault-cleared", mark, fault="output:muted")
        expect(board.code("tacet health")[0] == 0, "the board is not healthy again")


@check("route-jack-that-the-card-lacks")
def missing(board):
    """A missing jack is a fault and a warning, and the music plays."""
    mark = board.journal.mark()
    with board.configured("[Playback]\nJack=Line Out Jack\n"):
        board.journal.wait("fault", mark, fault="jack")
        expect("Line Out Jack" in board.run("tacet status"), "tacet status does not show the missing jack")
        _, report = board.code("tacet check")
        expect("Jack=Line Out Jack: no sound card has a jack of this name" in report, f"tacet check: {report}")


@check("route-card-held-by-another-program")
def held(board):
    """The card is reported as held, with the program's name and number, and is used once it is free."""
    board.run("systemctl stop tacet")
    board.run("systemd-run --quiet --unit=bench-holder /usr/local/lib/board/hold hw:Loopback,0")
    mark = board.journal.mark()
    try:
        pid = board.show("MainPID", "bench-holder").strip()
        _, report = board.code("tacet check")
        expect(f"hold (pid {pid}) uses the device exclusively" in report, f"tacet check: {report}")
        board.run("systemctl start tacet")
        entry = board.journal.wait("media-services-lost", mark)
        expect(f"held by hold (pid {pid})" in entry["MESSAGE"], f"the journal: {entry['MESSAGE']}")
        expect(f"hold (pid {pid})" in board.run("tacet status"), "tacet status does not name the program")
    finally:
        board.run("systemctl stop bench-holder; systemctl start tacet", check=False)
    board.journal.wait("media-services-reset", mark, timeout=40)
    board.settle()
