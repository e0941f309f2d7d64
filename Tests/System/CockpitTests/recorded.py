"""A journal of a day, in the format of `journalctl -o export`, with the fields that the daemon writes."""
import struct


class Recorded:
    """Entries of several boots. Times are in seconds."""

    def __init__(self):
        self.data = b""
        self.boot = "1" * 32
        self.process = 400
        self.start = 0
        self.count = 0

    def entry(self, monotonic, event, message, clock=None, **fields):
        """Adds an entry at a time after the boot. `clock` is the reading of the wall clock if it is wrong."""
        realtime = clock if clock is not None else self.start + monotonic
        self.count += 1
        self._field("__CURSOR", f"s=6c0;i={self.count};b={self.boot}")
        self._field("__REALTIME_TIMESTAMP", int(realtime * 1e6))
        self._field("__MONOTONIC_TIMESTAMP", int(monotonic * 1e6))
        self._field("_BOOT_ID", self.boot)
        self._field("_TRANSPORT", "journal")
        self._field("_PID", self.process)
        self._field("_SYSTEMD_UNIT", "tacet.service")
        self._field("_UID", 0)
        self._field("SYSLOG_IDENTIFIER", "tacetd")
        self._field("PRIORITY", 6)
        self._field("MESSAGE", message)
        if event:
            self._field("TACET_EVENT", event)
        for name, value in fields.items():
            for one in value if isinstance(value, list) else [value]:
                self._field(f"TACET_{name}", one)
        self.data += b"\n"

    def _field(self, name, value):
        value = str(value).encode()
        if all(0x20 <= byte < 0x7F for byte in value):
            self.data += name.encode() + b"=" + value + b"\n"
        else:
            self.data += name.encode() + b"\n" + struct.pack("<Q", len(value)) + value + b"\n"


PLAYS = {"PLAYING": "yes", "INTENT": "playing", "TRACK": "/srv/music/One.flac", "OUTCOME": "plays ‘One.flac’ at 1:00"}
QUIET = {"PLAYING": "no", "INTENT": "playing", "TRACK": "/srv/music/One.flac", "OUTCOME": "will resume ‘One.flac’ at 1:00"}


def day(now):
    """Returns the six hours before `now`. They contain a call, an alarm, a pause by the user, a power cut during a
    call, and a boot whose clock was wrong at first."""
    log = Recorded()
    hour = 3600
    log.start = now - 6 * hour
    log.entry(5, None, "Started tacet.service - the audio interruption supervisor.")
    log.entry(10, "started", "Tacet has started.", **PLAYS)
    log.entry(11, "output", "amplifier is on.", OUTPUT="amplifier", EFFECT="amplifier", ASSERTED="yes")
    log.entry(hour, "interruption-began", "Interrupted by phone-call.", SIGNAL="phone-call", EFFECT="pause", REASON="default",
              **QUIET)
    log.entry(hour + 0.1, "interruption-heard", "phone-call took effect.", SIGNAL="phone-call", LATENCY_USEC=52000,
              SILENT_USEC=112000)
    log.entry(hour + 60, "signal", "door is asserted.", SIGNAL="<b>door</b>", EFFECT="pause", ASSERTED="yes")
    log.entry(hour + 90, "signal", "door is released.", SIGNAL="<b>door</b>", EFFECT="pause", ASSERTED="no")
    log.entry(hour + 180, "interruption-ended", "The interruption is over.", SIGNAL="phone-call", SHOULD_RESUME="yes", **PLAYS)
    log.entry(2 * hour, "duck-began", "The music is turned down because of alarm.", SIGNAL="alarm", EFFECT="duck", LEVEL="-14", **PLAYS)
    log.entry(2 * hour, "sound-began", "siren is due.", SOUND="siren", SIGNAL="alarm", **PLAYS)
    log.entry(2 * hour + 120, "sound-cut", "siren was cut off.", SOUND="siren", SIGNAL="alarm", **PLAYS)
    log.entry(2 * hour + 120, "duck-ended", "The music is back at full level after alarm.", SIGNAL="alarm", EFFECT="duck", **PLAYS)
    log.entry(2.5 * hour, "command", "pause: success.", COMMAND="pause", ANSWER="success", ISSUER="bus", ISSUER_COMM="playerctl",
              **{**QUIET, "INTENT": "paused"})
    log.entry(2.8 * hour, "command", "play: success.", COMMAND="play", ANSWER="success", ISSUER="button", **PLAYS)
    log.entry(3 * hour, "interruption-began", "Interrupted by phone-call.", SIGNAL="phone-call", EFFECT="pause",
              REASON="default", **QUIET)
    # The power fails. During the next boot, the clock is at 1970 until the network sets it.
    first = log.boot
    log.boot, log.process = "2" * 32, 412
    log.start = now - 2.5 * hour
    log.entry(18, "interruption-began", "Interrupted from the start by phone-call.", clock=18, SIGNAL="phone-call",
              EFFECT="pause", REASON="appWasSuspended", **QUIET)
    log.entry(18.1, "started", "Tacet has started.", clock=18.1, SIGNAL="phone-call", LAST_RUN="power-cut",
              SAVED_AT_USEC=int((now - 3 * hour + 4) * 1e6), SAVED_MONOTONIC_USEC=int((3 * hour + 4) * 1e6),
              SAVED_BOOT_ID=first, **QUIET)
    log.entry(0.5 * hour, "interruption-ended", "The interruption is over.", SIGNAL="phone-call", SHOULD_RESUME="yes", **PLAYS)
    log.entry(1.5 * hour, "fault", "alarm is stuck.", SIGNAL="alarm", FAULT="stuck")
    log.entry(1.7 * hour, "fault-cleared", "alarm is no longer stuck.", SIGNAL="alarm", FAULT="stuck")
    log.entry(2 * hour, "media-services-lost", "The sound device is gone.", REASON="No such device", **QUIET)
    log.entry(2.05 * hour, "media-services-reset", "The sound device has returned.", **PLAYS)
    log.entry(2.3 * hour, "sound-expired", "gong expired.", SOUND="gong", ANNOUNCEMENT=4, **PLAYS)
    return log
