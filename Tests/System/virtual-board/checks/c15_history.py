"""The history of a restart, a kill and a power cut, with their times, lengths and causes."""
import json
import re

from bench.check import check, expect, near
from bench.journal import field
from bench.numbers import RATE
from bench.picture import Picture
from checks.c06_hangs import INTERVAL, SAVE

#: The seconds by which two times may differ. An entry is written a little later than its event, the board is slow, and
#: after a power cut its clock is set to a whole second.
NEAR, REBOOT = 1.5, 3.0


def clock(board):
    """Returns the seconds since 1970, by the board's clock."""
    return float(board.run("date +%s.%N"))


def restart(board):
    """Restarts Tacet. Returns a time before the restart and one after it."""
    mark, before = board.journal.mark(), clock(board)
    board.run("systemctl restart tacet")
    started = board.journal.wait("started", mark, timeout=60)
    expect(field(started, "last_run") == "stopped", f"TACET_LAST_RUN={field(started, 'last_run')} after a restart")
    return before, clock(board)


def kill(board):
    # The position has been saved at least once.
    board.sound.wait(len(board.sound) + 6 * RATE)
    mark, before = board.journal.mark(), clock(board)
    board.run(f"kill -9 {board.pid()}")
    started = board.journal.wait("started", mark, timeout=60)
    expect(field(started, "last_run") == "killed", f"TACET_LAST_RUN={field(started, 'last_run')} after a kill")
    return before, clock(board)


def cut(board):
    """Cuts the power during a call, with the journal on the disk."""
    mark = board.journal.mark()
    board.pull("PHONE_CALL", "up")
    board.journal.wait("interruption-began", mark)
    board.run("journalctl --sync")
    before = clock(board)
    board.cut_power()
    board.boot()
    started = board.journal.wait("started", 0, timeout=120)
    expect(field(started, "last_run") == "power-cut", f"TACET_LAST_RUN={field(started, 'last_run')} after a power cut")
    for name in ("saved_at_usec", "saved_monotonic_usec", "saved_boot_id"):
        expect(field(started, name), f"no TACET_{name.upper()}= after a power cut")
    expect(field(started, "saved_boot_id") != started["_BOOT_ID"], "the state is of this boot")
    near(int(field(started, "saved_at_usec")) / 1e6, before, INTERVAL + SAVE, "when the state was saved")
    board.journal.wait("interruption-ended", 0, timeout=60)
    return before, clock(board)


@check("history-shows-restart-kill-and-power-cut", minutes=1.5)
def history(board):
    board.settle()
    since = board.run("date --utc '+%F %T'")
    times = [restart(board), kill(board)]
    board.settle()
    times.append(cut(board))
    board.settle()
    picture = Picture(board.run(f"TZ=UTC tacet timeline --since '{since}' -o -"))
    causes = ["stopped", "killed or crashed", "no power"]
    found = picture.outages
    expect([span.word for span in found] == causes, f"the picture has {found}")
    for span, (before, after) in zip(found, times):
        slack = REBOOT if span.word == "no power" else NEAR
        judge(span, before - slack, after + slack)
        judge_silence(picture, span)
    # For the power cut, only the last state and the last entry before it are known. The end of a killed run is known
    # from systemd's entries.
    doubts = picture.named("not known whether it ran")
    expect(len(doubts) == 1 and abs(doubts[0].end - found[2].start) < 0.2, f"{doubts} before {found[2]}")
    judge(doubts[0], times[2][0] - INTERVAL - SAVE - REBOOT, times[2][1])
    judge_silence(picture, doubts[0])
    call = picture.named("phone-call active")
    expect(call and call[0].end <= doubts[0].start + 0.2, f"the call of the power cut is drawn as {call}")
    judge_axis(picture)
    rows = json.loads(board.run(f"TZ=UTC tacet log --json --since '{since}'"))["history"]
    listed = [row for row in rows if row["what"] in ("stopped", "killed", "no power")]
    expect([row["what"] for row in listed] == ["stopped", "killed", "no power"], f"tacet log has {rows}")
    for row, span in zip(listed, found):
        near(row["at_least_usec"] / 1e6, span.end - span.start, 0.2, f"how long ‘{row['what']}’ lasted in tacet log")
    lasted = [f"{span.word} {span.end - span.start:.1f} s" for span in found]
    return ", ".join(lasted)


def judge(span, earliest, latest):
    expect(earliest <= span.start, f"{span} begins {earliest - span.start:.1f} s before it can have")
    expect(span.start < span.end <= latest, f"{span} ends {span.end - latest:.1f} s after Tacet was running again")


def judge_silence(picture, outage):
    """Checks that the picture does not show anything during the outage that requires a running Tacet."""
    ran = [span for span in picture.running if span.overlaps(outage)]
    expect(not ran, f"{outage}, and in it {ran}")


def judge_axis(picture):
    """Checks that the axis shows the time of day and the date."""
    expect(any(re.fullmatch(r"\d\d:\d\d(:\d\d)?", text) for text in picture.texts), f"no time of day: {picture.texts}")
    expect(any(re.fullmatch(r"\d{1,2} \w{3} \d{4}", text) for text in picture.texts), f"no date: {picture.texts}")
