"""A card with the image, and the computer that writes to it before the first start."""

import pathlib
import shutil
import subprocess
import wave

SECTOR = 512
# The partitions of the image, in MiB. See deploy/image/raspberry-pi.sh.
BOOT, SLOT_A = 4, 260
# The size of a card in QEMU must be a power of two.
CARD = 4 << 30

CONFIGURATION = """\
[Playback]
Library=/boot/firmware/music
Device=hw:Loopback,0
# As with the contacts of BRINGUP.md, but to 3.3 V: nothing pulls an emulated pin up.
"""


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, **options)
    if done.returncode:
        raise SystemExit(f"{command[0]}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


class Card:
    def __init__(self, image, folder):
        self.folder = pathlib.Path(folder)
        self.file = self.folder / "card.img"
        run("cp", "--sparse=always", image, self.file)
        run("truncate", "--size", CARD, self.file)
        self.key = self.folder / "key"
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.key)

    @property
    def boot(self):
        return f"{self.file}@@{BOOT}M"

    def put(self, source, name):
        run("mcopy", "-s", "-o", "-i", self.boot, source, f"::/{name}")

    def write(self, text, name):
        run("mcopy", "-o", "-i", self.boot, "-", f"::/{name}", input=text.encode())

    def get(self, name):
        target = self.folder / pathlib.Path(name).name
        target.unlink(missing_ok=True)
        run("mcopy", "-i", self.boot, f"::/{name}", target)
        return target

    def get_from_system(self, name):
        """Returns a file of slot A's file system, or the target of a link."""
        system = f"{self.file}?offset={SLOT_A << 20}"
        links = run("debugfs", "-R", f"stat {name}", system).decode()
        if "Fast link dest" in links:
            name = "/" + links.split('Fast link dest: "')[1].split('"')[0].lstrip("/")
        target = self.folder / pathlib.Path(name).name
        run("debugfs", "-R", f"dump {name} {target}", system)
        return target

    def prepare(self, words):
        """Puts a configuration, a key and music onto the card, as a user does, and the settings for the emulator's
        sound card."""
        self.write(CONFIGURATION, "tacet.conf.d/50-board.conf")
        self.put(self.key.with_suffix(".pub"), "authorized_keys")
        self.write(f"words={words}\n", "kernel.txt")
        music = self.folder / "music"
        music.mkdir()
        with wave.open(str(music / "quiet.wav"), "wb") as file:
            file.setparams((1, 2, 48000, 0, "NONE", ""))
            # The track lasts a quarter of an hour, which is longer than a test, so that the position never wraps.
            file.writeframes(bytes(2 * 48000 * 900))
        self.put(music, "")
        shutil.rmtree(music)
