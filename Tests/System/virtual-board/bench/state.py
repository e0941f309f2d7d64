"""Reads a saved state independently of the product's code: its slots, and what a boot must make of it."""
import dataclasses
import re

SLOT = 16 << 10
SLOTS = 2
HEADER = re.compile(rb"tacet-state 2 sequence ([0-9]{19}) length ([0-9]{5}) checksum [0-9a-f]{16}\n")


@dataclasses.dataclass(frozen=True)
class State:
    """A record of a state file."""

    sequence: int
    #: Its header and facts, to the byte.
    text: bytes

    @property
    def facts(self):
        """The rest of each line that begins with a word, by that word."""
        found = {}
        for line in self.text.split(b"\n")[1:]:
            word, _, rest = line.decode().partition(" ")
            if word:
                found.setdefault(word, []).append(rest)
        return found

    def fact(self, word):
        return self.facts[word][0]

    @property
    def intent(self):
        return self.fact("intent")

    @property
    def volume(self):
        """In dB."""
        return float(self.fact("volume"))

    @property
    def position(self):
        """In seconds of the track."""
        return int(self.fact("position")) / 1e9

    @property
    def saved_at(self):
        """Seconds since 1970, by the board's clock."""
        return int(self.fact("saved-at")) / 1e9

    @property
    def held(self):
        """The asserted signals, each with its status."""
        lines = [line.split(" ", 3) for line in self.facts.get("held", [])]
        return {signal: standing for standing, _, _, signal in lines}

    @property
    def episode(self):
        """For an interruption: whether its end would recommend resuming, and the user's last word; else None."""
        if "episode" not in self.facts:
            return None
        _, advice, word = self.fact("episode").split(" ")
        return advice == "resume", None if word == "-" else word


def record(data):
    """The record at the start of these bytes; None if there is no complete one. (Only the product verifies its
    checksum.)"""
    header = HEADER.match(data)
    if not header:
        return None
    end = header.end() + int(header[2])
    return State(int(header[1]), bytes(data[:end])) if end <= len(data) else None


def records(file):
    """The record of each slot."""
    return [record(file[slot * SLOT : (slot + 1) * SLOT]) for slot in range(SLOTS)]


@dataclasses.dataclass(frozen=True)
class Boot:
    """What a boot must do."""

    intent: str
    #: dB; None: silence.
    level: float | None
    blocks: bool


def boot(state, asserted, manual=(), duck=-14):
    """Computed from the documented semantics (`AudioSession`'s documentation, Semantics): of the signals that are
    asserted now, the alarm ducks and the others pause; the signals in `manual` do not recommend resuming."""
    pausing = [signal for signal in asserted if signal != "alarm"]
    intent = state.intent if state else "playing"
    if state and state.episode and not pausing and intent == "playing":
        recommended, word = state.episode
        # What was active when the power failed has ended meanwhile.
        if word is None and (not recommended or any(signal in manual for signal in state.held)):
            intent = "paused"
    if pausing or intent != "playing":
        return Boot(intent, None, bool(pausing))
    level = (duck if "alarm" in asserted else 0) + (state.volume if state else 0)
    return Boot(intent, level, False)
