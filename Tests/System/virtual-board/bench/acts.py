"""A busy day. The acts of people and wires are a script that runs on the board and records them."""
import dataclasses
import itertools

from bench.board import SIGNALS
from bench.machine import MachineError

#: The commands, and the intents to which each of them can lead. A toggle pauses only if something is playing.
COMMANDS = {
    "play": lambda intent: {"playing"},
    "pause": lambda intent: {"paused"} if intent == "playing" else {intent},
    "stop": lambda intent: {"stopped"},
    "toggle": lambda intent: {"playing", "paused"} if intent == "playing" else {"playing"},
}
NOT_REACHED = "69"
#: The first words of the replies to a command that reached the daemon.
ANSWERS = ("Done.", "Queued", "Ignored:")
#: The time in seconds after which a pulled wire or a pressed button has reached the daemon, with debouncing and slow
#: emulation.
SETTLED = 1.5


@dataclasses.dataclass
class Act:
    #: One of `wire SIGNAL up`, `button`, `checkpoint`, or the words of a `tacet` command.
    words: str
    #: The pause in seconds before the act.
    pause: float
    #: The time in seconds since 1970 by the board's clock, or None if the act did not happen.
    began: float | None = None
    ended: float | None = None
    #: For a wire, the time of CLOCK_MONOTONIC in nanoseconds.
    pulled: int | None = None

    def script(self, number):
        match self.words.split():
            case ["wire", signal, way]:
                doing = f"pull {SIGNALS[signal]} {way}"
            case ["button"]:
                doing = "pull PLAY_PAUSE up 100ms PLAY_PAUSE down"
            case ["checkpoint"]:
                doing = "pull IGNITION_OFF up 60ms IGNITION_OFF down"
            case _:
                doing = f"tacet {self.words}"
        return f"sleep {self.pause:.2f}; say {number} begins; said=$({doing} 2>&1); say {number} ends $? $said\n"

    def changes(self, intent):
        """Returns the intents that the act can lead to. The release of a wire can end an interruption that does not
        recommend resuming, and therefore pause."""
        if self.words == "button":
            return COMMANDS["toggle"](intent)
        if self.words in COMMANDS:
            return COMMANDS[self.words](intent)
        ends = self.words.startswith("wire") and self.words.endswith("down") and "alarm" not in self.words
        return {intent, "paused"} if ends and intent == "playing" else {intent}

    @property
    def is_done(self):
        """The time at which the act has certainly reached the daemon."""
        if self.ended is None:
            return None
        return self.ended + (SETTLED if self.words.split()[0] in ("wire", "button", "checkpoint") else 0)


def plan(chance, asserted):
    """Returns the acts of a life that begins with these signals asserted. They depend on `chance` alone."""
    asserted, acts = set(asserted), []
    for _ in range(chance.randrange(0, 13)):
        roll = chance.random()
        if roll < 0.4:
            # Asserted signals end soon, so that something plays most of the time.
            among = sorted(asserted) if asserted and chance.random() < 0.75 else sorted(SIGNALS)
            signal = chance.choice(among)
            asserted ^= {signal}
            words = f"wire {signal} {'up' if signal in asserted else 'down'}"
        elif roll < 0.65:
            words = chance.choice([*["play"] * 5, "pause", "stop", "toggle"])
        else:
            words = chance.choice([
                "button", "checkpoint", "next", "previous", f"seek {chance.randrange(0, 160)}s",
                f"volume -{chance.choice([6, 12])}dB", "volume 0dB", "volume 0dB",
            ])  # fmt: skip
        acts.append(Act(words, chance.choice([0.05, chance.uniform(0.1, 1.2)])))
    return acts


def script(acts):
    """Returns a script that runs independently, whether or not the bench waits for it."""
    head = 'exec >>/mnt/bench/acts; say() { echo "$EPOCHREALTIME $*"; }; export LC_ALL=C\n'
    return head + "".join(act.script(number) for number, act in enumerate(acts))


def read(board, acts):
    """Stores the times at which each act began and ended."""
    try:
        with open(f"{board.machine.share}/acts") as file:
            lines = file.read().split("\n")[:-1]
    except FileNotFoundError:
        return
    for line in lines:
        match line.split():
            case [time, number, "begins", *_]:
                acts[int(number)].began = float(time)
            case [time, number, "ends", code, *said]:
                act = acts[int(number)]
                if code == NOT_REACHED:
                    # Early in a boot, it is unknown whether the command had an effect.
                    continue
                act.ended = float(time)
                pulls = act.words.split()[0] in ("wire", "button", "checkpoint")
                if not pulls and " ".join(said[:1]) not in ANSWERS or pulls and code != "0":
                    raise MachineError(f"{act.words}: exit code {code}, {' '.join(said)}")
                if act.words.startswith("wire"):
                    act.pulled = int(said[0])


def possible(acts, start, change, certain, latest):
    """Returns the possible values of a fact after these acts. Acts done before `certain` have had their effect, acts
    that began after `latest` have not, and the others may have. `change` returns the values that can follow from an act
    and a value."""
    values = set(start)
    for act in acts:
        if act.began is None or act.began > latest:
            continue
        after = set(itertools.chain.from_iterable(change(act, value) for value in values))
        values = after if act.is_done is not None and act.is_done < certain else values | after
    return values


def volumes(act, volume):
    if act.words.startswith("volume "):
        return {float(act.words.split()[1].removesuffix("dB"))}
    return {volume}


def levels(signal):
    def change(act, level):
        words = act.words.split()
        return {words[2]} if words[:2] == ["wire", signal] else {level}

    return change
