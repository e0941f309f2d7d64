"""The permissions on the system's message bus, and the information that a technician gets."""
from bench.check import check, expect
from bench.commands import NOBODY
from bench.numbers import RATE
from bench.story import pause
from checks.c02_signals import exactly
from checks.c05_devices import CARD


def says(board, *words):
    """Checks that `tacet why` prints these words. Returns its sentence."""
    sentence = board.run("tacet why").strip()
    for word in words:
        expect(word in sentence, f"‘{word}’ is not in ‘{sentence}’")
    return sentence


@check("commands-over-the-bus", core=True)
def commands(board):
    """Root may send commands. Anyone may read, but not send commands."""
    start = board.settle() - RATE // 5
    code, output = board.code(f"{NOBODY} tacet pause")
    expect(code == 1 and "only root and members of the group tacet" in output, f"nobody: {code}, {output}")
    expect(board.run(f"{NOBODY} tacet status --json").startswith('{"status":"Playing"'), "others cannot read it")
    expect(board.run("tacet pause").strip() == "Done.", "tacet pause")
    # This is longer than the gaps while the emulator translates a program that it runs for the first time.
    board.sound.wait_for_silence(start, seconds=1)
    quiet = len(board.sound)
    expect(board.run("tacet play").strip() == "Done.", "tacet play")
    end = board.sound.wait_for_music(quiet, timeout=30)
    return exactly(pause(board.sound, start, end.end))


def explained(board, since, event, advice):
    """Checks that `journalctl -u tacet -x` shows the entry and the advice."""
    text = board.run(f"journalctl -u tacet -x --no-pager --since @{since}")
    entries = board.run(f"journalctl -u tacet --no-pager -o cat --since @{since} TACET_EVENT={event}")
    expect(entries, f"no {event} in the journal")
    words = " ".join(line.lstrip("-░ ") for line in text.splitlines())
    expect(advice in words, f"‘{advice}’ is not in {text}")
    return entries.splitlines()[0]


def now(board):
    return board.run("date +%s")


@check("puzzle-of-the-stuck-line")
def stuck(board):
    """There is no call, but the board is silent, because a line is stuck."""
    with board.configured("[Signal phone-call]\nStuckAfter=2s\nWhenStuck=hold\n"):
        mark, since = board.journal.mark(), now(board)
        board.pull("PHONE_CALL", "up")
        board.journal.wait("fault", mark, signal="phone-call", fault="stuck")
        why = says(
            board, "phone-call (line PHONE_CALL, gpiochip", ") is asserted", "longer than StuckAfter=",
            "check its wire and contact", "will resume ‘numbers.wav’", "when the signal is released",
        )  # fmt: skip
        entry = explained(board, since, "fault", "a relay is welded")
        board.pull("PHONE_CALL", "down")
        board.journal.wait("fault-cleared", mark, signal="phone-call", fault="stuck")
        board.settle()
    return f"{why} — {entry}"


@check("puzzle-of-the-pause-during-a-call")
def paused(board):
    """The call is over, but the board is still silent, because a person has paused the music."""
    mark, since, start = board.journal.mark(), now(board), board.settle()
    board.pull("PHONE_CALL", "up")
    board.journal.wait("interruption-began", mark)
    says(board, "because phone-call (line PHONE_CALL, ", "will resume ‘numbers.wav’", "when the signal is released")
    board.run("tacet pause")
    board.journal.wait("command", mark)
    says(board, "will stay paused when the signal is released")
    board.pull("PHONE_CALL", "down")
    board.journal.wait("interruption-ended", mark)
    why = says(board, "because it was paused", "‘tacet play’ resumes ‘numbers.wav’")
    explained(board, since, "interruption-began", "phone-call (PHONE_CALL)")
    entry = explained(board, since, "command", "Subject: Command: ")
    board.run("tacet play")
    board.sound.wait_for_music(start)
    return f"{why} — {entry}"


@check("puzzle-of-the-dead-card")
def dead(board):
    """No signal is asserted and the music is not paused, but the board is silent, because there is no sound card."""
    mark, since, start = board.journal.mark(), now(board), board.settle()
    board.run(f"echo snd_aloop.0 >{CARD}/unbind")
    try:
        board.journal.wait("media-services-lost", mark)
        why = says(board, "because there is no sound device", "will resume ‘numbers.wav’", "when the device returns")
        entry = explained(board, since, "media-services-lost", "which cards are there, and who uses them?")
    finally:
        board.run(f"echo snd_aloop.0 >{CARD}/bind")
    board.journal.wait("media-services-reset", mark)
    board.sound.wait_for_music(start)
    return f"{why} — {entry}"
