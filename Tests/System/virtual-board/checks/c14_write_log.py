"""Everything that the board writes to its disk is logged. After that, the power is cut at every flush in that log."""
import json
import os
import random

from bench import acts as day
from bench import saves, state
from bench.board import BENCH_CONF, PROMPT
from bench.commands import CHECK_CONF
from bench.check import Failed, check, expect
from bench.numbers import RATE
from bench.writelog import Replay, WriteLog
from checks.c13_power_cuts import CONF, SOAK, seeded

#: The length of the day in seconds, and the number of power cuts that are tried between two flushes.
SECONDS, BETWEEN = (120, 5) if SOAK else (30, 2)
STATE = "/var/lib/tacet/state"
MARK = "/var/lib/marks"
WORD = b"tacet-mark "

#: A script that writes marks to the same disk. They are the states that the kernel has confirmed to be on it. Entries
#: after a mark in the log were written later. The marks bypass the page cache, so they do not flush anything of the
#: file system.
MARKING = rf"""
dd if=/dev/zero of={MARK} bs=4096 count=1 conv=fsync status=none
{{ {{ exec strace -s 48 -e trace=pwrite64,fdatasync -p $WRITER; }} 2>&1 |
  while read -r line; do
    [[ $line =~ 'tacet-state 2 sequence '([0-9]+) ]] && number=${{BASH_REMATCH[1]}}
    if [[ $line = *fdatasync*' = 0' && -n $number ]]; then
      echo "tacet-mark $number" | dd of={MARK} bs=4096 conv=sync,notrunc oflag=direct status=none
    fi
  done; }} >/dev/null 2>&1 </dev/null
"""


@check("power-cut-at-every-flush", calm=False, minutes=2.5)
def every_flush(board):
    return proof(board)


def proof(board, drop_in=None):
    """Runs a day on a disk whose writes are logged, and judges the states of the disk that a power cut may leave."""
    seed = seeded()
    chance = random.Random(seed)
    board.cut_power()
    board.machine.write_log = f"{board.folder}/writes"
    try:
        live(board, chance, drop_in)
        log = WriteLog(board.machine.write_log)
        cuts = replay(board, log, chance)
        return f"TACET_SEED={seed}: {judge(board, log, cuts)}"
    finally:
        # The next check gets a new disk.
        board.cut_power()
        os.unlink(board.machine.write_log)
        board.machine.write_log = None
        os.unlink(board.machine.disk)


def live(board, chance, drop_in):
    board.boot(fresh=True)
    board.settle()
    for path, text in [(BENCH_CONF, PROMPT), (CHECK_CONF, CONF)]:
        board.write(path, text)
    if drop_in:
        board.write("/etc/systemd/system/tacet.service.d/writes.conf", drop_in)
    board.run("/usr/local/lib/board/chip make dashboard IGNITION_OFF; systemctl daemon-reload; systemctl restart tacet")
    board.settle()
    board.machine.begin(f"WRITER={saves.writer(board)}; {MARKING}")
    end = len(board.sound) + SECONDS * RATE
    while len(board.sound) < end:
        handle = board.machine.begin(day.script(day.plan(chance, [])))
        board.machine.finish(handle, timeout=120)
        board.release_all()
        board.run("tacet volume 0dB; tacet play")
    board.run("sync")


class Cut:
    """The disk as a power cut may leave it."""

    def __init__(self, where, content, durable, newest):
        self.where = where
        self.content = content
        #: The number of the newest state that the kernel had confirmed, and of the newest one ever written.
        self.durable = durable
        self.newest = newest


def replay(board, log, chance):
    disk = Replay(log, f"{board.machine.image}/disk.ext4", f"{board.folder}/replay")
    boundaries = log.boundaries()
    cuts, durable, newest = [], 0, 0
    find = lambda: disk.read(STATE, f"{board.folder}/state")
    try:
        for boundary, following in zip(boundaries, [*boundaries[1:], len(log.entries)]):
            durable, newest = numbers(log, disk.count, boundary, durable, newest)
            disk.advance(boundary)
            cuts.append(Cut(f"flush {boundary}", find(), durable, newest))
            later = numbers(log, boundary, following, durable, newest)[1]
            for _ in range(BETWEEN if durable else 0):
                before = disk.perhaps(following, chance)
                cuts.append(Cut(f"after flush {boundary}", find(), durable, later))
                disk.take_back(before)
    finally:
        disk.close()
    return cuts


def numbers(log, first, last, durable, newest):
    """Returns the newest state that the kernel confirmed to the daemon in these entries, and the newest one written."""
    for entry in log.entries[first:last]:
        if entry.length and not entry.flags & 4:
            data = log.data(entry)
            if data.startswith(WORD):
                durable = max(durable, int(data[len(WORD) :].split(b"\n")[0]))
            for start in range(0, len(data), 4096):
                if found := state.record(data[start : start + 4096]):
                    newest = max(newest, found.sequence)
    return durable, newest


def judge(board, log, cuts):
    contents = {}
    for cut in cuts:
        if cut.content is not None:
            contents.setdefault(cut.content, len(contents))
    readings = explained(board, contents)
    flushed, found, last = 0, [], 0
    for cut in cuts:
        reading = readings[contents[cut.content]] if cut.content is not None else None
        expect(reading or not cut.durable, f"{cut.where}: no state is found, but {cut.durable} was on the disk")
        if reading is None:
            continue
        # The first file gets its name once it is complete, so before that there is no file.
        expect(reading["readable"], f"{cut.where}: the state cannot be read: {reading}")
        number = reading["sequence"]
        record = state.records(cut.content)[reading["slot"]]
        expect(record and record.sequence == number, f"{cut.where}: {reading} is not {state.records(cut.content)}")
        expect(number >= cut.durable, f"{cut.where}: state {number} is found, but {cut.durable} was on the disk")
        expect(number <= cut.newest, f"{cut.where}: state {number} is found; the last one was {cut.newest}")
        if cut.where.startswith("flush"):
            expect(number >= last, f"{cut.where}: state {number} is found, but an earlier flush had state {last}")
            last = number
        found.append((number, record.text))
        flushed += cut.durable > 0
    texts = dict(found)
    mixed = [number for number, text in found if texts[number] != text]
    expect(not mixed, f"there are different states with the same number: {mixed}")
    expect(flushed > 10, f"only {flushed} cuts after a save")
    count = sum(cut.where.startswith("flush") for cut in cuts)
    return (
        f"{len(log.entries)} writes and flushes; power cut at {count} flushes and, with any of the sectors "
        f"written since, {len(cuts) - count} times between two flushes; {flushed} of them after a save; "
        f"{len(texts)} states found, {min(texts)} to {max(texts)}, none older than what was on the disk"
    )


def explained(board, contents):
    """Returns the report of the product's own reader about each state."""
    folder = f"{board.machine.share}/states"
    os.mkdir(folder)
    for content, number in contents.items():
        with open(f"{folder}/{number}", "wb") as file:
            file.write(content)
    text = board.run(
        f"cd /mnt/bench/states; for ((i = 0; i < {len(contents)}; i++)); do tacet state --json $i; done",
        timeout=600, check=False,
    )  # fmt: skip
    return [json.loads(line) for line in text.splitlines()]


#: A drop-in that makes fdatasync return success without doing anything, so that the service assumes that its writes are
#: on the disk.
CARELESS = "[Service]\nSystemCallFilter=~fdatasync:0\n"


def careless(board):
    """Checks that the proof can fail."""
    try:
        figures = proof(board, CARELESS)
    except Failed as failure:
        expect("was on the disk" in str(failure), f"it fails for another reason: {failure}")
        return f"‘{failure}’"
    raise Failed(f"the missing fdatasync was not noticed: {figures}")


if SOAK:
    check("without-fdatasync-it-would-fail", calm=False)(careless)
