"""Reads a saved state independently of the product's code, including its slots, and computes the required result of a
boot."""
import dataclasses
import re

SLOT = 16 << 10
SLOTS = 2
HEADER = re.compile(rb"tacet-state 2 sequence ([0-9]{19}) length ([0-9]{5}) checksum [0-9a-f]{16}\n")


@dataclasses.dataclass(frozen=True)
class State:
    """A record of a state file."""

    sequence: int
    #: The exact bytes of the header and the facts.
    text: bytes

    @property
    def facts(self):
        """The facts by the first word of their line. Each value is the rest of such a line."""
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
        """The volume in dB."""
        return float(self.fact("volume"))

    @property
    def position(self):
        """The position in the track, in seconds."""
        return int(self.fact("position")) / 1e9

    @property
    def saved_at(self):
        """The time in seconds since 1970, by the board's clock."""
        return int(self.fact("saved-at")) / 1e9

    @property
    def held(self):
        """The asserted signals, each with its status."""
        lines = [line.split(" ", 3) for line in self.facts.get("held", [])]
        return {signal: standing for standing, _, _, signal in lines}

    @property
    def episode(self):
        """For an interruption, the recommendation to resume at its end and the user's last command, or else None."""
        if "episode" not in self.facts:
            return None
        _, advice, word = self.fact("episode").split(" ")
        return advice == "resume", None if word == "-" else word


def record(data):
    """Returns the record at the start of these bytes, or None if there is no complete one. (Only the product verifies
    its checksum.)"""
    header = HEADER.match(data)
    if not header:
        return None
    end = header.end() + int(header[2])
    return State(int(header[1]), bytes(data[:end])) if end <= len(data) else None


def records(file):
    """Returns the record of each slot."""
    return [record(file[slot * SLOT : (slot + 1) * SLOT]) for slot in range(SLOTS)]


@dataclasses.dataclass(frozen=True)
class Boot:
    """The required result of a boot."""

    intent: str
    #: The level in dB, or None for silence.
    level: float | None
    blocks: bool


def boot(state, asserted, manual=(), duck=-14):
    """Computes the result from the documented semantics (`AudioSession`'s documentation, Semantics). Of the signals
    that are asserted now, the alarm ducks and the others pause. The signals in `manual` do not recommend resuming."""
    pausing = [signal for signal in asserted if signal != "alarm"]
    intent = state.intent if state else "playing"
    if state and state.episode and not pausing and intent == "playing":
        recommended, word = state.episode
        # The signals that were active when the power failed have ended in the meantime.
        if word is None and (not recommended or any(signal in manual for signal in state.held)):
            intent = "paused"
    if pausing or intent != "playing":
        return Boot(intent, None, bool(pausing))
    level = (duck if "alarm" in asserted else 0) + (state.volume if state else 0)
    return Boot(intent, level, False)
