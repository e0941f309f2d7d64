"""The contents of the journal, and the ways to find them."""
from bench.check import check, expect
from bench.entries import explained, identified, kinds, query
from bench.events import MESSAGE_IDS


@check("entries-are-found-by-field")
def fields(service):
    mark = service.journal.mark()
    service.run("tacet pause; tacet play")
    service.journal.wait("command", mark)
    found = query(service, "--unit=tacet TACET_SIGNAL=phone-call")
    expect(any(entry["TACET_FAULT"] == "lost" for entry in found), f"no fault lost of phone-call in {found}")
    found = query(service, f"MESSAGE_ID={MESSAGE_IDS['command']}")
    expect(all(entry["TACET_EVENT"] == "command" for entry in found), f"{found}")
    ours = [entry for entry in service.journal.since(0) if "TACET_EVENT" in entry]
    identified(ours)
    return kinds(ours)


@check("catalog-explains-every-entry")
def catalog(service):
    return explained(service, "fault")


@check("unwritable-state-is-no-reason-to-die")
def unwritable(service):
    """The disk of the state is full for a while."""
    mark, pid = service.journal.mark(), service.pid()
    service.fill_state(pid)
    service.run("tacet pause")
    service.journal.wait("state-unwritable", mark)
    status = service.show("StatusText")
    service.empty_state(pid)
    service.run("tacet play")
    service.journal.wait("state-written-again", mark)
    expect(service.pid() == pid, "the service was restarted")
    return f"STATUS=‘{status}’"


@check("the-journal-is-calm")
def calm(service):
    """A service that has started and plays does not log any message twice."""
    mark = service.restart()
    service.saved_position()
    service.saved_position()
    said = [entry["MESSAGE"] for entry in service.journal.since(mark) if "TACET_EVENT" in entry]
    twice = {message for message in said if said.count(message) > 1}
    expect(not twice, f"logged twice: {twice}")
    return f"{len(said)} entries in a stop, a start and two checkpoints"
