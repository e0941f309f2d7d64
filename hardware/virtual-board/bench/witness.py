"""When the board stood still, as it says itself (see tools/witness.c)."""
from bench.follow import Follower


class Witness:
    def __init__(self, folder):
        self.file = Follower(f"{folder}/standstills")
        #: Milliseconds of each time, of one of its processors, whichever.
        self.standstills = []

    def update(self):
        self.standstills += [int(line.split()[1]) for line in self.file.lines()]

    def power_goes(self):
        """The next boot begins with a new file."""
        self.update()
        self.file = Follower(self.file.path)
