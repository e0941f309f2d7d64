"""What a technician finds afterwards."""
import json

from bench.check import check, expect
from bench.events import MESSAGE_IDS


def query(board, words):
    output = board.run(f"journalctl --boot --no-pager --output=json {words}")
    return [json.loads(line) for line in output.splitlines()]


def make_history(board):
    """A call and an alarm, whatever has been checked before."""
    mark = board.journal.mark()
    board.pull("PHONE_CALL", "up", "1s", "PHONE_CALL", "down", "1s", "ALARM", "up", "500ms", "ALARM", "down")
    board.journal.wait("duck-ended", mark)


@check("journal-is-queried-by-field")
def by_field(board):
    make_history(board)
    phone = query(board, "-u tacet TACET_SIGNAL=phone-call")
    expect(phone, "journalctl -u tacet TACET_SIGNAL=phone-call finds nothing")
    kinds = {entry["TACET_EVENT"] for entry in phone}
    for event in ("interruption-began", "interruption-heard", "interruption-ended"):
        expect(event in kinds, f"no {event} of the phone")
    alarm = query(board, f"MESSAGE_ID={MESSAGE_IDS['duck-began']}")
    expect(alarm and all(entry["TACET_EVENT"] == "duck-began" for entry in alarm), "MESSAGE_ID= of duck-began")
    return f"{len(phone)} entries of the phone"


@check("entries-have-what-they-need")
def complete(board):
    make_history(board)
    entries = query(board, "SYSLOG_IDENTIFIER=tacetd TACET_EVENT=interruption-began + SYSLOG_IDENTIFIER=tacetd")
    ours = [entry for entry in entries if "TACET_EVENT" in entry]
    for entry in ours:
        event = entry["TACET_EVENT"]
        expect(MESSAGE_IDS.get(event) == entry.get("MESSAGE_ID"), f"{event} has MESSAGE_ID={entry.get('MESSAGE_ID')}")
        expect(entry.get("MESSAGE"), f"{event} has no MESSAGE")
        expect(entry.get("PRIORITY") in ("3", "4", "5", "6"), f"{event} has PRIORITY={entry.get('PRIORITY')}")
        if event == "interruption-began":
            for name in ("SIGNAL", "EFFECT", "REASON", "TRACK", "POSITION_USEC"):
                expect("TACET_" + name in entry, f"{event} has no TACET_{name}: {entry['MESSAGE']}")
        if event == "interruption-ended":
            expect(entry.get("TACET_SHOULD_RESUME") in ("yes", "no"), "TACET_SHOULD_RESUME")
    kinds = {entry["TACET_EVENT"] for entry in ours}
    return f"{len(ours)} entries of {len(kinds)} kinds"


@check("catalog-explains-every-entry")
def catalog(board):
    make_history(board)
    shown = board.run("journalctl --boot --no-pager --catalog SYSLOG_IDENTIFIER=tacetd TACET_EVENT=interruption-began")
    for word in ("Subject:", "Defined-By: Tacet", "appWasSuspended"):
        expect(word in shown, f"journalctl --catalog does not say ‘{word}’: {shown[-300:]}")
    known = board.run("journalctl --dump-catalog")
    missing = [event for event, identity in MESSAGE_IDS.items() if f"-- {identity}" not in known]
    expect(not missing, f"the catalog has no {', '.join(missing)}")
    return f"{len(MESSAGE_IDS)} kinds"


@check("status-is-one-readable-line")
def status(board):
    playing = board.show("StatusText")
    mark = board.journal.mark()
    board.pull("PHONE_CALL", "up")
    board.journal.wait("interruption-began", mark)
    quiet = board.show("StatusText")
    board.pull("PHONE_CALL", "down")
    board.journal.wait("interruption-ended", mark)
    for line in (playing, quiet):
        expect(line and "\n" not in line, f"STATUS= is ‘{line}’")
    expect("numbers.wav" in playing, playing)
    expect("phone-call" in quiet, quiet)
    return f"‘{playing}’, ‘{quiet}’"


@check("unwritable-state-is-no-reason-to-die")
def unwritable(board):
    """The disk of the state is full; then it is not."""
    mark = board.journal.mark()
    pid = board.pid()
    full = "mount -t tmpfs -o size=8k,mode=777 none /var/lib/tacet && head -c 8k /dev/zero >/var/lib/tacet/full"
    # Once only: below it is the service's own mount of that folder.
    empty = f"! grep -q ' /var/lib/tacet tmpfs' /proc/{pid}/mounts || nsenter -t {pid} -m umount /var/lib/tacet"
    code, output = board.code(f"nsenter -t {pid} -m bash -c '{full}'")
    expect(code == 0, output)
    try:
        board.pull("ALARM", "up", "300ms", "ALARM", "down")
        board.journal.wait("state-unwritable", mark)
        expect(board.show("ActiveState") == "active", board.show("ActiveState"))
        board.settle()
        status = board.show("StatusText")
        board.run(empty)
        board.pull("ALARM", "up", "300ms", "ALARM", "down")
        board.journal.wait("state-written-again", mark)
        expect(board.pid() == pid, "it was restarted")
        return f"STATUS=‘{status}’"
    finally:
        board.code(empty)
