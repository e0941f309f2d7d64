"""Shell commands where Tacet runs, and what systemd says of it."""
import os
import shlex

from bench.machine import MachineError

CHECK_CONF = "/etc/tacet/tacet.conf.d/95-check.conf"
#: Before a command: as somebody with no rights.
NOBODY = "setpriv --reuid=65534 --regid=65534 --clear-groups"


class Commands:
    """For whoever has a `machine`: one with `begin` and `finish`."""

    def run(self, script, timeout=120, check=True):
        """Runs a shell script. Returns its output; with `check`, a failure is an error."""
        code, output, errors = self.machine.finish(self.machine.begin(script), timeout)
        if check and code:
            raise MachineError(f"‘{script}’ failed ({code}): {(output + errors).strip()[-800:]}")
        return output.rstrip("\n")

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

    def fill_state(self, pid):
        """The disk of the state is full, as the daemon of this number sees it."""
        full = "mount -t tmpfs -o size=8k,mode=777 none /var/lib/tacet && head -c 8k /dev/zero >/var/lib/tacet/full"
        self.run(f"nsenter -t {pid} -m bash -c '{full}'")

    def empty_state(self, pid, check=True):
        """Undoes that, once only: below it is the service's own mount of that folder."""
        is_full = f"grep -q ' /var/lib/tacet tmpfs' /proc/{pid}/mounts"
        self.run(f"! {is_full} || nsenter -t {pid} -m umount /var/lib/tacet", check=check)
