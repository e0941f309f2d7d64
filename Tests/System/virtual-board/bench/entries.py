"""The requirements that each journal entry and its explanation must meet."""
import json

from bench.check import expect
from bench.events import MESSAGE_IDS


def query(system, words):
    """Returns the entries of this boot that `journalctl` finds."""
    output = system.run(f"journalctl --boot --no-pager --output=json {words}")
    return [json.loads(line) for line in output.splitlines()]


def identified(entries):
    """Checks that each entry has its event's message ID, a message and a priority."""
    for entry in entries:
        event = entry["TACET_EVENT"]
        expect(MESSAGE_IDS.get(event) == entry.get("MESSAGE_ID"), f"{event} has MESSAGE_ID={entry.get('MESSAGE_ID')}")
        expect(entry.get("MESSAGE"), f"{event} has no MESSAGE")
        expect(entry.get("PRIORITY") in ("3", "4", "5", "6"), f"{event} has PRIORITY={entry.get('PRIORITY')}")


def kinds(entries):
    return f"{len(entries)} entries of {len({entry['TACET_EVENT'] for entry in entries})} kinds"


def explained(system, event, *words):
    """Checks that journalctl shows this event with these words from the catalog, and that the catalog contains all
    events. Returns their number."""
    shown = system.run(f"journalctl --boot --no-pager --catalog SYSLOG_IDENTIFIER=tacetd TACET_EVENT={event}")
    for word in ("Subject:", "Defined-By: Tacet", *words):
        expect(word in shown, f"journalctl --catalog does not print ‘{word}’: {shown[-300:]}")
    known = system.run("journalctl --dump-catalog")
    missing = [event for event, identity in MESSAGE_IDS.items() if f"-- {identity}" not in known]
    expect(not missing, f"the catalog has no {', '.join(missing)}")
    return f"{len(MESSAGE_IDS)} kinds"
