"""The programs that serve other players and radio stations, as their packages run them: each as its own user and in its
sandbox, with a real Music Player Daemon and a station."""
from bench.check import check, expect
from bench.cost import cost

CONF = """[Input radio]
From=stream:http://localhost:8001/noise.flac
SettleTime=1s
[Input desk]
From=pipe:/run/tacet/inputs/desk
[Player mpd]
MPD=/run/mpd/socket
[Signal call]
Source=bus
Effect=pause
"""
MPD_CONF = """music_directory "/srv/station"
db_file "/run/mpd/database"
bind_to_address "/run/mpd/socket"
audio_output {
  type "null"
  name "nothing"
}
"""
HELPERS = ["tacet-players", "tacet-stream"]
STATE = "mpc --host /run/mpd/socket status"
PLAYING, PAUSED = (f"{STATE} | grep -q '^.{word}'" for word in ("playing", "paused"))


def serve(package):
    """Starts a station, and a Music Player Daemon that plays the same file."""
    package.run(
        "apt-get -qq install -y --no-install-recommends flac mpd mpc 2>&1; systemctl disable --now mpd.socket mpd;"
        # Noise cannot be compressed, so a station that stops has not yet sent all of it.
        "mkdir -p /srv/station && head -c 30M /dev/urandom | flac --silent --force-raw-format --endian=little"
        " --sign=signed --channels=2 --bps=16 --sample-rate=48000 -o /srv/station/noise.flac -",
        timeout=300,
    )
    package.write("/etc/mpd.conf", MPD_CONF)
    package.run(
        "systemd-run --quiet --unit=station python3 -m http.server 8001 --directory /srv/station;"
        "systemd-run --quiet --unit=player --property=RuntimeDirectory=mpd mpd --no-daemon /etc/mpd.conf"
    )
    package.wait_for(STATE)
    package.run("export MPD_HOST=/run/mpd/socket; mpc --quiet --wait update; mpc --quiet add noise.flac")
    package.run("mpc --quiet --host /run/mpd/socket play")


def idle(package, unit):
    """Returns the cost of a unit in words."""
    spent, wakeups, memory = cost(package, unit, 10)
    expect(memory < 32, f"{unit} uses {memory:.1f} MiB")
    return f"{unit} {memory:.1f} MiB (PSS), {wakeups:.1f} wake-ups/s, {spent:.0f} ms of a processor per minute"


@check("helpers-run-in-their-sandboxes", minutes=0.7)
def helpers(package):
    """A station takes the place of the library and of a player until it is gone. A call pauses the player."""
    package.play()
    serve(package)
    mark = package.journal.mark()
    package.run(f"apt-get -qq install -y --no-install-recommends {' '.join(HELPERS)} 2>&1")
    package.configure(CONF)
    package.run(f"systemctl restart tacet {' '.join(HELPERS)}")
    for unit in HELPERS:
        expect(package.run(f"ps -o user= -p $(systemctl show -P MainPID {unit})").strip() == unit, f"the user of {unit}")
    package.journal.wait("source-changed", mark, source="radio")
    # The station takes the place of the player, too.
    package.wait_for(PAUSED)
    figures = "; ".join(idle(package, unit) for unit in [*HELPERS, "tacet"])

    mark = package.journal.mark()
    package.run("systemctl stop station")
    package.journal.wait("source-changed", mark, source="library", timeout=60)
    package.journal.wait("fault", mark, input="radio", timeout=60)
    package.wait_for(PLAYING)
    package.run("systemd-run --quiet --unit=call tacet assert call")
    package.wait_for(PAUSED)
    package.run("systemctl stop call")
    package.wait_for(PLAYING)
    package.run(f"apt-get -qq purge -y {' '.join(HELPERS)}")
    expect(not package.run("systemctl --failed --no-legend --plain"), "a unit has failed")
    package.expect_playing()
    return figures
