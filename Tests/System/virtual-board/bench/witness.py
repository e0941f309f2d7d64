"""The stalls of the board, as the board itself measures them (see tools/witness.c)."""
from bench.follow import Follower


class Witness:
    def __init__(self, folder):
        self.file = Follower(f"{folder}/standstills")
        #: The lengths of the stalls of all processors, in milliseconds.
        self.standstills = []

    def update(self):
        self.standstills += [int(line.split()[1]) for line in self.file.lines()]

    def power_goes(self):
        """Call before each boot, which begins with a new file."""
        self.update()
        self.file = Follower(self.file.path)
