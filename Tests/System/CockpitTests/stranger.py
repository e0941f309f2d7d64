#!/usr/bin/python3
"""Owns Tacet's name on the bus, and answers as a version that the page does not support."""
import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

SESSION = "org.tacet.Session1"


class Stranger(dbus.service.Object):
    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return {
            "Version": "7.0.0", "Why": "Quiet because of the future.",
            "Signals": dbus.Dictionary({"phone-call": "pause"}, signature="ss"), "Sounds": 3,
            "Outputs": dbus.Array([("lamp", "glowing", True)], signature="(ssb)"),
            "Health": dbus.Array([], signature="s"),
        }

    @dbus.service.method(SESSION, in_signature="s", out_signature="s")
    def Command(self, command):
        return "perhaps"


DBusGMainLoop(set_as_default=True)
bus = dbus.SystemBus()
name = dbus.service.BusName("org.mpris.MediaPlayer2.tacet", bus)
stranger = Stranger(bus, "/org/mpris/MediaPlayer2")
GLib.MainLoop().run()
