"""The board as it appears to a person in front of it, with wires, a loudspeaker, a power switch and its journal."""
import contextlib
import os
import shutil

from bench.commands import CHECK_CONF, Commands
from bench.journal import Journal
from bench.machine import KernelPanic, Machine, MachineError
from bench.sound import Recording
from bench.witness import Witness

WIRES = ["PHONE_CALL", "ALARM", "COVER_CLOSED", "PLAY_PAUSE", "VOLUME_UP"]
#: The wire for each signal in the vendor's configuration.
SIGNALS = {"phone-call": "PHONE_CALL", "alarm": "ALARM", "cover-closed": "COVER_CLOSED"}
#: The vendor's ramps in milliseconds, and the duck in dB.
FADE_OUT, FADE_IN, DUCK_ATTACK, DUCK_RELEASE, DUCK_LEVEL = 60, 600, 120, 800, -14

CHIP = "/usr/local/lib/board/chip"
#: The folder with the parameters of the simulated chips (see build/modules.patch).
SIMULATOR = "/sys/module/gpio_sim/parameters"
#: The script that ends the programs of trials, which would take a line as soon as Tacet stops, and removes the chips
#: that trials have created beside the chip that is soldered on.
END_TRIALS = (
    "pkill -KILL gpio-watch; pkill gpioset;"
    f"(cd /sys/kernel/config/gpio-sim; for name in *; do [ $name = panel ] || {CHIP} drop $name; done)"
)

#: The number of times that the power is switched on until the emulated kernel starts without a panic.
BOOTS = 5
BENCH_CONF = "/etc/tacet/tacet.conf.d/90-bench.conf"
#: For the checks, a released wire ends its signal at once, and a pulse that the emulator stretches is not a call.
PROMPT = "[Signal phone-call]\nDebounce=30ms\nChatterLimit=40\nReleaseDelay=0s\n[Signal alarm]\nReleaseDelay=0s\n"


class Board(Commands):
    def __init__(self, architecture, image, folder):
        self.architecture = architecture
        self.machine = Machine(architecture, image, folder)
        self.folder = folder
        self.sound = None
        self.journal = None
        self.witness = Witness(self.machine.share)

    # Power

    def boot(self, fresh=False, held=(), kept=None, timeout=240):
        """Switches the power on, with the wires in `held` already pulled, and the outputs in `kept` still at these
        levels. Returns when commands can be run."""
        if fresh or not os.path.exists(self.machine.disk):
            self.machine.renew_disk()
        words = ["bench"] + ([f"board.held={','.join(held)}"] if held else [])
        if kept:
            words.append("board.kept=" + ",".join(f"{line}={level}" for line, level in kept.items()))
        for left in reversed(range(BOOTS)):
            try:
                return self.switch_on(words, timeout)
            except MachineError as error:
                # The next check boots it again.
                self.machine.cut_power()
                # Occasionally, QEMU's emulation of two processors makes a kernel panic while it patches itself at the
                # start. At that time, it has not written to the disk yet.
                if not isinstance(error, KernelPanic) or not left:
                    raise
                print("# the emulated kernel panicked while starting: booting again", flush=True)

    def switch_on(self, words, timeout):
        self.witness.power_goes()
        self.machine.start(words)
        self.sound = Recording(self.machine.share)
        self.journal = Journal(self.machine.share)
        self.machine.connect(timeout)

    def is_on(self):
        return self.machine.running()

    def cut_power(self):
        self.machine.cut_power()

    def power_off(self):
        self.machine.power_off()

    def standstills(self):
        """Returns the lengths of the board's stalls so far, in milliseconds."""
        self.witness.update()
        return self.witness.standstills

    # Wires

    def pull(self, *words, timeout=120):
        """Pulls wires, for example `pull("ALARM", "up", "30ms", "ALARM", "down")`. Returns for each pull the time
        before it, the wire, up or down, and the time after it, both in nanoseconds."""
        output = self.run("pull " + " ".join(words), timeout)
        pulls = [line.split() for line in output.splitlines()]
        return [(int(before), wire, way, int(after)) for before, wire, way, after in pulls]

    def press(self, button):
        return self.pull(button, "up", "100ms", button, "down")[0][0]

    def release_all(self):
        self.pull(*(word for wire in WIRES for word in (wire, "down")))

    # Tacet

    def lend(self, package):
        """Copies a package, which was built with the board's image, to a folder that the board can read. Returns its
        path there."""
        shutil.copy(f"{self.machine.image}/{package}", f"{self.machine.share}/{package}")
        return f"/mnt/bench/{package}"

    def prompt(self):
        """Makes a released wire end its signal at once from now on, even after a power cut."""
        self.write(BENCH_CONF, PROMPT)
        self.run("systemctl restart tacet")

    @contextlib.contextmanager
    def configured(self, text):
        """Runs the body with an additional drop-in. The music continues from its position."""
        self.write(CHECK_CONF, text)
        self.run("systemctl restart tacet")
        try:
            self.settle()
            yield
        finally:
            self.release_all()
            self.run(f"rm {CHECK_CONF}; systemctl restart tacet")

    def settle(self, seconds=0.4, timeout=60):
        """Waits until the music plays at its own level. Returns the frame up to which it was played."""
        return self.sound.wait_for_music(seconds=seconds, timeout=timeout).end

    def calm(self):
        """Releases all wires and lets the music play, which is the state in which each check begins."""
        if not self.is_on():
            self.boot()
        if self.code(f"test -e {BENCH_CONF}")[0]:
            self.prompt()
        try:
            self.release_all()
            self.settle(timeout=15)
        except (TimeoutError, MachineError):
            self.recover()

    def recover(self):
        """Restores the initial state after a failed check, except for the journal."""
        self.run(
            f"systemctl stop tacet; rm -rf {CHECK_CONF} /var/lib/tacet/* /{{run,etc}}/systemd/system/tacet.service.d;"
            f"echo 0 | tee {SIMULATOR}/{{persist_gpio_outputs,swallow}};"
            "systemctl daemon-reload; cd /sys/bus/platform/drivers/snd_aloop;"
            "for card in 0 1; do [ -e snd_aloop.$card ] || echo snd_aloop.$card >bind; done; "
            f"{END_TRIALS}; {CHIP} plug panel;"
            "systemctl reset-failed; systemctl start --no-block tacet",
            check=False,
        )
        self.release_all()
        self.settle()
