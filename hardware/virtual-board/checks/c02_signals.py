"""Each wire alone: what is heard, to the frame, and what the journal says."""
import statistics

from bench.board import DUCK_ATTACK, DUCK_LEVEL, DUCK_RELEASE, FADE_IN, FADE_OUT, SIGNALS
from bench.check import check, expect, near
from bench.journal import field
from bench.numbers import RATE
from bench.story import decibels, duck, pause, silent, untouched


#: The first frames of a fade-out differ in the last bits only, and may still count as the programme as it is.
EXACT = 2


def exactly(story, levels=(0, 0)):
    """A pause and a resume as they have to be."""
    near(story.lost, 0, EXACT, f"frames lost ({story})")
    near(story.fade_out, FADE_OUT, 1, "fade-out, ms")
    near(story.fade_in, FADE_IN, 6, "fade-in, ms")
    for level, wanted in zip(story.levels, levels):
        near(level, wanted, 0.01, "level, dB")
    return story


def interrupt(board, signal, reason="default"):
    """Asserts a pausing signal until it is silent, releases it, and waits for music. Returns the story and entries."""
    wire = SIGNALS[signal]
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    board.pull(wire, "up")
    began = board.journal.wait("interruption-began", mark, signal=signal, effect="pause", reason=reason)
    board.sound.wait_for_silence(start)
    board.pull(wire, "down")
    ended = board.journal.wait("interruption-ended", mark, should_resume="yes")
    end = board.sound.wait_for_music(start + RATE, timeout=30)
    heard = board.journal.wait("interruption-heard", mark, signal=signal)
    return pause(board.sound, start, end.end), began, heard, ended


def pauses_and_resumes(board, signal):
    story, began, heard, ended = interrupt(board, signal)
    exactly(story)
    # Where it was when it was told: what was queued in the card is heard in full before the fade-out.
    ahead = story.before.next / RATE - int(field(began, "position_usec")) / 1e6
    expect(-0.01 <= ahead <= 0.3, f"TACET_POSITION_USEC of the begin is {ahead:.3f} s before the fade-out")
    near(int(field(ended, "position_usec")) / 1e6, story.before.next / RATE, 0.001, "TACET_POSITION_USEC of the end, s")
    expect(field(began, "track").endswith("numbers.wav"), "TACET_TRACK")
    return f"{story}; the journal says {int(field(heard, 'latency_usec')) / 1000:.0f} ms from edge to sound"


@check("phone-call-pauses-and-resumes")
def phone_call(board):
    return pauses_and_resumes(board, "phone-call")


@check("cover-closed-pauses-and-resumes")
def cover_closed(board):
    return pauses_and_resumes(board, "cover-closed")


@check("alarm-ducks")
def alarm(board):
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    board.pull("ALARM", "up")
    board.journal.wait("duck-began", mark, signal="alarm", effect="duck", level=str(DUCK_LEVEL))
    board.sound.wait(len(board.sound) + RATE)
    board.pull("ALARM", "down")
    board.journal.wait("duck-ended", mark, signal="alarm")
    end = board.sound.wait_for_music()
    story = duck(board.sound, start, end.end)
    near(story.lost, 0, 0, "frames lost")
    near(story.level, DUCK_LEVEL, 0.01, "level, dB")
    near(story.attack, DUCK_ATTACK, 2, "attack, ms")
    near(story.release, DUCK_RELEASE, 8, "release, ms")
    expect(not board.journal.since(mark, "interruption-began"), "a duck is no interruption")
    return story


@check("user-pause-is-kept")
def user_pause(board):
    """A button is pressed in mid-call: nobody is overridden when the call ends."""
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    board.pull("PHONE_CALL", "up")
    board.sound.wait_for_silence(start)
    board.press("PLAY_PAUSE")
    board.journal.wait("command", mark, answer="success")
    board.pull("PHONE_CALL", "down")
    board.journal.wait("interruption-ended", mark, should_resume="yes")
    released = len(board.sound)
    board.sound.wait(released + 2 * RATE)
    silent(board.sound, released)
    board.press("PLAY_PAUSE")
    end = board.sound.wait_for_music(released, timeout=20)
    return exactly(pause(board.sound, start, end.end))


@check("volume-button-repeats")
def volume(board):
    """Held, it goes on stepping."""
    with board.configured("[Button volume-up]\nCommand=volume -3dB\n"):
        mark = board.journal.mark()
        board.pull("VOLUME_UP", "up", "100ms", "VOLUME_UP", "down")
        board.sound.wait(len(board.sound) + 5 * RATE // 2)
        once = level_now(board)
        near(once, -3, 0.01, "after a press, dB")
        board.pull("VOLUME_UP", "up", "2s", "VOLUME_UP", "down")
        board.sound.wait(len(board.sound) + 5 * RATE // 2)
        held = level_now(board)
        expect(held <= once - 6, f"held for 2 s it went from {once:.1f} to {held:.1f} dB")
        expect(not board.journal.since(mark, "fault"), "a button is no fault")
    # The level is kept: back to where it was, with the button as the board has it.
    board.pull("VOLUME_UP", "up", "4s", "VOLUME_UP", "down")
    return f"a press {once:.1f} dB, held for 2 s {held:.1f} dB"


def level_now(board):
    """dB of what plays: by the slope of its frames, whose numbers rise by one."""
    last = len(board.sound)
    samples = board.sound.samples(last - RATE // 10, last)
    # A gap is a large step.
    steps = [b - a for a, b in zip(samples, samples[1:]) if abs(b - a) < 1000]
    return decibels(statistics.fmean(steps) / 256)


@check("short-pulse-never-happened")
def short_pulse(board):
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    # A machine that stands still makes a pulse longer: what counts is how long it was.
    times = board.pull("PHONE_CALL", "up", "5ms", "PHONE_CALL", "down")
    length = (times[1][0] - times[0][0]) / 1e6
    board.sound.wait(len(board.sound) + RATE)
    if length >= 25:
        return f"the emulator made it {length:.0f} ms long, and it proves nothing"
    lost, gaps = untouched(board.sound, start)
    near(lost, 0, 0, "frames lost")
    expect(not board.journal.since(mark, "interruption-began"), "a short pulse has interrupted")
    return f"{length:.1f} ms, with Debounce=30ms"
