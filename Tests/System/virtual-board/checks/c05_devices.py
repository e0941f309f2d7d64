"""The GPIO chip and the sound card disappear and return."""
from bench.board import SIGNALS
from bench.check import check, expect
from bench.numbers import RATE
from bench.story import arrival, distance, pause, silent, untouched
from checks.c02_signals import exactly

CHIP = "/sys/kernel/config/gpio-sim/panel/live"
CARD = "/sys/bus/platform/drivers/snd_aloop"
#: The maximum number of frames that were in the card when it disappeared, and are lost or played twice. It is the
#: length of the queue, which grows when the emulator is late.
QUEUE = RATE // 10


def silent_since(board, start, seconds):
    board.sound.wait(start + seconds * RATE)
    silent(board.sound, start)


@check("chip-goes-and-comes-back", core=True)
def chip(board):
    """Each signal has a fault, and the music continues. When the chip returns, the wires work again."""
    mark, start = board.journal.mark(), board.settle()
    board.run(f"echo 0 >{CHIP}")
    for signal in SIGNALS:
        board.journal.wait("fault", mark, signal=signal, fault="lost")
    board.sound.wait(len(board.sound) + RATE)
    board.run(f"echo 1 >{CHIP}")
    for signal in SIGNALS:
        board.journal.wait("fault-cleared", mark, signal=signal, fault="lost")
    untouched(board.sound, start)
    again = board.journal.mark()
    begin = board.settle() - RATE // 5
    board.pull("PHONE_CALL", "up")
    board.journal.wait("interruption-began", again, signal="phone-call")
    board.sound.wait_for_silence(begin)
    board.pull("PHONE_CALL", "down")
    end = board.sound.wait_for_music(begin + RATE)
    return exactly(pause(board.sound, begin, end.end))


@check("chip-goes-during-a-call")
def chip_during_call(board):
    """The signal's last effect is held. When the chip returns, its line shows that the call is over."""
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    board.pull("PHONE_CALL", "up")
    board.journal.wait("interruption-began", mark)
    board.sound.wait_for_silence(start)
    board.run(f"echo 0 >{CHIP}")
    board.journal.wait("fault", mark, signal="phone-call", fault="lost")
    # The pause is longer than LostGrace=, and WhenLost=hold applies.
    silent_since(board, len(board.sound), 6)
    board.run(f"echo 1 >{CHIP}")
    board.journal.wait("interruption-ended", mark)
    end = board.sound.wait_for_music(start + RATE)
    return exactly(pause(board.sound, start, end.end))


@check("card-goes-while-playing", core=True)
def card_playing(board):
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    board.run(f"echo snd_aloop.0 >{CARD}/unbind")
    board.journal.wait("media-services-lost", mark)
    expect(board.show("ActiveState") == "active", "the service ended when the card disappeared")
    board.run(f"echo snd_aloop.0 >{CARD}/bind")
    back = len(board.sound)
    board.journal.wait("media-services-reset", mark)
    board.sound.wait_for_music(back)
    pieces = board.sound.pieces(start)
    before = [piece for piece in pieces if piece.end <= back and piece.kind == "numbers"][-1]
    after = next(piece for piece in pieces if piece.start >= back and piece.kind == "numbers")
    lost = distance(arrival(board.sound, back, after.end), before.next)
    expect(-2 * QUEUE <= lost <= 2 * QUEUE, f"{lost} frames lost")
    return f"{lost} frames lost ({lost / RATE * 1000:.0f} ms)"


def card_cycle(board, mark):
    """Removes the card and plugs it in again. Returns the frame from which there was sound again."""
    board.run(f"echo snd_aloop.0 >{CARD}/unbind")
    board.journal.wait("media-services-lost", mark, timeout=40)
    board.run(f"echo snd_aloop.0 >{CARD}/bind")
    back = len(board.sound)
    board.journal.wait("media-services-reset", mark, timeout=40)
    return back


@check("card-goes-while-paused")
def card_paused(board):
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    board.press("PLAY_PAUSE")
    board.sound.wait_for_silence(start)
    back = card_cycle(board, mark)
    silent_since(board, back, 2)
    board.press("PLAY_PAUSE")
    end = board.sound.wait_for_music(back)
    return exactly(pause(board.sound, start, end.end))


@check("card-goes-while-interrupted")
def card_interrupted(board):
    mark, start = board.journal.mark(), board.settle() - RATE // 5
    board.pull("COVER_CLOSED", "up")
    board.sound.wait_for_silence(start)
    back = card_cycle(board, mark)
    silent_since(board, back, 2)
    board.pull("COVER_CLOSED", "down")
    board.journal.wait("interruption-ended", mark, should_resume="yes")
    end = board.sound.wait_for_music(back)
    return exactly(pause(board.sound, start, end.end))


@check("interrupted-while-the-card-is-away")
def interrupted_without_card(board):
    """A call begins while there is no card, and ends after the card has returned."""
    mark = board.journal.mark()
    board.run(f"echo snd_aloop.0 >{CARD}/unbind")
    board.journal.wait("media-services-lost", mark)
    board.pull("COVER_CLOSED", "up")
    board.journal.wait("interruption-began", mark)
    board.run(f"echo snd_aloop.0 >{CARD}/bind")
    back = len(board.sound)
    board.journal.wait("media-services-reset", mark)
    silent_since(board, back, 2)
    board.pull("COVER_CLOSED", "down")
    board.sound.wait_for_music(back)
