"""The cost and latency of Tacet, compared with a shell script that controls MPD."""
import contextlib
import random
import statistics

from bench.check import check, expect
from bench.numbers import RATE
from bench.story import Unheard, pause, words
from checks.c02_signals import EXACT

EDGES = 50
WIRE, SIGNAL, DEBOUNCE = "PHONE_CALL", "phone-call", 30
MPD_CONF = """music_directory "{music}"
db_file "/run/rival/database"
bind_to_address "/run/rival/socket"
audio_output {{
  type "alsa"
  name "card"
  device "hw:Loopback,0"
  format "48000:32:2"
}}
"""
#: A script such as people write if they do not use Tacet.
SCRIPT = f"""export MPD_HOST=/run/rival/socket
stdbuf -oL gpiomon --format=%E {WIRE} | while read -r edge; do
  case $edge in rising) mpc --quiet pause ;; falling) mpc --quiet play ;; esac
done
"""


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def figures(values):
    return f"{statistics.median(values):.1f} ({min(values):.1f} … {percentile(values, 0.99):.1f})"


def pulses(board):
    """Pulls the wire repeatedly. Returns the milliseconds from the edge to the first changed frame for each pause, the
    number of frames lost, the stories of pauses that lost frames, the number of pulses that did not cause a pause and a
    resume, and the number of underruns."""
    chance = random.Random(1)
    ways = []
    for _ in range(EDGES):
        ways += [WIRE, "up", f"{chance.uniform(0.7, 0.8):.3f}s", WIRE, "down", f"{chance.uniform(1.1, 1.2):.3f}s"]
    edges = [edge for edge in board.pull(*ways, timeout=300) if edge[2] == "up"]
    stories, starts = pauses(board, [edge[0] for edge in edges])
    odd = [
        words(board.sound.pieces(start, end))
        for start, end, story in zip(starts, starts[1:], stories) if story and abs(story.lost) > EXACT
    ]  # fmt: skip
    pieces = board.sound.pieces(starts[0], starts[-1])
    dry = sum(piece.kind == "silence" and piece.count < RATE // 4 for piece in pieces)
    losses = [story.lost for story in stories if story]
    return delays(stories, starts), losses, odd, stories.count(None), dry


def pauses(board, times):
    """Returns the pause that follows each of these times (CLOCK_MONOTONIC, nanoseconds), or None, the frames at these
    times, and the last frame."""
    board.sound.wait(len(board.sound) + RATE)
    starts = [board.sound.frame_at(time) for time in times] + [len(board.sound)]
    stories = []
    for start, end in zip(starts, starts[1:]):
        try:
            stories.append(pause(board.sound, start, end))
        except Unheard:
            stories.append(None)
    return stories, starts


def delays(stories, starts):
    """Returns the milliseconds from each time to the first changed frame."""
    return [(story.before.end - start) / RATE * 1000 for start, story in zip(starts, stories) if story]


def latencies(board, times):
    """Returns the milliseconds from each of these times to the first changed frame, if a pause follows."""
    return delays(*pauses(board, times))


@contextlib.contextmanager
def rival(board, resampler="", file="/srv/music/numbers.wav"):
    """Lets MPD play the file to the same card, controlled by a script that watches the wire."""
    board.run("systemctl stop tacet; mkdir -p /run/rival")
    folder, name = file.rsplit("/", 1)
    board.write("/run/rival/mpd.conf", MPD_CONF.format(music=folder) + resampler)
    board.write("/run/rival/script", SCRIPT)
    try:
        board.run("systemd-run --quiet --unit=rival-mpd mpd --no-daemon /run/rival/mpd.conf")
        board.run(
            "export MPD_HOST=/run/rival/socket; for i in {1..100}; do mpc --quiet version && break; sleep 0.2; done;"
            f"mpc --quiet --wait update; mpc --quiet add {name}; mpc --quiet repeat on; mpc --quiet play"
        )
        start = len(board.sound)
        if name == "numbers.wav":
            board.sound.wait_for_music(start, timeout=30)
        board.run("systemd-run --quiet --unit=rival-script bash /run/rival/script")
        board.run(f"for i in {{1..100}}; do gpioinfo {WIRE} | grep -q gpiomon && break; sleep 0.1; done")
        yield
    finally:
        board.run("systemctl stop rival-script rival-mpd; systemctl start tacet", check=False)


def tacet_pulses(board, debounce):
    """Measures Tacet with the same wire and `debounce` in milliseconds. The fade-in is short, so that the pulses can
    also be short."""
    with board.configured(f"[Signal {SIGNAL}]\nDebounce={debounce}ms\n[Playback]\nFadeIn=100ms\n"):
        return *pulses(board), memory(board, "tacet")


def memory(board, unit):
    """Returns the proportional set size of a unit's processes, in MiB."""
    group = board.show("ControlGroup", unit)
    total = board.run(
        f"for p in $(</sys/fs/cgroup{group}/cgroup.procs); do cat /proc/$p/smaps_rollup; done"
        " | awk '/^Pss:/ { sum += $2 } END { print sum }'"
    )
    return int(total) / 1024


@check("quicker-than-a-script-and-nothing-lost")
def latency(board):
    """The script does not debounce, so it is compared with Tacet without debouncing. With debouncing, Tacet takes
    longer by the debouncing time. The advantage of Tacet depends on the speed of the emulator, so the ratio is printed,
    and the check fails only if Tacet is slower than the script."""
    bare, bare_losses, odd, bare_unclear, dry, our_memory = tacet_pulses(board, 0)
    usual, usual_losses, usually_odd, usual_unclear, usually_dry, _ = tacet_pulses(board, DEBOUNCE)
    with rival(board):
        theirs, their_losses, _, their_unclear, _ = pulses(board)
        their_memory = memory(board, "rival-mpd")
    ratio, usual_ratio = (statistics.median(ours) / statistics.median(theirs) for ours in (bare, usual))
    ratio99, usual_ratio99 = (percentile(ours, 0.99) / percentile(theirs, 0.99) for ours in (bare, usual))
    text = (
        "edge to first changed frame, ms, median (least … 99th percentile): "
        f"gpiomon + mpc {figures(theirs)}; Tacet with Debounce=0 {figures(bare)}, "
        f"ratio {ratio:.2f}, of the 99th percentiles {ratio99:.2f}; "
        f"Tacet with its Debounce={DEBOUNCE}ms {figures(usual)}, ratios {usual_ratio:.2f}, {usual_ratio99:.2f}; "
        # After each underrun, Tacet's queue is longer for a minute or more. A machine that is fast enough has no
        # underruns.
        f"underruns {dry} and {usually_dry}; "
        f"frames lost by a pause: Tacet {figures(bare_losses + usual_losses)}, MPD {figures(their_losses)}; "
        f"memory (PSS), MiB: {our_memory:.1f}, {their_memory:.1f}"
    )
    for unclear in (bare_unclear, usual_unclear):
        expect(unclear <= 2, f"{unclear} of {EDGES} pulses were no pause and resume: {text}")
    expect(len(theirs) >= EDGES * 3 // 4, f"{their_unclear} of {EDGES} pulses were no pause and resume of MPD: {text}")
    expect(not odd + usually_odd, f"frames were lost or heard twice: {odd + usually_odd}: {text}")
    expect(ratio <= 1, f"slower than the script: {text}")
    return text


@check("starts-soon")
def start(board):
    """Measures the time from the daemon's exec to READY=1, and to the first frame."""
    ready, sound = [], []
    for _ in range(5):
        board.settle()
        board.run("systemctl restart tacet")
        began = int(board.show("ExecMainStartTimestampMonotonic"))
        ready.append((int(board.show("ActiveEnterTimestampMonotonic")) - began) / 1000)
        start = board.sound.frame_at(began * 1000)
        music = board.sound.wait_for_music(start)
        pieces = board.sound.pieces(start, music.end)
        silence = max((piece for piece in pieces if piece.kind == "silence"), key=lambda piece: piece.count)
        sound.append((board.sound.time_of(silence.end) / 1000 - began) / 1000)
    return f"exec to READY=1, ms: {figures(ready)}; to the first frame: {figures(sound)}"


@check("memory", core=True)
def resident(board):
    board.sound.wait(len(board.sound) + 2 * RATE)
    return f"{memory(board, 'tacet'):.1f} MiB (PSS)"


@check("installed-size", core=True)
def size(board):
    folders = "/usr/lib/tacet /usr/bin/tacet /usr/share/doc/tacet /usr/lib/systemd/system/tacet.service"
    daemon, tool, total = (
        int(board.run(f"du --bytes --summarize --total {paths} | tail -n 1 | cut -f 1")) / 1e6
        for paths in ("/usr/lib/tacet/tacetd", "/usr/bin/tacet", folders)
    )
    return f"{total:.1f} MB, of which tacetd {daemon:.1f}, tacet {tool:.1f}; without any Swift library"
