"""Two emulated computers that start the same card. One is a Raspberry Pi 3, which U-Boot starts as it starts a real
one. It has no network, because QEMU's emulation of it does not work. The other is QEMU's own board, which has a network
and is started by QEMU itself."""

import pathlib
import re
import socket
import subprocess
import sys
import time

from card import run

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "virtual-board"))
from bench.machine import prefer  # noqa: E402


class Failed(Exception):
    pass


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Emulator:
    def __init__(self, card):
        self.card = card
        self.console = card.folder / "console"
        self.process = None
        self.started = 0.0

    def start(self):
        self.console.unlink(missing_ok=True)
        self.started = time.monotonic()
        with open(self.card.folder / "qemu.log", "wb") as log:
            self.process = subprocess.Popen(
                [str(word) for word in self.command()],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        prefer(self.process.pid)

    def cut_power(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def text(self):
        return self.console.read_text(errors="replace").replace("\r", "") if self.console.exists() else ""

    def wait_for(self, words, timeout, after=0):
        """Waits until the console shows words (a regular expression). Returns the seconds since the start."""
        while not (found := re.search(words, self.text()[after:])):
            if self.process.poll() is not None:
                raise Failed(f"QEMU ended: {(self.card.folder / 'qemu.log').read_text()[-500:]}")
            if time.monotonic() - self.started > timeout:
                raise Failed(f"no ‘{words}’ within {timeout} s; the console's end:\n{self.text()[-3000:]}")
            time.sleep(0.2)
        self.seen = after + found.end()
        return time.monotonic() - self.started


class RaspberryPi(Emulator):
    """A Raspberry Pi 3. Its firmware is not emulated, so this class reads the card's config.txt, applies the overlays
    that it lists to the board's device tree, and starts U-Boot."""

    TREE = "bcm2837-rpi-3-b.dtb"

    def command(self):
        text = self.card.get("config.txt").read_text()
        [loader] = re.findall(r"^kernel=(.+)$", text, re.MULTILINE)
        overlays = re.findall(r"^dtoverlay=(.+)$", text.split("[pi3]")[1].split("[")[0], re.MULTILINE)
        assert overlays, "config.txt has no overlay for a Raspberry Pi 3"
        files = [self.card.get(f"overlays/{name}.dtbo") for name in overlays]
        merged = self.card.folder / "merged.dtb"
        run("fdtoverlay", "-i", self.card.get(self.TREE), "-o", merged, *files)
        return [
            "qemu-system-aarch64", "-M", "raspi3b", "-m", "1024", "-display", "none", "-monitor", "none",
            "-kernel", self.card.get(loader), "-dtb", merged, "-drive", f"file={self.card.file},if=sd,format=raw",
            # The console of this board is its second serial port.
            "-serial", "null", "-serial", f"file:{self.console}",
        ]  # fmt: skip


class GenericBoard(Emulator):
    """QEMU's board `virt`, with the card's system in slot A."""

    def __init__(self, card):
        super().__init__(card)
        self.port = free_port()
        self.kernel = card.get_from_system("/vmlinuz")
        self.initramfs = card.get_from_system("/initrd.img")
        self.tree = card.folder / "virt.dtb"

    def command(self):
        words = re.search(r"^words=(.*)$", self.card.get("kernel.txt").read_text(), re.MULTILINE)[1]
        machine = ["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a53", "-smp", "2", "-m", "1024"]
        if not self.tree.exists():
            self.make_tree(machine)
        return [
            *machine, "-accel", "tcg,thread=multi", "-display", "none", "-monitor", "none", "-dtb", self.tree,
            "-kernel", self.kernel, "-initrd", self.initramfs,
            "-append", f"console=ttyAMA0 root=PARTUUID=7acec000-02 ro rauc.slot=A panic=10 quiet {words}",
            "-device", "sdhci-pci", "-device", "sd-card,drive=card",
            "-drive", f"id=card,if=none,file={self.card.file},format=raw",
            "-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{self.port}-:22", "-device", "virtio-net-pci,netdev=net",
            "-serial", f"file:{self.console}",
        ]  # fmt: skip

    def make_tree(self, machine):
        """Makes the device tree. The chip has no names for its lines, so they get the names from the overlays."""
        plain = self.card.folder / "plain.dtb"
        run(*machine, "-display", "none", "-M", f"dumpdtb={plain}")
        run("dtc", "-@", "-I", "dts", "-O", "dtb", "-o", self.card.folder / "names.dtbo", HERE / "names.dtso")
        run("fdtoverlay", "-i", plain, "-o", self.tree, self.card.folder / "names.dtbo")

    def shell(self, script, timeout=120, check=True):
        """Runs a script on the board as root, and returns its output."""
        done = subprocess.run(
            ["ssh", "-q", "-i", str(self.card.key), "-p", str(self.port), "-o", "StrictHostKeyChecking=no",
             "-o", "UserKnownHostsFile=/dev/null", "-o", "ConnectTimeout=60", "-o", "BatchMode=yes",
             "root@127.0.0.1", "sh -eu"],
            input=script, capture_output=True, text=True, timeout=timeout,
        )  # fmt: skip
        if check and done.returncode:
            raise Failed(f"‘{script}’: exit code {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout.strip()

    def wait_for_login(self, timeout=1800):
        while True:
            try:
                self.shell("true", timeout=20)
                return time.monotonic() - self.started
            except (Failed, subprocess.TimeoutExpired) as failure:
                if self.process.poll() is not None or time.monotonic() - self.started > timeout:
                    raise Failed(f"no login within {timeout} s; the console's end:\n{self.text()[-3000:]}") from failure
                time.sleep(1)
