"""Cues and announcements as they are played. The chime's frames contain numbers that the music never reaches."""
import statistics

from bench.board import DUCK_ATTACK, DUCK_LEVEL, DUCK_RELEASE, SIGNALS
from bench.check import check, expect, near
from bench.numbers import CHIME, RATE
from bench.story import HEARD_TWICE, duck, steady_level, whole, words
from checks.c05_devices import card_cycle
from checks.c10_cost import figures, percentile

FIRST, LAST = CHIME
LENGTH = LAST - FIRST + 1
CONF = """[Signal alarm]
Cue=chime
Priority=90
[Sound chime]
File=/srv/sounds/chime.wav
[Sound quiet]
File=/srv/sounds/quiet.wav
Expire=1min
"""
EDGES, OPENINGS, ANNOUNCEMENTS = 50, 10, 10
#: The goal for the time from the edge to the cue's first frame, beyond Debounce=, in milliseconds.
GOAL = 25


def chimes(board, start, end=None):
    """Returns the parts of the chime among these frames."""
    pieces = board.sound.pieces(start, end)
    return [piece for piece in pieces if piece.kind == "numbers" and FIRST <= piece.number <= LAST]


def heard_whole(board, start):
    """Waits until the chime has been played from its first frame to its last, without frames that are lost or played
    twice. Silent gaps are ignored, because the emulator causes them."""
    board.sound.wait(start + LENGTH)
    for _ in range(20):
        found = chimes(board, start)
        if found and found[-1].next > LAST:
            break
        board.sound.wait(len(board.sound) + RATE // 4)
    heard = words(board.sound.pieces(start))
    expect(found and found[0].number == FIRST and found[-1].next == LAST + 1, f"the chime was not heard whole: {heard}")
    for before, after in zip(found, found[1:]):
        lost = after.number - before.next
        expect(-HEARD_TWICE <= lost <= 0, f"{lost} frames of the chime were lost: {heard}")
    return found


@check("alarm-is-heard-while-others-interrupt", core=True)
def alarm(board):
    """During a call, and while the cover is closed, the alarm's cue is played once, from its first frame to its
    last."""
    with board.configured(CONF):
        for signal in ("phone-call", "cover-closed"):
            mark, start = board.journal.mark(), board.settle()
            board.pull(SIGNALS[signal], "up")
            board.journal.wait("interruption-began", mark, signal=signal)
            quiet = board.sound.wait_for_silence(start).end
            board.pull("ALARM", "up")
            board.journal.wait("sound-began", mark, sound="chime", signal="alarm")
            last = heard_whole(board, quiet)[-1].end
            board.journal.wait("sound-ended", mark, sound="chime")
            board.sound.wait(last + RATE)
            expect(not chimes(board, last), f"heard again: {words(board.sound.pieces(quiet))}")
            board.release_all()
            board.sound.wait_for_music(len(board.sound))


def cue_latencies(board, count, pause):
    """Returns the milliseconds from edges of the alarm's wire to the first frame of its cue, over silence."""
    start = board.settle()
    board.pull("COVER_CLOSED", "up")
    board.sound.wait_for_silence(start, seconds=1)
    ways = []
    for index in range(count):
        # The edges are at different moments of the card's periods.
        ways += ["ALARM", "up", f"{0.4 + index * 0.0017:.4f}s", "ALARM", "down", pause]
    edges = [edge for edge in board.pull(*ways, timeout=300) if edge[2] == "up"]
    board.sound.wait(len(board.sound) + RATE)
    starts = [board.sound.frame_at(edge[0]) for edge in edges] + [len(board.sound)]
    latencies = []
    for begin, end in zip(starts, starts[1:]):
        found = chimes(board, begin, end)
        if found and found[0].number == FIRST:
            latencies.append((found[0].start - begin) / RATE * 1000)
    board.release_all()
    return latencies


@check("cue-is-heard-soon", minutes=1.5)
def latency(board):
    """Measures the time from the edge to the first frame, with the device open and with the device closed."""
    with board.configured(CONF):
        opened = cue_latencies(board, EDGES, "0.3s")
    with board.configured(CONF + "[Playback]\nCloseAfter=300ms\n"):
        closed = cue_latencies(board, OPENINGS, "1.5s")
    text = (
        "edge to the cue's first frame with Debounce=30ms, ms, median (least … 99th percentile): "
        f"device open {figures(opened)}, closed {figures(closed)}"
    )
    expect(len(opened) >= EDGES - 2 and len(closed) >= OPENINGS - 1, f"{len(opened)} and {len(closed)} cues: {text}")
    expect(statistics.median(opened) <= 30 + GOAL, text)
    return f"{text}; goal {30 + GOAL}, reached by {sum(time <= 30 + GOAL for time in opened)} of {len(opened)}"


@check("announcements-in-a-row-duck-once")
def row(board):
    """The announcements are silent, so that the recording shows the music alone."""
    with board.configured(CONF):
        mark, start = board.journal.mark(), board.settle() - RATE // 5
        board.run("; ".join(["tacet announce quiet"] * ANNOUNCEMENTS))
        for _ in range(ANNOUNCEMENTS):
            board.sound.wait(len(board.sound) + RATE)
        end = board.sound.wait_for_music(len(board.sound))
        count = len(board.journal.since(mark, "sound-ended", sound="quiet"))
        expect(count == ANNOUNCEMENTS, f"{count} announcements were heard")
        story = duck(board.sound, start, end.end)
        expect(whole(story), f"frames lost: {story}")
        near(story.level, DUCK_LEVEL, 0.01, "level, dB")
        near(story.attack, DUCK_ATTACK, 2, "attack, ms")
        near(story.release, DUCK_RELEASE, 8, "release, ms")
        # Between the ramps, there is one level throughout.
        first, last = story.before.end + RATE // 4, story.after.start - RATE
        between = board.sound.pieces(first, last)
        expect(all(piece.kind != "numbers" for piece in between), f"it came back between: {words(between)}")
        seconds = (last - first) / RATE
        expect(seconds >= ANNOUNCEMENTS - 2, f"the duck took {seconds:.1f} s only")
        for second in range(int(seconds)):
            part = steady_level(board.sound, first + second * RATE, first + (second + 1) * RATE)
            near(part, DUCK_LEVEL, 0.01, f"level after {second} s, dB")
        return f"{story}; {seconds:.1f} s at one level"


@check("card-goes-during-an-alarm")
def card(board):
    """When the card returns, the cue is played again from its first frame."""
    with board.configured(CONF):
        start = board.settle()
        board.pull("COVER_CLOSED", "up")
        quiet = board.sound.wait_for_silence(start).end
        mark = board.journal.mark()
        board.pull("ALARM", "up")
        board.sound.wait_for("numbers", RATE, quiet)
        back = card_cycle(board, mark)
        heard_whole(board, back)
        board.release_all()
        board.sound.wait_for_music(len(board.sound))


@check("alarm-without-a-file-has-a-tone")
def tone(board):
    """The built-in tone is played, and the fault is in the journal and the status."""
    with board.configured(CONF.replace("chime.wav", "missing.wav")):
        start = board.settle()
        code, complaints = board.code("tacet health")
        expect(code == 1 and "chime" in complaints, f"the fault is not in the health: {code}, {complaints}")
        board.pull("COVER_CLOSED", "up")
        quiet = board.sound.wait_for_silence(start).end
        board.pull("ALARM", "up")
        board.sound.wait_for("changed", RATE // 100, quiet)
        board.sound.wait(len(board.sound) + 2 * RATE)
        samples = board.sound.samples(len(board.sound) - RATE, len(board.sound))
        near(max(samples) / 2**31, 10 ** (-6 / 20), 0.001, "peak of the tone")
        board.release_all()
        board.sound.wait_for_music(len(board.sound))
        return f"peak {max(samples) / 2**31:.3f} of full scale"
