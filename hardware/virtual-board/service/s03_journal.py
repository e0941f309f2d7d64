"""What the journal keeps, and what is found in it."""
import json

from bench.check import check, expect
from bench.events import MESSAGE_IDS


@check("entries-are-found-by-field")
def fields(service):
    mark = service.journal.mark()
    service.run("tacet pause; tacet play")
    service.journal.wait("command", mark)
    output = service.run("journalctl --boot --no-pager --output=json --unit=tacet TACET_SIGNAL=phone-call")
    found = [json.loads(line) for line in output.splitlines()]
    expect(any(entry["TACET_FAULT"] == "lost" for entry in found), f"no lost phone-call in {output}")
    output = service.run(f"journalctl --boot --no-pager --output=json MESSAGE_ID={MESSAGE_IDS['command']}")
    expect(all(json.loads(line)["TACET_EVENT"] == "command" for line in output.splitlines()), output)
    ours = [entry for entry in service.journal.since(0) if "TACET_EVENT" in entry]
    for entry in ours:
        event = entry["TACET_EVENT"]
        expect(MESSAGE_IDS.get(event) == entry.get("MESSAGE_ID"), f"{event} has MESSAGE_ID={entry.get('MESSAGE_ID')}")
        expect(entry.get("PRIORITY") in ("3", "4", "5", "6"), f"{event} has PRIORITY={entry.get('PRIORITY')}")
    return f"{len(ours)} entries of {len({entry['TACET_EVENT'] for entry in ours})} kinds"


@check("catalog-explains-every-entry")
def catalog(service):
    shown = service.run("journalctl --boot --no-pager --catalog --unit=tacet TACET_EVENT=fault")
    for word in ("Subject:", "Defined-By: Tacet"):
        expect(word in shown, f"journalctl --catalog does not say ‘{word}’: {shown[-300:]}")
    known = service.run("journalctl --dump-catalog")
    missing = [event for event, identity in MESSAGE_IDS.items() if f"-- {identity}" not in known]
    expect(not missing, f"the catalog has no {', '.join(missing)}")
    return f"{len(MESSAGE_IDS)} kinds"


@check("unwritable-state-is-no-reason-to-die")
def unwritable(service):
    """The disk of the state is full; then it is not."""
    mark, pid = service.journal.mark(), service.pid()
    within = f"nsenter --target {pid} --mount"
    full = "mount -t tmpfs -o size=8k,mode=777 none /var/lib/tacet && head -c 8k /dev/zero >/var/lib/tacet/full"
    service.run(f"{within} bash -c '{full}'")
    service.run("tacet pause")
    service.journal.wait("state-unwritable", mark)
    status = service.show("StatusText")
    service.run(f"{within} umount /var/lib/tacet")
    service.run("tacet play")
    service.journal.wait("state-written-again", mark)
    expect(service.pid() == pid, "it was restarted")
    return f"STATUS=‘{status}’"


@check("the-journal-is-calm")
def calm(service):
    """What has started and plays says nothing twice."""
    mark = service.restart()
    service.saved_place()
    service.saved_place()
    said = [entry["MESSAGE"] for entry in service.journal.since(mark) if "TACET_EVENT" in entry]
    twice = {message for message in said if said.count(message) > 1}
    expect(not twice, f"twice: {twice}")
    return f"{len(said)} entries in a stop, a start and two checkpoints"
