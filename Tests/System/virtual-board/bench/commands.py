"""Shell commands on the system that runs Tacet, and the properties of its service."""
import os
import shlex

from bench.machine import MachineError

CHECK_CONF = "/etc/tacet/tacet.conf.d/95-check.conf"
#: The prefix that runs a command as a user without rights.
NOBODY = "setpriv --reuid=65534 --regid=65534 --clear-groups"


class Commands:
    """A base class for classes whose `machine` has the methods `begin` and `finish`."""

    def run(self, script, timeout=120, check=True):
        """Runs a shell script. Returns its output. With `check`, raises an error if the script fails."""
        code, output, errors = self.machine.finish(self.machine.begin(script), timeout)
        if check and code:
            raise MachineError(f"‘{script}’ failed ({code}): {(output + errors).strip()[-800:]}")
        return output.rstrip("\n")

    def code(self, script, timeout=120):
        """Runs a shell script. Returns the exit code and the output, including errors."""
        code, output, errors = self.machine.finish(self.machine.begin(script), timeout)
        return code, output + errors

    def wait_for(self, condition):
        """Waits for at most half a minute until a command of the shell succeeds."""
        self.run(f"for turn in $(seq 300); do {condition} && exit 0; sleep 0.1; done; exit 1")

    def show(self, name, unit="tacet"):
        """Returns a property of a unit."""
        return self.run(f"systemctl show {unit} --property {name} --value")

    def pid(self):
        return int(self.show("MainPID"))

    def write(self, path, text):
        folder = os.path.dirname(path)
        self.run(f"mkdir -p {folder} && printf %s {shlex.quote(text)} >{path} && sync {path} {folder}")

    def fill_state(self, pid):
        """Makes the disk of the state appear full to the daemon with this process ID."""
        full = "mount -t tmpfs -o size=8k,mode=777 none /var/lib/tacet && head -c 8k /dev/zero >/var/lib/tacet/full"
        self.run(f"nsenter -t {pid} -m bash -c '{full}'")

    def empty_state(self, pid, check=True):
        """Undoes `fill_state`. It does so at most once, because the service's own mount of that folder is beneath
        it."""
        is_full = f"grep -q ' /var/lib/tacet tmpfs' /proc/{pid}/mounts"
        self.run(f"! {is_full} || nsenter -t {pid} -m umount /var/lib/tacet", check=check)
