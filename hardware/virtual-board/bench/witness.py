"""When the board stood still, as it says itself (see tools/witness.c)."""


class Witness:
    def __init__(self, folder):
        self.path = f"{folder}/standstills"
        self.file = None
        self.pending = ""
        #: Milliseconds of each time, of one of its processors, whichever.
        self.standstills = []

    def update(self):
        if self.file is None:
            try:
                self.file = open(self.path)
            except OSError:
                return
        *lines, self.pending = (self.pending + self.file.read()).split("\n")
        self.standstills += [int(line.split()[1]) for line in lines]

    def power_goes(self):
        """The next boot begins with a new file."""
        self.update()
        self.file, self.pending = None, ""
