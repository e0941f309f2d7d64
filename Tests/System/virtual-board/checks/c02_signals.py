"""Each wire separately, with an exact comparison of the recorded frames and with the entries in the journal."""
from bench.board import DUCK_ATTACK, DUCK_LEVEL, DUCK_RELEASE, FADE_IN, FADE_OUT, SIGNALS
from bench.check import Failed, check, expect, near
from bench.journal import field
from bench.numbers import RATE
from bench.story import duck, pause, silent, steady_level, untouched, whole


#: The tolerance of a position in frames. The frames at the end of a ramp differ only in the last bits.
EXACT = 2


def exactly(story, levels=(0, 0)):
    """Checks the fades and levels of a pause and a resume, and that no frame is lost."""
    expect(whole(story), f"frames lost: {story}")
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
    # The entry contains the position at which the engine received the order. Frames that were queued in the card are
    # played in full before the fade-out.
    ahead = story.before.next / RATE - int(field(began, "position_usec")) / 1e6
    expect(-0.01 <= ahead <= 0.3, f"TACET_POSITION_USEC of the begin is {ahead:.3f} s before the fade-out")
    # The entry contains the position at the time when it was written. By then, the music may have resumed.
    behind = int(field(ended, "position_usec")) / 1e6 - story.before.next / RATE
    expect(-0.001 <= behind <= 0.1, f"TACET_POSITION_USEC of the end is {behind:.4f} s after where it resumed")
    expect(field(began, "track").endswith("numbers.wav"), "TACET_TRACK")
    return f"{story}; the journal says {int(field(heard, 'latency_usec')) / 1000:.0f} ms from edge to sound"


@check("phone-call-pauses-and-resumes", core=True)
def phone_call(board):
    return pauses_and_resumes(board, "phone-call")


@check("cover-closed-pauses-and-resumes")
def cover_closed(board):
    return pauses_and_resumes(board, "cover-closed")


@check("alarm-ducks", core=True)
def alarm(board):
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    board.pull("ALARM", "up")
    board.journal.wait("duck-began", mark, signal="alarm", effect="duck", level=str(DUCK_LEVEL))
    board.sound.wait(len(board.sound) + RATE)
    board.pull("ALARM", "down")
    board.journal.wait("duck-ended", mark, signal="alarm")
    end = board.sound.wait_for_music()
    story = duck(board.sound, start, end.end)
    expect(whole(story), f"frames lost: {story}")
    near(story.level, DUCK_LEVEL, 0.01, "level, dB")
    near(story.attack, DUCK_ATTACK, 2, "attack, ms")
    near(story.release, DUCK_RELEASE, 8, "release, ms")
    expect(not board.journal.since(mark, "interruption-began"), "a duck was logged as an interruption")
    return story


@check("user-pause-is-kept", core=True)
def user_pause(board):
    """A user pauses during a call, and the end of the call does not override the user."""
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    board.pull("PHONE_CALL", "up")
    board.sound.wait_for_silence(start)
    board.run("tacet pause")
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
    """A button that is held repeats its step. The steps are so small that the level can still be measured if the
    emulator makes 2 s last longer."""
    with board.configured("[Button volume-up]\nCommand=volume -1dB\n"):
        mark = board.journal.mark()
        board.pull("VOLUME_UP", "up", "100ms", "VOLUME_UP", "down")
        board.sound.wait(len(board.sound) + 5 * RATE // 2)
        once = steady_level(board.sound, len(board.sound) - RATE)
        near(once, -1, 0.01, "after a press, dB")
        board.pull("VOLUME_UP", "up", "2s", "VOLUME_UP", "down")
        board.sound.wait(len(board.sound) + 5 * RATE // 2)
        held = steady_level(board.sound, len(board.sound) - RATE)
        expect(held <= once - 6, f"held for 2 s it went from {once:.1f} to {held:.1f} dB")
        expect(not board.journal.since(mark, "fault"), "the button was reported as a fault")
    # The level is saved, so it is restored with the button's usual command.
    board.pull("VOLUME_UP", "up", "4s", "VOLUME_UP", "down")
    return f"a press {once:.1f} dB, held for 2 s {held:.1f} dB"


@check("short-pulse-never-happened")
def short_pulse(board):
    """Sends several pulses, because a stall of the machine makes a pulse longer or, if only one processor stalls, may
    delay the report of its end. Without debouncing, every pulse would interrupt."""
    lengths = []
    for _ in range(4):
        mark, start = board.journal.mark(), board.settle() - RATE // 5
        times = board.pull("PHONE_CALL", "up", "5ms", "PHONE_CALL", "down")
        lengths.append((times[1][3] - times[0][0]) / 1e6)
        board.sound.wait(len(board.sound) + RATE)
        if not board.journal.since(mark, "interruption-began"):
            untouched(board.sound, start)
            return f"{lengths[-1]:.1f} ms, with Debounce=30ms, at try {len(lengths)}"
    raise Failed(f"short pulses interrupted: {', '.join(f'{length:.1f}' for length in lengths)} ms")
