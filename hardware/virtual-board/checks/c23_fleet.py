"""The connection to a fleet's broker: what it costs on a board, and how soon an announcement is heard."""
import shutil

from bench.check import check, expect
from bench.fleet import connect, cost, disconnect
from bench.numbers import RATE
from checks.c10_cost import figures
from checks.c16_sounds import CONF, FIRST, chimes

#: Below the folder that the bench shares with the board.
PACKAGE = "/mnt/bench/tacet-mqtt.deb"
ANNOUNCEMENTS = 10
#: Prints the time, in nanoseconds of CLOCK_MONOTONIC, before each announcement, which a client that is already connected
#: then publishes.
PUBLISH = f"""perl -MTime::HiRes=clock_gettime,CLOCK_MONOTONIC,sleep -e '$| = 1; sleep 1;
for (1..{ANNOUNCEMENTS}) {{
  printf STDERR "%d\\n", clock_gettime(CLOCK_MONOTONIC) * 1e9;
  print "{{\\"id\\":\\"board-check-$_\\",\\"sound\\":\\"chime\\"}}\\n";
  sleep 1.5037;
}}' 2>/run/published | mosquitto_pub -h 127.0.0.1 -q 1 -l -t tacet/all/announce; cat /run/published"""


def latencies(board):
    """Milliseconds from publishing to the first frame of an announcement, over silence."""
    times = [int(line) for line in board.run(PUBLISH, timeout=120).splitlines()]
    board.sound.wait(len(board.sound) + RATE)
    starts = [board.sound.frame_at(time) for time in times] + [len(board.sound)]
    found = [chimes(board, begin, end) for begin, end in zip(starts, starts[1:])]
    return [(pieces[0].start - begin) / RATE * 1000 for begin, pieces in zip(starts, found)
            if pieces and pieces[0].number == FIRST]  # fmt: skip


@check("fleet-on-the-board")
def fleet(board):
    """Each announcement is heard once. The package is installed and purged, so that other checks do not have it."""
    shutil.copy(f"{board.machine.image}/tacet-mqtt.deb", f"{board.machine.share}/tacet-mqtt.deb")
    board.run(f"dpkg --install {PACKAGE}", timeout=300)
    try:
        with board.configured(CONF + "[Playback]\nCloseAfter=5min\n"):
            connect(board)
            spent, memory = cost(board, 30)
            board.run("tacet pause")
            board.sound.wait_for_silence(len(board.sound))
            mark = board.journal.mark()
            delays = latencies(board)
            begun = len(board.journal.since(mark, "sound-began", sound="chime"))
            board.run("tacet play")
    finally:
        disconnect(board)
        board.run("dpkg --purge tacet-mqtt", timeout=300)
    text = (
        f"tacet-mqtt idle: {spent:.0f} ms of a processor per minute, {memory:.1f} MiB (PSS); "
        f"publish to the announcement's first frame, ms, median (least … 99th percentile): {figures(delays)}"
    )
    expect(begun == ANNOUNCEMENTS, f"{begun} announcements were heard: {text}")
    # The emulator can stand still at the beginning of one.
    expect(len(delays) >= ANNOUNCEMENTS - 1, f"only {len(delays)} began with their first frame: {text}")
    # A twentieth of an emulated processor; both are far below this when all is well.
    expect(spent < 3000 and memory < 32, text)
    return text
