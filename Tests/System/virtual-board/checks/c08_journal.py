"""The information that a technician finds afterwards."""
from bench.check import check, expect
from bench.entries import explained, identified, kinds, query
from bench.events import MESSAGE_IDS


def make_history(board):
    """Makes a call and an alarm, so that the check does not depend on others."""
    mark = board.journal.mark()
    board.pull("PHONE_CALL", "up", "1s", "PHONE_CALL", "down", "1s", "ALARM", "up", "500ms", "ALARM", "down")
    board.journal.wait("duck-ended", mark)


@check("journal-is-queried-by-field")
def by_field(board):
    make_history(board)
    phone = query(board, "-u tacet TACET_SIGNAL=phone-call")
    expect(phone, "journalctl -u tacet TACET_SIGNAL=phone-call finds nothing")
    events = {entry["TACET_EVENT"] for entry in phone}
    for event in ("interruption-began", "interruption-heard", "interruption-ended"):
        expect(event in events, f"no {event} of the phone")
    alarm = query(board, f"MESSAGE_ID={MESSAGE_IDS['duck-began']}")
    expect(alarm and all(entry["TACET_EVENT"] == "duck-began" for entry in alarm), "MESSAGE_ID= of duck-began")
    return f"{len(phone)} entries of the phone"


@check("entries-have-what-they-need", core=True)
def complete(board):
    make_history(board)
    entries = query(board, "SYSLOG_IDENTIFIER=tacetd TACET_EVENT=interruption-began + SYSLOG_IDENTIFIER=tacetd")
    ours = [entry for entry in entries if "TACET_EVENT" in entry]
    identified(ours)
    for entry in ours:
        event = entry["TACET_EVENT"]
        if event == "interruption-began":
            for name in ("SIGNAL", "EFFECT", "REASON", "TRACK", "POSITION_USEC"):
                expect("TACET_" + name in entry, f"{event} has no TACET_{name}: {entry['MESSAGE']}")
        if event == "interruption-ended":
            expect(entry.get("TACET_SHOULD_RESUME") in ("yes", "no"), "TACET_SHOULD_RESUME")
    return kinds(ours)


@check("catalog-explains-every-entry")
def catalog(board):
    make_history(board)
    return explained(board, "interruption-began", "appWasSuspended")


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
    """The disk of the state is full for a while."""
    mark = board.journal.mark()
    pid = board.pid()
    board.fill_state(pid)
    try:
        board.pull("ALARM", "up", "300ms", "ALARM", "down")
        board.journal.wait("state-unwritable", mark)
        expect(board.show("ActiveState") == "active", board.show("ActiveState"))
        board.settle()
        status = board.show("StatusText")
        board.empty_state(pid)
        board.pull("ALARM", "up", "300ms", "ALARM", "down")
        board.journal.wait("state-written-again", mark)
        expect(board.pid() == pid, "the service was restarted")
        return f"STATUS=‘{status}’"
    finally:
        board.empty_state(pid, check=False)
