#!/usr/bin/python3
"""The policies of deploy/dbus-1 on a real dbus-daemon, for several users. It needs root in order to become these users.

Prints the problems, or nothing if the bus accepts calls and signals only from users with permission.
"""
import grp
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../deploy/dbus-1")
# Users and a group that exist on every Debian system take the place of the ones that the package creates.
STAND_INS = {"tacet": "daemon", "tacet-mqtt": "games", "tacet-players": "news", "tacet-stream": "lp"}
GROUP = "mail"
MEMBER, STRANGER = "mail", "nobody"
NAME = "org.mpris.MediaPlayer2.tacet"
DRIVER, DRIVER_PATH = "org.freedesktop.DBus", "/org/freedesktop/DBus"
PROPERTIES = "org.freedesktop.DBus.Properties"
INTROSPECTABLE = "org.freedesktop.DBus.Introspectable"

# As in Debian's system.conf, everything that is not allowed is forbidden, and anyone may send signals.
SYSTEM = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path={folder}/bus</listen>
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
  </policy>
  <policy user="root">
    <allow own="org.freedesktop.login1"/>
    <allow own="org.ofono"/>
  </policy>
  {includes}
</busconfig>
"""

problems = []


def shipped(file):
    """Returns a shipped policy for the stand-ins."""
    with open(os.path.join(FOLDER, file), encoding="utf-8") as opened:
        text = opened.read()
    text = re.sub(r'user="(tacet[a-z-]*)"', lambda match: f'user="{STAND_INS[match[1]]}"', text)
    return text.replace('group="tacet"', f'group="{GROUP}"')


def start_bus(folder):
    os.chmod(folder, 0o755)
    includes = ""
    for file in sorted(os.listdir(FOLDER)):
        with open(f"{folder}/{file}", "w", encoding="utf-8") as policy:
            policy.write(shipped(file))
        includes += f"<include>{folder}/{file}</include>"
    with open(f"{folder}/conf", "w", encoding="utf-8") as configuration:
        configuration.write(SYSTEM.format(folder=folder, includes=includes))
    daemon = subprocess.Popen(
        ["dbus-daemon", f"--config-file={folder}/conf", "--nofork", "--nopidfile", "--print-address"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True)
    return daemon, daemon.stdout.readline().strip()


def connect(address):
    flags = Gio.DBusConnectionFlags
    return Gio.DBusConnection.new_for_address_sync(
        address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None)


def call(bus, destination, path, interface, member, arguments=None):
    """Returns the name of the error, or None if the call succeeds."""
    try:
        bus.call_sync(destination, path, interface, member, arguments, None, Gio.DBusCallFlags.NONE, 5000, None)
    except GLib.Error as error:
        return Gio.DBusError.get_remote_error(error) or str(error)
    return None


def is_refused(error):
    return error == "org.freedesktop.DBus.Error.AccessDenied"


def owner(address, name):
    bus = connect(address)
    error = call(bus, DRIVER, DRIVER_PATH, DRIVER, "RequestName", GLib.Variant("(su)", (name, 0)))
    if error:
        problems.append(f"root cannot own {name}: {error}")
    return bus


def copy_script(folder):
    """Copies this file, which other users cannot read if it is in a private folder."""
    script = f"{folder}/policy.py"
    shutil.copyfile(os.path.abspath(__file__), script)
    os.chmod(script, 0o644)
    return script


class Other:
    """A process of another user, which plays one of `ROLES` with its own connection."""

    # The path of a copy of this file that everybody can read.
    script = None

    def __init__(self, user, address, role, *arguments):
        account = pwd.getpwnam(user)
        groups = [grp.getgrnam(GROUP).gr_gid] if user == STAND_INS["tacet-stream"] else []
        self.process = subprocess.Popen(
            ["/usr/bin/python3", Other.script, role, address, *arguments], stdout=subprocess.PIPE, text=True, cwd="/",
            user=account.pw_uid, group=account.pw_gid, extra_groups=groups)

    def line(self):
        return self.process.stdout.readline().strip()

    def wait(self):
        return self.process.communicate()[0].split()


def report(line):
    print(line, flush=True)


def listen(bus, name=None):
    """Takes a name, and reports the unique name of this connection, and then the member of every signal until `End`."""
    loop = GLib.MainLoop()
    if name and (error := call(bus, DRIVER, DRIVER_PATH, DRIVER, "RequestName", GLib.Variant("(su)", (name, 0)))):
        report(error)

    def take(_, sender, path, interface, member, values):
        if member == "End":
            loop.quit()
        else:
            report(member)

    bus.signal_subscribe(None, None, None, None, None, Gio.DBusSignalFlags.NONE, take)
    # After this answer, the bus has the subscription.
    call(bus, DRIVER, DRIVER_PATH, DRIVER, "GetId")
    report(bus.get_unique_name())
    # A policy that is too strict also withholds `End`.
    GLib.timeout_add_seconds(60, loop.quit)
    loop.run()


def emit(bus, destination, member):
    """Emits a signal for one connection and one for everybody. Returns once the bus has received both."""
    for to, kind in ((destination, "Alone"), (None, "All")):
        bus.emit_signal(to, "/", "org.example.Test", member + kind, None)
    bus.flush_sync(None)
    call(bus, DRIVER, DRIVER_PATH, DRIVER, "GetId")


def check_signals(address, owners):
    """Checks that each user receives signals only from the programs that it follows."""
    follows = {
        # Programs of this user follow Tacet.
        STAND_INS["tacet"]: {"org.freedesktop.login1", "org.ofono", NAME},
        STAND_INS["tacet-mqtt"]: {NAME},
        STAND_INS["tacet-stream"]: {NAME},
        # It follows players, which may be any programs.
        STAND_INS["tacet-players"]: set(owners) | {STRANGER},
        MEMBER: set(owners) | {STRANGER},
    }
    members = {"org.freedesktop.login1": "Login", "org.ofono": "Phone", NAME: "Tacet", STRANGER: "Stranger"}
    for user, names in follows.items():
        listener = Other(user, address, "listen")
        unique = listener.line()
        Other(STRANGER, address, "emit", unique, members[STRANGER]).wait()
        for name, bus in owners.items():
            emit(bus, unique, members[name])
        for bus in owners.values():
            bus.emit_signal(unique, "/", "org.example.Test", "End", None)
            bus.flush_sync(None)
        heard = set(listener.wait()) - {"NameAcquired", "NameOwnerChanged"}
        expected = {members[name] + kind for name in names for kind in ("Alone", "All")}
        if heard != expected:
            problems.append(f"{user} receives {sorted(heard)}, and should receive {sorted(expected)}")


def check_players(address, owners):
    """Checks that tacet-players receives signals from everybody to whom it subscribes, but that nobody can address it."""
    stand_in = STAND_INS["tacet-players"]
    for name in ("org.tacet.Players1", "org.tacet.Players1.Session"):
        listener = Other(stand_in, address, "listen", name)
        unique = listener.line()
        Other(STRANGER, address, "emit", unique, "Stranger").wait()
        for bus in owners.values():
            emit(bus, unique, "Root")
        next(iter(owners.values())).emit_signal(None, "/", "org.example.Test", "End", None)
        heard = set(listener.wait()) - {"NameAcquired", "NameOwnerChanged"}
        if heard != {"StrangerAll", "RootAll"}:
            problems.append(f"{name} receives {sorted(heard)}, and should receive only what is for everybody")


def ask(bus):
    """Reports each call that the bus passes on."""
    for arguments in (
        (NAME, "/", PROPERTIES, "Get", GLib.Variant("(ss)", ("a", "b"))),
        (NAME, "/", INTROSPECTABLE, "Introspect"),
        (NAME, "/", INTROSPECTABLE, "Fill", GLib.Variant("(s)", ("a",))),
        (NAME, "/", PROPERTIES, "Set", GLib.Variant("(ssv)", ("a", "b", GLib.Variant("s", "c")))),
        (NAME, "/", "org.tacet.Session1", "Command", GLib.Variant("(s)", ("pause",))),
        (NAME, "/", "org.tacet.Session1", "ReportPlayer"),
        (NAME, "/", "org.tacet.Session1", "ReportPlayerProblem"),
        (NAME, "/", "org.tacet.Session1", "ReportInput"),
        (NAME, "/", "org.tacet.Session1", "Tracks", GLib.Variant("(su)", ("", 0))),
        (NAME, "/", NAME.removesuffix(".tacet") + ".TrackList", "GetTracksMetadata", GLib.Variant("(ao)", ([],))),
        (NAME, "/", NAME.removesuffix(".tacet") + ".TrackList", "GoTo", GLib.Variant("(o)", ("/",))),
        (NAME, "/", NAME.removesuffix(".tacet") + ".Playlists", "GetPlaylists", GLib.Variant("(uusb)", (0, 1, "", False))),
        (NAME, "/", NAME.removesuffix(".tacet") + ".Playlists", "ActivatePlaylist", GLib.Variant("(o)", ("/",))),
        ("org.ofono", "/", "org.ofono.Manager", "GetModems"),
        ("org.ofono", "/", "org.ofono.VoiceCallManager", "Dial", GLib.Variant("(ss)", ("1", ""))),
        (DRIVER, DRIVER_PATH, DRIVER, "RequestName", GLib.Variant("(su)", (NAME, 4))),
        (DRIVER, DRIVER_PATH, DRIVER, "RequestName", GLib.Variant("(su)", ("org.tacet.Players1", 4))),
    ):
        if not is_refused(call(bus, *arguments)):
            report(arguments[3])


def check_calls(address):
    """Checks that anyone may read, that only root and members of the `tacet` group may send commands, and that only the
    user tacet may own the name."""
    lists = ("Tracks", "GetTracksMetadata", "GetPlaylists")
    expected = {
        STRANGER: ("Get", "Introspect", *lists),
        STAND_INS["tacet-mqtt"]: ("Get", "Introspect", *lists),
        STAND_INS["tacet-players"]: ("Get", "Introspect", "ReportPlayer", "ReportPlayerProblem", *lists,
                                      "RequestName"),
        # It is in the group tacet, but must not control Tacet.
        STAND_INS["tacet-stream"]: ("Get", "ReportInput"),
        MEMBER: ("Get", "Introspect", "Fill", "Set", "Command", "Tracks", "GetTracksMetadata", "GoTo", "GetPlaylists",
                 "ActivatePlaylist"),
        STAND_INS["tacet"]: ("Get", "Introspect", *lists, "GetModems", "RequestName"),
    }
    for user, allowed in expected.items():
        answers = tuple(Other(user, address, "ask").wait())
        if answers != allowed:
            problems.append(f"{user} may {answers}, not {allowed}")


ROLES = {"listen": listen, "emit": emit, "ask": ask}


def main():
    grp.getgrnam(GROUP)
    with tempfile.TemporaryDirectory() as folder:
        daemon, address = start_bus(folder)
        Other.script = copy_script(folder)
        try:
            owners = {name: owner(address, name) for name in ("org.freedesktop.login1", "org.ofono", NAME)}
            check_signals(address, owners)
            check_players(address, owners)
            check_calls(address)
        finally:
            daemon.send_signal(signal.SIGTERM)
            daemon.wait()
    print("\n".join(problems), end="\n" if problems else "")


if len(sys.argv) > 1:
    ROLES[sys.argv[1]](connect(sys.argv[2]), *sys.argv[3:])
else:
    main()
