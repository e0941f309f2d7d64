"""The entries of Tacet in the board's journal, as they are written."""
import json
import time

from bench.follow import Follower


class Journal:
    """Reads the output of the board's `journalctl --follow --output=json` in the shared folder."""

    def __init__(self, folder):
        self.file = Follower(f"{folder}/journal")
        self.entries = []

    def update(self):
        self.entries += [json.loads(line) for line in self.file.lines() if line.startswith("{")]

    def mark(self):
        """Returns a mark. Entries that are added later come after it."""
        self.update()
        return len(self.entries)

    def since(self, mark, event=None, **fields):
        """Returns the entries after a mark with these values. `signal="alarm"` refers to TACET_SIGNAL."""
        self.update()
        return [entry for entry in self.entries[mark:] if matches(entry, event, fields)]

    def wait(self, event, mark, timeout=30, **fields):
        """Waits for such an entry."""
        wanted = " ".join([event, *(f"{name}={value}" for name, value in fields.items())])
        find = lambda: next(iter(self.since(mark, event, **fields)), None)
        return self.poll(find, wanted, lambda: self.summary(mark), timeout)

    def wait_for_count(self, count, event, mark, timeout=30, **fields):
        """Waits for this many such entries."""
        found = lambda: self.since(mark, event, **fields)
        enough = lambda: entries if len(entries := found()) >= count else None
        return self.poll(enough, f"{count} times {event}", lambda: f"{len(found())}", timeout)

    def wait_for_text(self, text, mark, timeout=30):
        """Waits for a message that contains this text, even if it is not an event. Returns the message."""
        messages = lambda: [str(entry.get("MESSAGE")) for entry in self.since(mark)]
        find = lambda: next((message for message in messages() if text in message), None)
        return self.poll(find, text, messages, timeout)

    def poll(self, find, wanted, instead, timeout):
        limit = time.monotonic() + timeout
        while (found := find()) is None:
            if time.monotonic() > limit:
                raise TimeoutError(f"no ‘{wanted}’ in the journal within {timeout} s, but {instead()}")
            time.sleep(0.03)
        return found

    def summary(self, mark):
        names = [summary(entry) for entry in self.since(mark) if "TACET_EVENT" in entry]
        others = [str(entry.get("MESSAGE")) for entry in self.since(mark) if "TACET_EVENT" not in entry]
        return ", ".join([*names, *others[-2:]]) or "nothing"


def field(entry, name):
    return entry.get("TACET_" + name.upper())


def matches(entry, event, fields):
    if event is not None and entry.get("TACET_EVENT") != event:
        return False
    for name, value in fields.items():
        found = field(entry, name)
        if value not in (found if isinstance(found, list) else [found]):
            return False
    return True


def summary(entry):
    """Returns an event with the fields that distinguish it from others."""
    found = [field(entry, name) for name in ("signal", "effect", "reason", "should_resume", "fault", "command")]
    words = [" ".join(word) if isinstance(word, list) else word for word in found if word]
    return entry["TACET_EVENT"] + (f"({' '.join(words)})" if words else "")
