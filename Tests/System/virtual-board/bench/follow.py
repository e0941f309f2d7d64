"""Reads a file of lines while another process writes it."""


class Follower:
    def __init__(self, path):
        self.path = path
        self.file = None
        self.pending = ""

    def lines(self):
        """Returns the complete lines that were added since the last call, or none if the file does not exist."""
        if self.file is None:
            try:
                self.file = open(self.path, errors="replace")
            except OSError:
                return []
        *lines, self.pending = (self.pending + self.file.read()).split("\n")
        return lines
