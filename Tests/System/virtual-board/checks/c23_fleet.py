"""The connection to a fleet's broker, with its cost on a board and the delay until an announcement is played."""
from bench.check import check, expect
from bench.cost import cost
from bench.fleet import connect, disconnect
from bench.numbers import RATE
from checks.c10_cost import figures
from checks.c16_sounds import CONF, FIRST, LENGTH, chimes

ANNOUNCEMENTS = 10
#: A script in which each announcement is published by a client that is already connected. Pulling a wire that is
#: released anyway prints the time (CLOCK_MONOTONIC, nanoseconds). After that, the program that pulls the wire has to
#: end, and that time is also measured.
PUBLISH = f"""rm -f /run/published; (sleep 1; for number in $(seq {ANNOUNCEMENTS}); do
  pull ALARM down >>/run/published
  printf '{{"id":"board-check-%s","sound":"chime"}}\\n' $number
  sleep {LENGTH / RATE + 1.0037:.4f}
done) | mosquitto_pub -h 127.0.0.1 -q 1 -l -t tacet/all/announce; cut -d ' ' -f 4 /run/published"""


def latencies(board):
    """Returns the milliseconds from publishing to the first frame of an announcement, over silence."""
    times = [int(line) for line in board.run(PUBLISH, timeout=120).splitlines()]
    board.sound.wait(len(board.sound) + RATE)
    starts = [board.sound.frame_at(time) for time in times] + [len(board.sound)]
    found = [chimes(board, begin, end) for begin, end in zip(starts, starts[1:])]
    return [(pieces[0].start - begin) / RATE * 1000 for begin, pieces in zip(starts, found)
            if pieces and pieces[0].number == FIRST]  # fmt: skip


@check("fleet-on-the-board", minutes=2)
def fleet(board):
    """Each announcement is played once. The package is installed and purged, so that other checks do not have it."""
    board.run(f"dpkg --install {board.lend('tacet-mqtt.deb')}", timeout=300)
    try:
        with board.configured(CONF + "[Playback]\nCloseAfter=5min\n"):
            connect(board)
            spent, _, memory = cost(board, "tacet-mqtt", 30)
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
    # The emulator may stall at the beginning of an announcement.
    expect(len(delays) >= ANNOUNCEMENTS - 1, f"only {len(delays)} began with their first frame: {text}")
    # The limit is a twentieth of an emulated processor. Both values are normally far below it.
    expect(spent < 3000 and memory < 32, text)
    return text
