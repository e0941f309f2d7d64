"""A virtual machine (QEMU). Commands run in it through the QEMU guest agent, without network or login."""
import base64
import json
import os
import shutil
import signal
import socket
import subprocess
import time


class MachineError(Exception):
    pass


class KernelPanic(MachineError):
    """A panic of the machine's kernel. With two emulated processors, this happens in one of dozens of boots, while the
    kernel patches its own code."""


class Channel:
    """Exchanges lines of JSON over a UNIX socket with QEMU's monitor or the guest agent."""

    def __init__(self, path, timeout):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(timeout)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rb")

    def send(self, message):
        self.socket.sendall(json.dumps(message).encode() + b"\n")

    def receive(self):
        line = self.lines.readline()
        if not line:
            raise EOFError("closed")
        return json.loads(line.lstrip(b"\xff"))

    def call(self, command, **arguments):
        self.send({"execute": command, "arguments": arguments})
        while True:
            answer = self.receive()
            if "error" in answer:
                raise MachineError(f"{command}: {answer['error'].get('desc')}")
            if "return" in answer:
                return answer["return"]

    def close(self):
        self.lines.close()
        self.socket.close()


class Machine:
    """A board whose disk is in `folder`. The files of its image are in `image`."""

    CONSOLE = {"arm64": "ttyAMA0", "amd64": "ttyS0"}

    def __init__(self, architecture, image, folder):
        self.architecture = architecture
        self.image = image
        self.folder = folder
        self.share = f"{folder}/share"
        self.disk = f"{folder}/disk.qcow2"
        #: The file in which QEMU logs all writes to the disk in order, or None for no log (see writelog.py).
        self.write_log = None
        self.process = None
        self.agent = None
        os.makedirs(folder, exist_ok=True)

    def renew_disk(self):
        """Replaces the disk with a new one. All later writes go into a separate file."""
        run(["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", f"{self.image}/disk.ext4", self.disk])

    def command(self, words=(), serial="file"):
        """Returns the command. `words` are added to the kernel's command line."""
        console = self.CONSOLE[self.architecture]
        if self.architecture == "arm64":
            hardware = ["qemu-system-aarch64", "-M", "virt,gic-version=3", "-cpu", "cortex-a53"]
        else:
            hardware = ["qemu-system-x86_64", "-M", "q35", "-cpu", "max"]
        # Emulation is the default, because it behaves in the same way everywhere, and is fast even on machines that are
        # themselves virtual.
        accelerator = os.environ.get("TACET_BOARD_ACCEL", "tcg,thread=multi")
        quiet = ["quiet", "loglevel=4", "systemd.show_status=0", "mitigations=off", "net.ifnames=0"]
        return [
            *hardware, "-accel", accelerator, "-smp", "2", "-m", "512", "-nodefaults", "-display", "none",
            "-serial", f"file:{self.folder}/console.log" if serial == "file" else serial,
            "-kernel", f"{self.image}/vmlinuz", "-initrd", f"{self.image}/initrd",
            "-append", " ".join([f"console={console}", *quiet, *words]),
            *self.disk_options(), "-device", "virtio-blk-pci,drive=disk",
            "-fsdev", f"local,id=bench,path={self.share},security_model=none",
            "-device", "virtio-9p-pci,fsdev=bench,mount_tag=bench",
            "-device", "virtio-rng-pci", "-device", "virtio-serial-pci",
            "-chardev", f"socket,id=agent,path={self.folder}/agent,server=on,wait=off",
            "-device", "virtserialport,chardev=agent,name=org.qemu.guest_agent.0",
        ]  # fmt: skip

    def disk_options(self):
        if not self.write_log:
            return ["-drive", f"if=none,id=disk,file={self.disk},format=qcow2,cache=writeback"]
        # QEMU does not enlarge the log on its own, and unwritten parts of it take no space.
        with open(self.write_log, "wb") as log:
            log.truncate(4 << 30)
        return [
            "-blockdev", f"driver=qcow2,node-name=below,file.driver=file,file.filename={self.disk}",
            "-blockdev", f"driver=file,node-name=log,filename={self.write_log}",
            "-blockdev", "driver=blklogwrites,node-name=disk,file=below,log=log,log-sector-size=512",
        ]  # fmt: skip

    def clear(self):
        """Recreates the folder that is shared with the machine, and removes the agent's socket and the last boot's
        console. Call it before each start. Otherwise, a panic in that console would be attributed to the next boot
        until QEMU has opened the file."""
        shutil.rmtree(self.share, ignore_errors=True)
        os.makedirs(self.share)
        for name in ["agent", "console.log"]:
            if os.path.exists(f"{self.folder}/{name}"):
                os.unlink(f"{self.folder}/{name}")

    def start(self, words=()):
        self.clear()
        with open(f"{self.folder}/qemu.log", "wb") as log:
            self.process = subprocess.Popen(
                self.command(words), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        prefer(self.process.pid)
        self.agent = None

    def running(self):
        return self.process is not None and self.process.poll() is None

    def connect(self, timeout):
        """Waits for the guest agent, which may not run yet. Sends requests until it answers with the number of this
        process."""
        end = time.monotonic() + timeout
        number = int(time.time() * 1000) % 1_000_000
        while time.monotonic() < end:
            if not self.running():
                raise MachineError("QEMU has ended: " + tail(f"{self.folder}/qemu.log"))
            if "Kernel panic" in (console := tail(f"{self.folder}/console.log", 10_000)):
                raise KernelPanic(console)
            try:
                if self.agent:
                    self.agent.close()
                self.agent = Channel(f"{self.folder}/agent", timeout=1)
                self.agent.socket.sendall(b"\xff")
                number += 1
                self.agent.send({"execute": "guest-sync-delimited", "arguments": {"id": number}})
                while self.agent.receive().get("return") != number:
                    pass
                self.agent.socket.settimeout(120)
                return
            except (OSError, EOFError, ValueError):
                time.sleep(0.1)
        raise MachineError(f"no answer within {timeout:.0f} s; console: " + tail(f"{self.folder}/console.log"))

    def cut_power(self):
        """Ends the machine between two instructions. Data that its kernel had not written is lost."""
        if self.running():
            os.kill(self.process.pid, signal.SIGKILL)
        if self.process:
            self.process.wait()

    def power_off(self, timeout=60):
        if not self.running():
            return
        try:
            self.agent.send({"execute": "guest-shutdown"})
            self.process.wait(timeout)
        except (OSError, AttributeError, subprocess.TimeoutExpired):
            self.cut_power()

    def begin(self, script):
        """Starts a shell script in the machine. Returns a handle for `finish`."""
        return self.agent.call("guest-exec", path="/bin/bash", arg=["-c", script], **{"capture-output": True})["pid"]

    def finish(self, handle, timeout=120):
        """Returns the exit code, the output and the errors."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            answer = self.agent.call("guest-exec-status", pid=handle)
            if answer["exited"]:
                text = lambda name: base64.b64decode(answer.get(name, "")).decode(errors="replace")
                return answer.get("exitcode", 128 + answer.get("signal", 0)), text("out-data"), text("err-data")
            time.sleep(0.02)
        raise MachineError(f"a command is still running after {timeout:.0f} s")


def prefer(process):
    """Gives the machine precedence on a busy host, so that it plays in real time. It sets the nice value of the process
    and that of its session, because Linux first divides a processor among sessions."""
    try:
        os.setpriority(os.PRIO_PROCESS, process, -10)
        with open(f"/proc/{process}/autogroup", "w") as group:
            group.write("-10")
    except OSError:
        pass


def run(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        raise MachineError(f"{' '.join(command)}: {done.stderr.strip()}")


def tail(path, size=1500):
    try:
        with open(path, errors="replace") as file:
            return file.read()[-size:]
    except OSError as error:
        return str(error)
