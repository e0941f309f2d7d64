"""Shell commands where Tacet runs, and what systemd says of it."""
import os
import shlex


class Commands:
    """For whoever has a `machine`: one with `shell`, `begin` and `finish`."""

    def run(self, script, timeout=120, check=True):
        return self.machine.shell(script, timeout, check)

    def code(self, script, timeout=120):
        """Exit code and output, errors included."""
        code, output, errors = self.machine.finish(self.machine.begin(script), timeout)
        return code, output + errors

    def show(self, name, unit="tacet"):
        """A property of a unit."""
        return self.run(f"systemctl show {unit} --property {name} --value")

    def pid(self):
        return int(self.show("MainPID"))

    def write(self, path, text):
        folder = os.path.dirname(path)
        self.run(f"mkdir -p {folder} && printf %s {shlex.quote(text)} >{path} && sync {path} {folder}")
