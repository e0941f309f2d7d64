"""A container (systemd-nspawn) with its own systemd, journal and bus, in which commands can be run. It uses this
machine's kernel, and has neither wires nor a sound card."""
import contextlib
import os
import subprocess
import time

from bench.machine import MachineError, tail


class Container:
    """A container on the file system in `root`, which stays unchanged, because everything that the container writes is
    discarded."""

    ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/usr/sbin", "HOME": "/root", "LC_ALL": "C.UTF-8"}

    def __init__(self, root, folder, options):
        self.root = root
        self.folder = folder
        self.process = None
        #: Options for systemd-nspawn, which determine its access to this machine's folders and network.
        self.options = options
        os.makedirs(folder, exist_ok=True)

    def start(self):
        # These are the rights that systemd has on a board.
        rights = "--capability=CAP_SYS_NICE,CAP_SYS_RESOURCE"
        options = [rights, "--volatile=overlay", "--register=no", "--keep-unit", "--link-journal=no", "--resolv-conf=off"]
        options += self.options
        with open(f"{self.folder}/console.log", "wb") as log:
            self.process = subprocess.Popen(
                ["systemd-nspawn", "--quiet", f"--directory={self.root}", *options, "--console=pipe", "--boot"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip

    def connect(self, timeout):
        """Waits until the boot is complete."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise MachineError("systemd-nspawn has ended: " + tail(f"{self.folder}/console.log"))
            if self.leader() and self.finish(self.begin("systemctl is-system-running --wait"))[1].strip() in (
                "running",
                "degraded",
            ):
                return
            time.sleep(0.1)
        raise MachineError(f"the container did not boot within {timeout:.0f} s: " + tail(f"{self.folder}/console.log"))

    def leader(self):
        """Returns the process ID of the container's first process on this machine, or None before it exists."""
        try:
            with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as children:
                child = next(iter(children.read().split()), None)
            # Until its last fork, systemd-nspawn's child is in this machine's namespaces.
            if child and os.readlink(f"/proc/{child}/ns/pid") != os.readlink("/proc/self/ns/pid"):
                return child
        except OSError:
            pass
        return None

    def stop(self):
        """Ends the container at once, whatever it is doing."""
        if self.process and self.process.poll() is None:
            # The first signal requests a shutdown, and the second ends it.
            while self.process.poll() is None:
                self.process.terminate()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(0.2)

    def begin(self, script, **files):
        """Starts a shell script in the container. Returns a handle for `finish`."""
        files = files or {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(
            ["nsenter", f"--target={self.leader()}", "--all", "bash", "-c", script],
            stdin=subprocess.DEVNULL, env=self.ENVIRONMENT, text=True, errors="replace", **files,
        )  # fmt: skip

    def finish(self, handle, timeout=120):
        """Returns the exit code, the output and the errors."""
        try:
            output, errors = handle.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            handle.kill()
            raise MachineError(f"a command is still running after {timeout:.0f} s: {handle.args[-1]}") from None
        return handle.returncode, output, errors
