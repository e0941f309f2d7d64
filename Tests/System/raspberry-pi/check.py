#!/usr/bin/env python3
"""Starts the image in QEMU and checks it. Prints a line for each check, or the problem.

    check.py IMAGE BUNDLE [NAME…]    all checks, or only these, in this order:
        starts              from the card's boot loader to music, on an emulated Raspberry Pi 3
        is-an-appliance     read-only root, state on its own partition, no password, the card's whole size, few writes
        updates-by-apt      a newer package from a repository, without losing the position
        bad-update          RAUC: an update without a working Tacet rolls back automatically
        good-update         RAUC: an update that works stays
        refuses-older       RAUC: an update whose version is older than the card's
        refuses-foreign     RAUC: an update with a foreign signature
        survives-power-cuts 20, at random moments (SEED=)
    The key and certificate of BUNDLE must be in the same folder, where `make image` leaves them.
"""

import functools
import http.server
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import threading
import time

from card import SLOT_A, Card, run
from emulator import Failed, GenericBoard, RaspberryPi

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
# All entries of the journal also appear on the console. QEMU's watchdog of a Raspberry Pi resets the board as soon as
# it is started. On a busy machine, a partition may take minutes to appear, and after 90 s the board would start again.
WORDS = ("modules_load=snd-aloop systemd.journald.forward_to_console=1 systemd.show_status=0 net.ifnames=0 "
         "systemd.watchdog_sec=0 systemd.default_device_timeout_sec=900")  # fmt: skip
# Times in seconds. They are generous, because the board is emulated, and the machine may be busy.
STARTS = 1800
CUTS = 20
WATCHED = 180


def expect(condition, message):
    if not condition:
        raise Failed(message)


class Check:
    def __init__(self, image, bundle, folder):
        self.folder = pathlib.Path(folder)
        self.bundle = pathlib.Path(bundle).resolve()
        self.card = Card(image, folder)
        self.card.prepare(WORDS)
        self.pi = RaspberryPi(self.card)
        self.board = GenericBoard(self.card)
        self.has_variables = False

    def cut_power(self):
        self.pi.cut_power()
        self.board.cut_power()

    # Reports of the board

    def position(self):
        """Returns the number of seconds by which the music has advanced."""
        return json.loads(self.board.shell("tacet status --json"))["position"]

    def plays(self):
        self.board.wait_for_login()
        deadline = time.monotonic() + 180
        while not (status := self.board.shell("tacet health 2>&1", check=False)).startswith("healthy"):
            expect(time.monotonic() < deadline, f"not healthy: {status}")
            time.sleep(1)
        return self.position()

    def variables(self):
        """Returns U-Boot's variables as they are on the card."""
        data = self.card.get("uboot.env").read_bytes()[4:]
        return dict(pair.decode().split("=", 1) for pair in data.split(b"\0\0")[0].split(b"\0"))

    # The checks

    def starts(self):
        self.pi.start()
        loaded = self.pi.wait_for(r"Starting kernel", STARTS)
        ready = self.pi.wait_for(r"Started tacet\.service", STARTS)
        self.pi.wait_for(r"This slot works: healthy", STARTS)
        self.pi.wait_for(r"rauc mark: .*marked slot\(s\) rootfs\.0 as good|marked slot rootfs\.0 as good", STARTS)
        time.sleep(2)
        self.pi.cut_power()
        self.has_variables = True
        left = self.variables()["BOOT_A_LEFT"]
        expect(left == "3", f"slot A is not marked as good: {left} tries left")
        return f"{ready:.0f} s from power to READY=1 (emulated), {loaded:.0f} of them in U-Boot; slot A is good"

    def is_an_appliance(self):
        self.board.start()
        self.plays()
        shell = self.board.shell
        expect("ro," in shell("findmnt -no OPTIONS /") + ",", "the root is writable")
        size = int(shell("findmnt -bno SIZE /state"))
        expect(size > 500 << 20, f"the state's partition has only {size >> 20} MiB")
        expect(shell("ls /var/log/journal").split() == [shell("cat /etc/machine-id")], "not one journal")
        expect(not shell("awk -F: '$2 !~ /^[!*]/ { print $1 }' /etc/shadow"), "somebody has a password")
        failed = shell("systemctl --failed --plain --no-legend | cut -d ' ' -f 1")
        expect(not failed, f"failed: {failed}")
        limits = shell("journalctl --header | grep -i 'disk usage'; systemd-analyze cat-config systemd/journald.conf")
        expect("SystemMaxUse=64M" in limits, "the journal is not bounded")
        # The kernel prepares the larger file system once, in the background.
        while self.shell_finds("ext4lazyinit"):
            time.sleep(5)
        before = self.written()
        time.sleep(WATCHED)
        a_day = (self.written() - before) * 86400 / WATCHED / 1e6
        return f"state {size >> 20} MiB; {a_day:.0f} MB written per day while it plays ({WATCHED} s measured)"

    def shell_finds(self, thread):
        return self.board.shell(f"grep -lsx {thread} /proc/[0-9]*/comm || true")

    def written(self):
        """Returns the number of bytes written since the board started."""
        self.board.shell("sync")
        return 512 * int(self.board.shell("cat /sys/block/mmcblk*/stat").split()[6])

    def updates_by_apt(self):
        self.plays() if self.board.process else self.board.start()
        self.plays()
        server = self.serve_repository()
        apt = ("-o Dir::Etc::SourceList=/etc/apt/sources.list.d/tacet.sources -o Dir::Etc::SourceParts=/dev/null "
               "-o APT::Get::List-Cleanup=0 -qq")  # fmt: skip
        try:
            before = self.position()
            self.board.shell(f"apt-get {apt} update 2>&1; DEBIAN_FRONTEND=noninteractive apt-get {apt} -y "
                             "--no-install-recommends install tacet 2>&1", timeout=600)  # fmt: skip
        finally:
            server.shutdown()
        after = self.plays()
        version = self.board.shell("tacet --version")
        installed = self.board.shell("dpkg-query -W -f '${Version}' tacet")
        expect(installed.endswith("+next"), f"still {installed}")
        expect(after >= before, f"the place was lost: {before:.1f} s, then {after:.1f} s")
        deadline = time.monotonic() + 130
        while "ro," not in self.board.shell("findmnt -no OPTIONS /") + ",":
            expect(time.monotonic() < deadline, "the root stayed writable")
            time.sleep(2)
        return f"{version} → {installed}; played at {before:.1f} s before and {after:.1f} s after"

    def serve_repository(self):
        """Serves a signed repository with a newer package. The board reaches this machine as 10.0.2.2."""
        folder = self.folder / "repository"
        handler = functools.partial(QuietHandler, directory=folder)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        script = """
            . "$0/deploy/build/common.sh"
            export GNUPGHOME=$1/gnupg
            mkdir -m 700 "$GNUPGHOME"
            gpg --batch --quiet --passphrase '' --quick-generate-key 'A test <test@example.org>' 2>/dev/null
            newer_package "$CACHE/package-arm64-$SUITE"/tacet_*_arm64.deb "$1/tacet_next_arm64.deb"
            URI=$2 "$0/deploy/build/repository.sh" "$1/repository" "$1/tacet_next_arm64.deb" >/dev/null
        """
        uri = f"http://10.0.2.2:{server.server_port}"
        # The script finds the paths relative to its own location.
        run("bash", "-c", script.replace(". \"$0", "BASH_SOURCE=; . \"$0"), REPOSITORY, self.folder, uri)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        text = (folder / "tacet-trixie.sources").read_text()
        self.board.shell("mount -o remount,rw /boot/firmware; cat >/boot/firmware/tacet.sources <<'END'\n" + text
                         + "END\nmount -o remount,ro /boot/firmware")  # fmt: skip
        return server

    def survives_power_cuts(self):
        seed = int(os.environ.get("SEED", random.randrange(1 << 32)))
        chance = random.Random(seed)
        if not self.board.process:
            self.board.start()
        position, lost = self.plays(), 0.0
        for cut in range(1, CUTS + 1):
            # Every second cut happens during the boot, and the others while the board plays.
            if cut % 2:
                time.sleep(chance.uniform(0, 20))
                position = self.position()
            self.board.cut_power()
            self.board.start()
            if not cut % 2:
                time.sleep(chance.uniform(3, 40))
                continue
            after = self.plays()
            uptime = float(self.board.shell("cut -d ' ' -f 1 /proc/uptime"))
            expect(position - 30 <= after <= position + uptime,
                   f"cut {cut}, seed {seed}: {position:.1f} s before, {after:.1f} s afterwards")  # fmt: skip
            lost = max(lost, position - after + uptime)
            position = after
            print(f"{cut} cuts, at {after:.1f} s", file=sys.stderr, flush=True)
        self.plays()
        problems = self.board.shell("journalctl -p err -b -q --no-pager | grep -E 'EXT4|corrupt|I/O' || true")
        expect(not problems, problems)
        return f"{CUTS} of {CUTS} (seed {seed}), each second one while it started"

    # RAUC

    def make_update(self, name, change, key=None, version="999.0.0"):
        """Makes an update from the system of slot A, changed with debugfs and with its own identity."""
        folder = self.folder / name
        folder.mkdir()
        length = int(run("dumpe2fs", "-h", f"{self.card.file}?offset={SLOT_A << 20}").decode()
                     .split("Block count:")[1].split()[0]) * 4096  # fmt: skip
        run("dd", f"if={self.card.file}", f"of={folder}/root.ext4", "bs=1M", f"skip={SLOT_A}",
            f"count={length >> 20}", "conv=sparse")  # fmt: skip
        subprocess.run(["e2fsck", "-fy", folder / "root.ext4"], capture_output=True)
        for request in change:
            run("debugfs", "-w", "-R", request, folder / "root.ext4")
        run("tune2fs", "-f", "-U", "random", folder / "root.ext4")
        (folder / "manifest.raucm").write_text(
            f"[update]\ncompatible=tacet-raspberry-pi\nversion={version}\n[bundle]\nformat=verity\n"
            "[image.rootfs]\nfilename=root.ext4\n")
        bundle = self.folder / f"{name}.raucb"
        certificate, private = key or (self.bundle.parent / "update-certificate.pem",
                                       self.bundle.parent / "update-key.pem")
        run("rauc", f"--cert={certificate}", f"--key={private}", "bundle", folder, bundle)
        return bundle

    def install(self, bundle, check=True):
        # When U-Boot starts the system for the first time, it writes the variables that RAUC changes.
        if not self.has_variables:
            self.starts()
        if not self.board.process:
            self.board.start()
        self.plays()
        with open(bundle, "rb") as file:
            subprocess.run(
                ["ssh", "-q", "-i", str(self.card.key), "-p", str(self.board.port), "-o", "StrictHostKeyChecking=no",
                 "-o", "UserKnownHostsFile=/dev/null", "root@127.0.0.1", "cat >/state/update.raucb"],
                stdin=file, check=True)  # fmt: skip
        text = self.board.shell("rauc install /state/update.raucb 2>&1", timeout=1800, check=check)
        self.board.shell("rm /state/update.raucb; sync")
        self.board.cut_power()
        return text

    def bad_update(self):
        self.install(self.make_update("broken", ["rm /usr/lib/tacet/tacetd"]))
        order = self.variables()["BOOT_ORDER"]
        expect(order.startswith("B"), f"the new slot is not the first: {order}")
        self.pi.start()
        self.pi.wait_for(r"rauc\.slot=B|This slot does not work", 2 * STARTS)
        self.pi.wait_for(r"The other slot starts", 2 * STARTS)
        seconds = self.pi.wait_for(r"This slot works: healthy", 3 * STARTS, after=self.pi.seen)
        time.sleep(5)
        self.pi.cut_power()
        expect("B" not in self.variables()["BOOT_ORDER"] or self.variables()["BOOT_B_LEFT"] == "0", "B is not bad")
        return f"back in slot A, playing, {seconds:.0f} s after power"

    def good_update(self):
        self.install(self.make_update("working", ["write /dev/null /etc/an-update"]))
        self.pi.start()
        self.pi.wait_for(r"This slot works: healthy", STARTS)
        time.sleep(10)
        self.pi.cut_power()
        variables = self.variables()
        expect(variables["BOOT_ORDER"].startswith("B") and variables["BOOT_B_LEFT"] == "3", f"not good: {variables}")
        return "slot B plays and is good"

    def refuses_foreign(self):
        key, certificate = self.folder / "foreign.key", self.folder / "foreign.pem"
        run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=Somebody", "-keyout", key, "-out",
            certificate)  # fmt: skip
        text = self.install(self.make_update("foreign", [], (certificate, key)), check=False)
        expect("signature" in text.lower() or "verif" in text.lower(), f"it was not refused: {text}")
        return re.search(r"LastError: (.*)|(.*failed.*)", text)[0].strip()[:100]

    def refuses_older(self):
        text = self.install(self.make_update("older", [], version="0.0.1"), check=False)
        expect("version" in text.lower() and "succeeded" not in text.lower(), f"it was not refused: {text}")
        return re.search(r"LastError: (.*)|(.*version.*)", text)[0].strip()[:100]


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


CHECKS = ["starts", "is-an-appliance", "updates-by-apt", "bad-update", "good-update", "refuses-older", "refuses-foreign",
          "survives-power-cuts"]  # fmt: skip


def main(arguments):
    if len(arguments) < 2 or not set(arguments[2:]) <= set(CHECKS):
        sys.exit(__doc__.strip())
    failed = False
    with tempfile.TemporaryDirectory(dir=os.environ.get("SCRATCH")) as folder:
        check = Check(arguments[0], arguments[1], folder)
        try:
            for name in arguments[2:] or CHECKS:
                try:
                    print(f"{name:22}{getattr(check, name.replace('-', '_'))()}", flush=True)
                except Failed as wrong:
                    failed = True
                    print(f"{name:22}WRONG: {wrong}", flush=True)
                    # The next check starts a board on the same card.
                    check.cut_power()
        finally:
            check.cut_power()
    return failed


sys.exit(main(sys.argv[1:]))
