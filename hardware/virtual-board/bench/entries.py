"""What each entry of the journal has to have, and its explanation."""
import json

from bench.check import expect
from bench.events import MESSAGE_IDS


def query(place, words):
    """The entries that `journalctl` finds of this boot."""
    output = place.run(f"journalctl --boot --no-pager --output=json {words}")
    return [json.loads(line) for line in output.splitlines()]


def identified(entries):
    """Each has the message id of its event, words, and a priority."""
    for entry in entries:
        event = entry["TACET_EVENT"]
        expect(MESSAGE_IDS.get(event) == entry.get("MESSAGE_ID"), f"{event} has MESSAGE_ID={entry.get('MESSAGE_ID')}")
        expect(entry.get("MESSAGE"), f"{event} has no MESSAGE")
        expect(entry.get("PRIORITY") in ("3", "4", "5", "6"), f"{event} has PRIORITY={entry.get('PRIORITY')}")


def kinds(entries):
    return f"{len(entries)} entries of {len({entry['TACET_EVENT'] for entry in entries})} kinds"


def explained(place, event, *words):
    """An event that has been is shown with these words of the catalog, which has all events. Returns how many."""
    shown = place.run(f"journalctl --boot --no-pager --catalog SYSLOG_IDENTIFIER=tacetd TACET_EVENT={event}")
    for word in ("Subject:", "Defined-By: Tacet", *words):
        expect(word in shown, f"journalctl --catalog does not say ‘{word}’: {shown[-300:]}")
    known = place.run("journalctl --dump-catalog")
    missing = [event for event, identity in MESSAGE_IDS.items() if f"-- {identity}" not in known]
    expect(not missing, f"the catalog has no {', '.join(missing)}")
    return f"{len(MESSAGE_IDS)} kinds"
