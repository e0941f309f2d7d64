"""Reloads of the configuration with systemctl reload."""
from bench.board import DUCK_LEVEL
from bench.check import check, expect, near
from bench.commands import CHECK_CONF
from bench.numbers import RATE
from bench.story import duck, pause, silent, untouched
from checks.c02_signals import exactly


def reload(board, text):
    """Reloads a configuration, which must not be audible. Returns the exit code of the reload, a mark before its
    journal entries, and its output."""
    start = board.settle()
    mark = board.journal.mark()
    board.write(CHECK_CONF, text)
    code, output = board.code("systemctl reload tacet")
    board.sound.wait(len(board.sound) + RATE)
    untouched(board.sound, start)
    return code, mark, output


def ducked(board):
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    board.pull("ALARM", "up")
    board.journal.wait("duck-began", mark)
    board.sound.wait(len(board.sound) + RATE)
    board.pull("ALARM", "down")
    end = board.sound.wait_for_music()
    return duck(board.sound, start, end.end)


def undo(board):
    mark = board.journal.mark()
    board.run(f"rm -f {CHECK_CONF}; systemctl reload tacet", check=False)
    board.journal.wait("reloaded", mark)


@check("reload-of-levels-and-ramps-is-not-heard")
def levels(board):
    """The settings are applied to the playing engine, and no frame is changed."""
    try:
        code, mark, output = reload(board, "[Signal alarm]\nDuckLevel=-20dB\n[Playback]\nDuckAttack=400ms\n")
        expect(code == 0, f"systemctl reload: {output}")
        board.journal.wait("reloaded", mark)
        story = ducked(board)
        near(story.attack, 400, 2, "attack, ms")
        near(story.level, -20, 0.01, "level, dB")
        return story
    finally:
        undo(board)


@check("reload-of-a-longer-fade-goes-by-a-fade")
def fade(board):
    """The change cannot be applied to a running engine, so the daemon fades out, starts a new engine, and fades in with
    the next frame."""
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    pid = board.pid()
    try:
        board.write(CHECK_CONF, "[Playback]\nFadeOut=200ms\n")
        code, output = board.code("systemctl reload tacet")
        expect(code == 0, f"systemctl reload: {output}")
        board.journal.wait("reloaded", mark)
        end = board.sound.wait_for_music(len(board.sound))
        story = exactly(pause(board.sound, start, end.end))
        expect(board.pid() == pid, "the service was restarted")
        # The wires are the same and still work.
        start = board.settle() - RATE // 5
        board.pull("PHONE_CALL", "up")
        board.journal.wait("interruption-began", mark, signal="phone-call", reason="default")
        board.sound.wait_for_silence(start)
        board.pull("PHONE_CALL", "down")
        board.journal.wait("interruption-ended", mark)
        board.sound.wait_for_music(start + RATE)
        expect(not board.journal.since(mark, "fault"), f"a fault: {board.journal.summary(mark)}")
        return story
    finally:
        undo(board)


@check("bad-reload-changes-nothing")
def bad(board):
    try:
        code, mark, output = reload(board, "[Signal alarm]\nDuckLevel=loud\n")
        refused = board.journal.wait("reload-refused", mark)
        expect("95-check.conf:2" in refused["MESSAGE"], f"the journal does not name the line: {refused['MESSAGE']}")
        expect(code != 0, "systemctl reload succeeded")
        expect(board.show("ActiveState") == "active", board.show("ActiveState"))
        story = ducked(board)
        near(story.level, DUCK_LEVEL, 0.01, "level, dB")
        return f"{refused['MESSAGE'].splitlines()[-1]}; {story}"
    finally:
        undo(board)


@check("reload-during-a-call", core=True)
def during_call(board):
    """The configuration cannot be applied to a running engine. The call stays silent, no frame is lost, and it remains
    one call."""
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    board.pull("PHONE_CALL", "up")
    board.sound.wait_for_silence(start)
    quiet = len(board.sound)
    try:
        board.write(CHECK_CONF, "[Playback]\nFadeOut=200ms\n")
        code, output = board.code("systemctl reload tacet")
    finally:
        undo(board)
    board.sound.wait(len(board.sound) + RATE)
    silent(board.sound, quiet)
    board.pull("PHONE_CALL", "down")
    end = board.sound.wait_for_music(quiet)
    expect(code == 0, f"systemctl reload: {output}")
    for event, wanted in (("interruption-began", 1), ("interruption-ended", 1), ("fault", 0)):
        count = len(board.journal.since(mark, event))
        expect(count == wanted, f"{count} times {event}")
    return exactly(pause(board.sound, start, end.end))


@check("reload-between-two-rings")
def between_rings(board):
    """The wire is released and asserted again within its ReleaseDelay=. A reload in between does not end the call."""
    with board.configured("[Signal phone-call]\nReleaseDelay=6s\n"):
        mark, start = board.journal.mark(), board.settle() - RATE // 5
        board.pull("PHONE_CALL", "up")
        quiet = board.sound.wait_for_silence(start).start
        released = board.pull("PHONE_CALL", "down")[0][0]
        board.write(CHECK_CONF, "[Signal phone-call]\nReleaseDelay=6s\n[Playback]\nFadeOut=200ms\n")
        code, output = board.code("systemctl reload tacet")
        expect(code == 0, f"systemctl reload: {output}")
        board.journal.wait("reloaded", mark)
        end = board.sound.wait_for_music(quiet)
        for event in ("interruption-began", "interruption-ended"):
            count = len(board.journal.since(mark, event))
            expect(count == 1, f"{count} times {event}")
        story = exactly(pause(board.sound, start, end.end))
        after = (board.sound.time_of(story.silence.end) - released) / 1e9
        near(after, 6.1, 0.4, "from the wire's release to music, s")
        return f"{story}; {after:.2f} s after the wire's release"
