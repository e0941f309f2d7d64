"""A file of lines that somebody else still writes."""


class Follower:
    def __init__(self, path):
        self.path = path
        self.file = None
        self.pending = ""

    def lines(self):
        """The whole lines that have come since; none while there is no file."""
        if self.file is None:
            try:
                self.file = open(self.path, errors="replace")
            except OSError:
                return []
        *lines, self.pending = (self.pending + self.file.read()).split("\n")
        return lines
