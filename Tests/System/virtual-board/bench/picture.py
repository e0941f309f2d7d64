"""Reads a picture of `tacet timeline` as a person would, from the tooltip of each mark."""
import dataclasses
import datetime
import re
import xml.etree.ElementTree as ElementTree

#: The words of the tooltips for the spans in which Tacet did not run.
OUTAGES = ("stopped", "shut down", "killed or crashed", "no power")
SPAN = re.compile(r"(.*), ((?:\d{4}-\d\d-\d\d )?[\d:.]+) – (…|(?:\d{4}-\d\d-\d\d )?[\d:.]+)")
TITLE = re.compile(r"\S+ (?:on|from) (\d+ \w{3} \d{4}) .*")
SVG = "{http://www.w3.org/2000/svg}"


@dataclasses.dataclass(frozen=True)
class Span:
    word: str
    #: Seconds since 1970, in UTC. The end of a span that is not over is infinity.
    start: float
    end: float

    def overlaps(self, other, tolerance=0.2):
        return self.start < other.end - tolerance and other.start < self.end - tolerance


class Picture:
    """Raises ValueError if the text is not a picture of a history."""

    def __init__(self, text):
        try:
            root = ElementTree.fromstring(text)
        except ElementTree.ParseError as error:
            raise ValueError(f"no picture: {error}: {text[:200]}") from None
        title = TITLE.fullmatch(root.findtext(f"{SVG}title") or "")
        if not title:
            raise ValueError(f"the title is ‘{root.findtext(SVG + 'title')}’")
        self.date = datetime.datetime.strptime(title.group(1), "%d %b %Y").date().isoformat()
        #: All text that is visible without a tooltip.
        self.texts = [element.text or "" for element in root.iter(f"{SVG}text")]
        tips = [element.findtext(f"{SVG}title") for element in root.iter(f"{SVG}rect")]
        matches = [SPAN.fullmatch(tip) for tip in tips if tip]
        self.spans = [Span(match[1], self.time(match[2]), self.time(match[3])) for match in matches if match]

    def time(self, text):
        if text == "…":
            return float("inf")
        full = text if " " in text else f"{self.date} {text}"
        return datetime.datetime.fromisoformat(f"{full}+00:00").timestamp()

    @property
    def outages(self):
        """The outages in order of time."""
        return sorted((span for span in self.spans if span.word in OUTAGES), key=lambda span: span.start)

    def named(self, word):
        return [span for span in self.spans if span.word == word]

    @property
    def running(self):
        """The spans in which the music may play, is turned down or is interrupted, those of the user's intent, and those of
        each active signal."""
        wants = ("the user wants", "interrupted", "turned down")
        held = lambda word: word == "the music may play" or word.startswith(wants) or word.endswith(" active")
        return [span for span in self.spans if held(span.word)]
