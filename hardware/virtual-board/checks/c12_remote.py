"""The system's message bus: who may do what, and what a technician is told."""
from bench.check import check, expect
from bench.numbers import RATE
from bench.story import pause
from checks.c02_signals import exactly
from checks.c05_devices import CARD

NOBODY = "setpriv --reuid=65534 --regid=65534 --clear-groups"


def says(board, *words):
    """`tacet why`, whose words it has to have."""
    sentence = board.run("tacet why").strip()
    for word in words:
        expect(word in sentence, f"‘{word}’ is not in ‘{sentence}’")
    return sentence


@check("commands-over-the-bus")
def commands(board):
    """Root may; anyone may look, and not touch."""
    start = board.settle() - RATE // 5
    code, output = board.code(f"{NOBODY} tacet pause")
    expect(code == 1 and "only root and the group tacet" in output, f"nobody: {code}, {output}")
    expect(board.run(f"{NOBODY} tacet status --json").startswith('{"status":"Playing"'), "anyone may look")
    expect(board.run("tacet pause").strip() == "success", "tacet pause")
    board.sound.wait_for_silence(start)
    expect(board.run("tacet play").strip() == "success", "tacet play")
    end = board.sound.wait_for_music(start + RATE, timeout=30)
    return exactly(pause(board.sound, start, end.end))


@check("why-in-three-puzzles")
def why(board):
    """A call, a pause during it, a dead card: each is told, with what will happen next."""
    mark, start = board.journal.mark(), board.settle()
    board.pull("PHONE_CALL", "up")
    board.journal.wait("interruption-began", mark)
    call = says(board, "because phone-call (PHONE_CALL) is asserted", "will resume ‘numbers.wav’", "when it is released")
    board.run("tacet pause")
    says(board, "will stay paused when it is released")
    board.pull("PHONE_CALL", "down")
    board.journal.wait("interruption-ended", mark)
    says(board, "because it was paused")
    board.run("tacet play")
    board.sound.wait_for_music(start)
    board.run(f"echo snd_aloop.0 >{CARD}/unbind")
    try:
        board.journal.wait("media-services-lost", mark)
        says(board, "because there is no sound device", "when it is back")
    finally:
        board.run(f"echo snd_aloop.0 >{CARD}/bind")
    board.journal.wait("media-services-reset", mark)
    board.settle()
    return call
