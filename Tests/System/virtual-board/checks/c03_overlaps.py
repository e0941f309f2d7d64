"""Two wires at once."""
from bench.board import DUCK_LEVEL, FADE_IN, FADE_OUT
from bench.check import check, expect, near
from bench.hangs import late
from bench.numbers import RATE
from bench.story import pause, silent, untouched
from checks.c02_signals import exactly


def begin(board):
    return board.journal.mark(), board.settle() - RATE // 5


def finish(board, mark, start, mixed=False):
    """Returns the story until the music plays again, and checks that there was exactly one interruption."""
    board.journal.wait("interruption-ended", mark, timeout=10)
    end = board.sound.wait_for_music()
    for event in ("interruption-began", "interruption-ended"):
        count = len(board.journal.since(mark, event))
        expect(count == 1, f"{count} entries {event}")
    return pause(board.sound, start, end.end, mixed)


@check("call-within-alarm", core=True)
def call_within_alarm(board):
    mark, start = begin(board)
    board.pull("ALARM", "up")
    board.journal.wait("duck-began", mark)
    board.sound.wait(len(board.sound) + RATE)
    board.pull("PHONE_CALL", "up")
    board.sound.wait_for_silence(start)
    board.pull("PHONE_CALL", "down")
    board.journal.wait("interruption-ended", mark, should_resume="yes")
    board.sound.wait(len(board.sound) + 3 * RATE // 2)
    board.pull("ALARM", "down")
    board.journal.wait("duck-ended", mark)
    return exactly(finish(board, mark, start), levels=(DUCK_LEVEL, DUCK_LEVEL))


@check("alarm-within-call")
def alarm_within_call(board):
    mark, start = begin(board)
    board.pull("PHONE_CALL", "up")
    board.sound.wait_for_silence(start)
    board.pull("ALARM", "up")
    board.journal.wait("duck-began", mark)
    quiet = len(board.sound)
    board.sound.wait(quiet + RATE // 2)
    board.pull("ALARM", "down")
    board.journal.wait("duck-ended", mark)
    silent(board.sound, quiet)
    board.pull("PHONE_CALL", "down")
    return exactly(finish(board, mark, start))


def at_once(story):
    """The alarm is debounced sooner (20 ms instead of 30 ms for the call), so the fade-out begins during the duck's
    ramp, or soon after it on a slow board. In both cases, exactly the frames that faded out are played again."""
    near(story.fade_in, FADE_IN, 6, "fade-in, ms")
    # The last frames of a fade-out are too soft to be distinguished from silence.
    near(-story.skipped / RATE * 1000, FADE_OUT, 1, "heard again after the fade-out, ms")
    return story


@check("both-at-once-alarm-released-first")
def both_alarm_first(board):
    mark, start = begin(board)
    board.pull("PHONE_CALL", "up", "ALARM", "up")
    board.sound.wait_for_silence(start)
    board.journal.wait("duck-began", mark)
    board.pull("ALARM", "down")
    board.journal.wait("duck-ended", mark)
    board.pull("PHONE_CALL", "down")
    return at_once(finish(board, mark, start, mixed=True))


@check("both-at-once-call-released-first")
def both_call_first(board):
    mark, start = begin(board)
    board.pull("ALARM", "up", "PHONE_CALL", "up")
    board.sound.wait_for_silence(start)
    board.journal.wait("duck-began", mark)
    board.pull("PHONE_CALL", "down")
    board.journal.wait("interruption-ended", mark, should_resume="yes")
    board.sound.wait(len(board.sound) + 3 * RATE // 2)
    board.pull("ALARM", "down")
    board.journal.wait("duck-ended", mark)
    story = at_once(finish(board, mark, start, mixed=True))
    near(story.levels[1], DUCK_LEVEL, 0.01, "level after the call, dB")
    return f"after the call {story.levels[1]:.2f} dB; {story}"


@check("two-pausing-signals-are-one-interruption")
def two_pauses(board):
    mark, start = begin(board)
    board.pull("PHONE_CALL", "up")
    board.sound.wait_for_silence(start)
    board.pull("COVER_CLOSED", "up", "300ms", "PHONE_CALL", "down")
    quiet = len(board.sound)
    board.sound.wait(quiet + RATE)
    silent(board.sound, quiet)
    board.pull("COVER_CLOSED", "down")
    return exactly(finish(board, mark, start))


@check("edges-read-together-are-one-event")
def together(board):
    """A call ends just before a cover closes, and both are stable when they are read. The music must not return in
    between."""
    mark, start = begin(board)
    board.pull("PHONE_CALL", "up")
    board.sound.wait_for_silence(start)
    late(board, "tacetd", "pull PHONE_CALL down 10ms COVER_CLOSED up 300ms")
    quiet = len(board.sound)
    board.sound.wait(quiet + RATE)
    silent(board.sound, quiet)
    board.pull("COVER_CLOSED", "down")
    return exactly(finish(board, mark, start))


@check("quiet-wires-change-nothing")
def quiet(board):
    """In ten seconds of music, no frame is lost, and the journal has no entry."""
    mark, start = board.journal.mark(), board.settle()
    board.sound.wait(start + 10 * RATE)
    gaps = untouched(board.sound, start)
    said = [entry for entry in board.journal.since(mark) if entry.get("TACET_EVENT") != "underrun"]
    expect(not said, f"the journal has: {board.journal.summary(mark)}")
    return f"10 s, {gaps / RATE * 1000:.0f} ms of gaps"
