"""The environment of the page.

Several parts are real: the message bus (a separate dbus-daemon with Tacet's policy), the daemon (on ALSA's `null`
device), Cockpit's server and bridge, the browser, and `tacet check` and `tacet timeline`.

Other parts are not. There is no journald, so `tacet timeline` reads a journal file that systemd-journal-remote has made
of `recorded.py`. There are no GPIO lines, so `tacet lines` and `tacet inputs` print text that a test has written.
`systemctl start` starts the daemon of the lab.
"""
import array
import contextlib
import http.client
import json
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import wave

import recorded

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[2]
PROGRAMS = pathlib.Path(os.environ["TACET_PROGRAMS"])
PAGE = pathlib.Path(os.environ["TACET_PAGE"])
NAME, PATH, SESSION = "org.mpris.MediaPlayer2.tacet", "/org/mpris/MediaPlayer2", "org.tacet.Session1"
COCKPIT_WS = next(path for path in ("/usr/lib/cockpit/cockpit-ws", "/usr/libexec/cockpit-ws") if os.path.exists(path))

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>{address}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <deny own="*"/>
    <deny send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
    <allow receive_type="signal"/>
    <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus"/>
    <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Introspectable"/>
    <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Properties"/>
  </policy>
  <include>{policy}</include>
  <policy user="{user}">
    <allow own="{name}"/>
    {commands}
  </policy>
</busconfig>
"""

CONFIGURATION = """[Playback]
Device=null
Library=music
AutoPlay=yes
[State]
Directory=state
[Signal phone-call]
Source=bus
Lease=infinity
ReleaseDelay=0s
[Signal alarm]
Source=bus
Lease=infinity
ReleaseDelay=0s
Effect=duck
DuckLevel=-14dB
[Signal cover-closed]
Enabled=no
[Sound gong]
File=gong.wav
[Sound siren]
File=missing.wav
[Output amplifier]
Line=AMPLIFIER
Means=amplifier
"""

#: The name of a file, which may contain anything.
MARKUP = "<img src=x onerror=document.title='owned'>.wav"


#: The time in seconds that a busy machine may need.
PATIENCE = float(os.environ.get("PATIENCE", 30))


def until(what, condition, timeout=PATIENCE):
    """Waits until a condition holds, and returns its value."""
    deadline = time.monotonic() + timeout
    last = None
    while time.monotonic() < deadline:
        try:
            value = condition()
            if value:
                return value
        except Exception as error:  # The page may be changing right now.
            last = error
        time.sleep(0.05)
    raise AssertionError(f"no {what}" + (f": {last}" if last else ""))


class Lab:
    """A board in a folder. Close it with `close`."""

    def __init__(self, looks_only=False, configuration=CONFIGURATION, tracks=("One.wav", "Two.wav", "Three.wav")):
        self.looks_only = looks_only
        self.cleaning = contextlib.ExitStack()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tacet-cockpit-"))
        self.cleaning.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self.folder.chmod(0o755)
        # The time zone is chosen such that it is always afternoon, so that all six hours of the journal are today.
        self.zone = f"LAB{time.gmtime().tm_hour - 14:+d}"
        self.write_music(tracks)
        self.configure(configuration)
        self.write_journal()
        self.write_programs()
        self.address = f"unix:path={self.folder}/bus"
        self.environment = {
            **os.environ, "DBUS_SYSTEM_BUS_ADDRESS": self.address, "TZ": self.zone, "LC_ALL": "C.UTF-8",
            "STATE_DIRECTORY": str(self.folder / "state"), "RUNTIME_DIRECTORY": str(self.folder / "run"),
        }
        self.daemon = None
        self.server = None
        self.holders = {}
        self.start_bus()

    def close(self):
        for name in list(self.holders):
            self.release(name)
        self.stop_daemon()
        self.cleaning.close()

    # Files

    def write_music(self, tracks):
        for name in ("music", "state", "run", "home", "bin", "journal"):
            (self.folder / name).mkdir(exist_ok=True)
        (self.folder / "home").chmod(0o777)
        for name, seconds in [*((f"music/{track}", 60) for track in tracks), ("gong.wav", 20)]:
            with wave.open(str(self.folder / name), "wb") as file:
                file.setparams((1, 2, 48_000, 0, "NONE", ""))
                file.writeframes(array.array("h", [1000 if n // 100 % 2 else -1000 for n in range(48_000)]).tobytes() * seconds)

    def configure(self, text):
        (self.folder / "tacet.conf").write_text(text)

    def write_journal(self):
        # The time is in the middle of a minute, so that entries that are close together are in the same minute.
        self.recorded_at = time.time() // 60 * 60 - 30
        self.recorded = recorded.day(self.recorded_at)
        self.make_journal()

    def log(self, ago, event, message, **fields):
        """Adds an entry to the journal."""
        self.recorded.entry(time.time() - ago - self.recorded.start, event, message, **fields)
        self.make_journal()

    def make_journal(self):
        export, journal = self.folder / "export", self.folder / "new.journal"
        export.write_bytes(self.recorded.data)
        subprocess.run(["/lib/systemd/systemd-journal-remote", f"--output={journal}", str(export)], check=True,
                       capture_output=True)
        journal.chmod(0o644)
        journal.rename(self.folder / "journal/day.journal")

    def write_programs(self):
        self.write_tacet(f'shift; exec {PROGRAMS}/tacet timeline --directory {self.folder}/journal "$@"')
        self.program("systemctl", f'[ "$1 $2" = "start tacet.service" ] && touch {self.folder}/home/start')
        self.lines(17, 1)
        self.write("inputs", {
            "devices": [
                {"path": "/dev/input/event0", "name": "Lid Switch", "codes": [{"name": "SW_LID", "kind": "switch", "on": False}]},
                {"path": "/dev/input/event1", "name": "Keyboard",
                 "codes": [{"name": f"KEY_{n}", "kind": "key", "on": n == 3} for n in range(100)]},
                {"path": "/dev/input/event2", "name": "Secret", "codes": None},
            ],
            "cards": [{"number": 0, "id": "PCH", "jacks": [{"name": "Headphone Jack", "plugged": True}]}],
            "problems": ["cannot read /dev/input/event2: Permission denied"],
        })

    def write_tacet(self, timeline):
        """Writes the program `tacet`, whose sub-command `timeline` executes this script."""
        self.program("tacet", f"""
[ "$1" = timeline ] || echo "$*" >>{self.folder}/home/calls
case $1 in
  lines | inputs) cat {self.folder}/$1.json; [ ! -e {self.folder}/$1.error ] || {{ cat {self.folder}/$1.error >&2; exit 1; }};;
  check) exec {PROGRAMS}/tacet check {self.folder}/tacet.conf;;
  timeline) {timeline};;
  *) exec {PROGRAMS}/tacet "$@";;
esac""")

    def program(self, name, text):
        path = self.folder / "bin" / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def write(self, name, answer):
        path = self.folder / f"{name}.new"
        path.write_text(answer if isinstance(answer, str) else json.dumps(answer))
        path.rename(self.folder / f"{name}.json")

    def lines(self, offset, level):
        """Writes the answer for a board with 54 lines, one of which has a signal and this level."""
        lines = [{
            "offset": n, "name": f"GPIO{n}", "direction": "input", "bias": "pull-up" if n == offset else None,
            "active_low": False, "used": n == offset, "user": "tacetd" if n == offset else None,
            "level": level if n == offset else None,
            "for": [{"name": "signal phone-call", "asserted": level == 0}] if n == offset else [],
        } for n in range(54)]
        self.write("lines", {
            "chips": [{"name": "gpiochip0", "label": "pinctrl-bcm2835", "path": "/dev/gpiochip0", "lines": lines}],
            "problems": ["signal alarm: cannot find line <i>ALARM</i>: no chip has a line of that name"],
        })

    def calls(self):
        """Returns the calls to `tacet` except the ones for the history, which the page reads occasionally."""
        path = self.folder / "home/calls"
        return path.read_text().splitlines() if path.exists() else []

    # Bus and daemon

    def start_bus(self):
        policy = REPOSITORY / "deploy/dbus-1" / f"{NAME}.conf"
        user = pwd.getpwuid(os.getuid()).pw_name
        # The user who runs the tests may send commands, unless the test is about a user without permission. Root is
        # always permitted.
        commands = "" if self.looks_only and os.getuid() else f'<allow send_destination="{NAME}"/>'
        (self.folder / "bus.conf").write_text(
            BUS.format(address=self.address, policy=policy, user=user, name=NAME, commands=commands))
        process = subprocess.Popen(
            ["dbus-daemon", f"--config-file={self.folder}/bus.conf", "--nofork", "--nopidfile", "--print-address"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.cleaning.callback(self.end, process)
        process.stdout.readline()

    def end(self, process, number=signal.SIGKILL):
        if process.poll() is None:
            process.send_signal(number)
        process.wait()
        if process.stdout:
            process.stdout.close()

    def start_daemon(self):
        log = open(self.folder / "log", "a")
        self.daemon = subprocess.Popen(
            [PROGRAMS / "tacetd", "--bus=system", "--config", self.folder / "tacet.conf"], env=self.environment, stderr=log)
        log.close()
        until("daemon on the bus", lambda: "Playing" in self.property("org.mpris.MediaPlayer2.Player", "PlaybackStatus")
              or self.property(SESSION, "Why"))

    def stop_daemon(self, number=signal.SIGTERM):
        if self.daemon:
            self.end(self.daemon, number)
        self.daemon = None

    def property(self, interface, name):
        return subprocess.run(
            ["busctl", f"--address={self.address}", "get-property", NAME, PATH, interface, name], capture_output=True,
            text=True, check=True).stdout.strip()

    def why(self):
        return self.property(SESSION, "Why")

    def scene(self):
        return self.property(SESSION, "Scene")

    def tacet(self, *words):
        return subprocess.run([PROGRAMS / "tacet", *words], env=self.environment, capture_output=True, text=True, check=True).stdout

    def hold(self, name):
        """Asserts a signal until it is released."""
        self.holders[name] = subprocess.Popen(
            [PROGRAMS / "tacet", "assert", name, "--", "sleep", "1000"], env=self.environment, stdout=subprocess.DEVNULL)

    def release(self, name):
        self.end(self.holders.pop(name), signal.SIGTERM)

    # Cockpit

    def start_cockpit(self):
        """Starts the server and returns its address."""
        data = self.folder / "home/share"
        shutil.copytree(PAGE, data / "cockpit/tacet", dirs_exist_ok=True)
        for folder, _, files in os.walk(data):
            os.chmod(folder, 0o755)
            for file in files:
                os.chmod(os.path.join(folder, file), 0o644)
        user = "exec "
        if self.looks_only and os.getuid() == 0:
            nobody = pwd.getpwnam("nobody")
            user = f"exec setpriv --reuid={nobody.pw_uid} --regid={nobody.pw_gid} --clear-groups "
        bridge = self.folder / "bridge"
        bridge.write_text(
            "#!/bin/sh\n"
            f"export HOME={self.folder}/home XDG_DATA_HOME={data} TZ={self.zone} LC_ALL=C.UTF-8\n"
            f"export DBUS_SYSTEM_BUS_ADDRESS={self.address} PATH={self.folder}/bin:/usr/sbin:/usr/bin:/sbin:/bin\n"
            "unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR\n"
            f'{user}cockpit-bridge "$@" 2>>{self.folder}/home/bridge.log\n')
        bridge.chmod(0o755)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        with open(self.folder / "ws.log", "w") as log:
            self.server = subprocess.Popen(
                [COCKPIT_WS, "--no-tls", "--port", str(port), "--address", "127.0.0.1", f"--local-session={bridge}"],
                env=self.environment, stderr=log)
        self.cleaning.callback(self.end, self.server)

        def answers():
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/ping")
            status = connection.getresponse().status
            connection.close()
            return status
        until("Cockpit", answers)
        return f"http://127.0.0.1:{port}"
