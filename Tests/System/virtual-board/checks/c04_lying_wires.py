"""Wires that bounce, pulse, get stuck and chatter."""
from bench.board import SIGNALS
from bench.check import Failed, check, expect, near
from bench.numbers import RATE
from bench.story import pause, silent, untouched
from checks.c02_signals import exactly

#: The bench's Debounce= in nanoseconds.
DEBOUNCE = 30_000_000


def counts(board, mark, *events):
    return [len(board.journal.since(mark, event)) for event in events]


def bounce(board, way):
    """Pulls the phone's wire up or down with five bounces. Returns true if the emulator was fast enough. Otherwise, a
    bounce lasted long enough to be accepted as a level."""
    back = "down" if way == "up" else "up"
    pulls = board.pull("PHONE_CALL", way, *["2ms", "PHONE_CALL", back, "2ms", "PHONE_CALL", way] * 5)
    return all(after[3] - before[0] < DEBOUNCE for before, after in zip(pulls, pulls[1:]))


@check("bouncing-wire-is-one-call")
def bouncing(board):
    for attempt in range(1, 5):
        mark, start = board.journal.mark(), board.settle() - RATE // 5
        kept_up = bounce(board, "up")
        board.journal.wait("interruption-began", mark, signal="phone-call")
        board.sound.wait_for_silence(start)
        kept_up = bounce(board, "down") and kept_up
        board.journal.wait("interruption-ended", mark)
        end = board.sound.wait_for_music()
        began, ended = counts(board, mark, "interruption-began", "interruption-ended")
        if kept_up:
            expect(began == ended == 1, f"{began} begins and {ended} ends")
            return f"{exactly(pause(board.sound, start, end.end))}, at try {attempt}"
    raise Failed("the emulator does not keep up: its bounces last as long as calls")


@check("pulsing-ring-is-one-call")
def ring(board):
    """The telephone rings for 2 s and is silent for 4 s. The music must not return between the rings."""
    with board.configured("[Signal phone-call]\nReleaseDelay=5s\n"):
        mark, start = board.journal.mark(), board.settle() - RATE // 5
        ring = ["PHONE_CALL", "up", "2s", "PHONE_CALL", "down"]
        last = board.pull(*ring, "4s", *ring, "4s", *ring)[-1][0]
        board.journal.wait("interruption-ended", mark, timeout=20)
        end = board.sound.wait_for_music(timeout=20)
        began, ended = counts(board, mark, "interruption-began", "interruption-ended")
        expect(began == ended == 1, f"{began} begins and {ended} ends")
        story = exactly(pause(board.sound, start, end.end))
        released = (board.sound.time_of(story.silence.end) - last) / 1e9
        near(released, 5.1, 0.3, "from the last ring to music, s")
        near(story.silence.count / RATE, 19, 1, "silence, s")
        return f"{story}; {released:.2f} s after the last ring"


@check("stuck-wire-is-released", core=True)
def stuck(board):
    with board.configured("[Signal phone-call]\nStuckAfter=2s\nWhenStuck=release\n"):
        mark, start = board.journal.mark(), board.settle() - RATE // 5
        board.pull("PHONE_CALL", "up")
        board.journal.wait("interruption-began", mark)
        board.journal.wait("fault", mark, signal="phone-call", fault="stuck")
        # The music plays although the wire is up.
        end = board.sound.wait_for_music(start + RATE)
        story = exactly(pause(board.sound, start, end.end))
        expect("phone-call" in board.show("StatusText"), f"STATUS= lacks phone-call: {board.show('StatusText')}")
        playing = len(board.sound)
        board.pull("PHONE_CALL", "down")
        board.journal.wait("fault-cleared", mark, signal="phone-call", fault="stuck")
        board.sound.wait(playing + RATE)
        untouched(board.sound, playing)
        return story


@check("stuck-wire-is-held-until-the-user-plays")
def stuck_held(board):
    with board.configured("[Signal phone-call]\nStuckAfter=2s\nWhenStuck=hold\n"):
        mark, start = board.journal.mark(), board.settle() - RATE // 5
        board.pull("PHONE_CALL", "up")
        board.journal.wait("fault", mark, signal="phone-call", fault="stuck")
        quiet = len(board.sound)
        board.sound.wait(quiet + RATE)
        silent(board.sound, quiet)
        # Nothing is playing, so playPause plays.
        board.press("PLAY_PAUSE")
        end = board.sound.wait_for_music(quiet)
        return exactly(pause(board.sound, start, end.end))


@check("chattering-wire-is-one-fault")
def chatter(board):
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    pulls = board.pull(*["PHONE_CALL", "up", "5ms", "PHONE_CALL", "down", "5ms"] * 60)
    # If the emulator stalls, a pulse may last long enough to be a call.
    calls = sum(down[3] - up[0] >= DEBOUNCE for up, down in zip(pulls[::2], pulls[1::2]))
    board.journal.wait("fault", mark, signal="phone-call", fault="chatter")
    board.journal.wait("fault-cleared", mark, signal="phone-call", fault="chatter")
    end = board.sound.wait_for_music(start + RATE)
    faults, began, ended = counts(board, mark, "fault", "interruption-began", "interruption-ended")
    expect(faults == 1, f"{faults} faults")
    most = max(1, calls)
    expect(began == ended and began <= most, f"{began} begins and {ended} ends of a loose contact; {calls} long pulses")
    if began == 0:
        untouched(board.sound, start, end.end)
        return "nothing was heard of it"
    if began == 1:
        return exactly(pause(board.sound, start, end.end))
    return f"interrupted {began} times, because the emulator made {calls} of the pulses long"


@check("every-line-counts")
def every_line(board):
    """All wires go up and down together, ten times. In the end, all signals are released and the music plays."""
    mark = board.journal.mark()
    start = board.settle()
    wires = list(SIGNALS.values())
    for _ in range(10):
        up = [word for wire in wires for word in (wire, "up")]
        down = [word for wire in reversed(wires) for word in (wire, "down")]
        board.pull(*up, "150ms", *down)
    end = board.settle(seconds=1)
    began, ended = counts(board, mark, "interruption-began", "interruption-ended")
    expect(began == ended, f"{began} begins and {ended} ends")
    ducks, up = counts(board, mark, "duck-began", "duck-ended")
    expect(ducks == up, f"{ducks} ducks, {up} of them have ended")
    expect(end > start, "the music does not play")
    return f"{began} interruptions, {ducks} ducks, all have ended"
