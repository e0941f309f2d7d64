"""The life of a package, which is installed, configured, upgraded, downgraded, removed and purged."""
import pathlib
import re

from bench.check import check, expect

RUNS = "systemctl is-active --quiet tacet"


@check("installs-and-waits-for-a-configuration", core=True)
def installs(package):
    output = package.install()
    expect("Tacet waits for a configuration in /etc/tacet/tacet.conf.d" in output, output)
    expect(package.run("systemctl is-enabled tacet") == "enabled", "the service is not enabled")
    expect(package.show("ActiveState") == "inactive", package.show("ActiveState"))
    _, status = package.code("systemctl status tacet --no-pager")
    expect("configured in /etc/tacet" in status and "was not met" in status, status)
    expect(not package.run("systemctl --failed --no-legend --plain"), "a unit has failed")
    expect(not package.run("dpkg-query --show --showformat='${Conffiles}' tacet"), "it has conffiles")
    expect(not package.run("dpkg --verify tacet"), "files differ from the package's")
    package.run("getent group gpio && id tacet")
    return re.search(r".*was not met.*", status)[0].strip()


@check("plays-after-one-drop-in")
def plays(package):
    mark = package.journal.mark()
    package.play()
    package.journal.wait("started", mark)
    package.expect_playing()
    journal = package.run("journalctl --catalog --unit tacet")
    expect("Subject:" in journal, f"no catalog: {journal}")
    return package.run("tacet --version")


@check("readme-installs-it", calm=False)
def readme(package):
    """The README's lines for the board are run on a system without any trace of Tacet. They are unchanged except for the
    folder of the package and sudo."""
    text = pathlib.Path(__file__).parents[4].joinpath("README.md").read_text()
    lines = re.search(r"## Install it\n.*?\n\n((?:    [^\n]*\n)+)", text, re.DOTALL)[1]
    built, *lines = lines.splitlines()
    expect("make deb" in built and len(lines) == 3, f"not a package and three lines for the board:\n{lines}")
    package.serve()
    package.run("apt-get -qq update; mkdir -p /srv/music && cp /repository/music/*.wav /srv/music/")
    mark = package.journal.mark()
    file = f"/repository/pool/trixie/tacet_{package.versions[1]}_amd64.deb"
    lines = "\n".join(lines).replace("apt install ./tacet_*_arm64.deb", f"apt install -y {file}")
    package.run("sudo() { \"$@\"; }; set -e\n" + lines)
    package.journal.wait("started", mark)
    status = package.run("tacet status")
    # A container has no sound card. Everything else is as on a board.
    expect("because there is no sound device" in status and "will resume ‘numbers.wav’" in status, status)
    return status.splitlines()[0].split(" (cannot")[0]


@check("upgrade-resumes-at-the-position", core=True)
def upgrade(package):
    """apt replaces the programs while music plays. The old daemon continues to play until the new one takes its
    place."""
    old, new = package.versions
    package.play(old)
    position, mark = package.saved_position(), package.journal.mark()
    package.install(new)
    stopped, started = package.journal.wait("stopping", mark), package.journal.wait("started", mark)
    expect_resumed(package, started, position)
    quiet = gap(stopped, started)
    expect(new in package.run("dpkg-query --show tacet"), "not upgraded")
    expect(quiet < 3, f"it was quiet for {quiet:.1f} s")
    return f"{old} → {new}, quiet for {quiet:.2f} s"


@check("upgrade-keeps-the-configuration")
def keeps(package):
    """A configuration that a person has changed is never modified and never causes a question, even if it replaces the
    vendor's file."""
    old, new = package.versions
    package.install(old)
    package.configure("Volume=-3dB\n")
    package.run("cp /usr/lib/tacet/tacet.conf /etc/tacet/tacet.conf; echo '# mine' >>/etc/tacet/tacet.conf")
    before = package.run("sha256sum /etc/tacet/tacet.conf /etc/tacet/tacet.conf.d/*")
    package.run("systemctl start tacet")
    package.install(new)
    expect(package.run("sha256sum /etc/tacet/tacet.conf /etc/tacet/tacet.conf.d/*") == before, "it was changed")
    package.run(RUNS)


@check("stopped-by-hand-stays-stopped")
def stays_stopped(package):
    old, new = package.versions
    package.install(old)
    package.configure()
    package.run("systemctl disable --now tacet")
    package.install(new)
    expect(package.run("systemctl is-enabled tacet || true") == "disabled", "the upgrade enabled it")
    expect(package.show("ActiveState") == "inactive", "the upgrade started it")


@check("downgrade-plays-on")
def downgrade(package):
    old, new = package.versions
    package.play(new)
    position, mark = package.saved_position(), package.journal.mark()
    package.install(old)
    expect_resumed(package, package.journal.wait("started", mark), position)


@check("remove-keeps-state-and-configuration")
def removes(package):
    package.play()
    package.saved_position()
    package.run("apt-get -qq remove -y tacet")
    expect(package.code("pgrep tacetd")[0] != 0, "it still runs")
    expect(not package.run("systemctl --failed --no-legend --plain"), "a unit has failed")
    package.run("test -s /var/lib/tacet/state && test -s /etc/tacet/tacet.conf.d/50-check.conf")
    expect(package.code("command -v tacet")[0] != 0, "the command is still there")
    mark = package.journal.mark()
    package.install()
    package.run(RUNS)
    package.journal.wait("started", mark)


@check("purge-leaves-nothing", core=True)
def purges(package):
    """Like piuparts, this checks that after a purge every file is as before the installation, except for the user and
    its groups."""
    package.run("mkdir -p /srv/other && touch /srv/other/keep")
    before = package.files()
    package.play()
    package.saved_position()
    package.run("rm /srv/music/*.wav; apt-get -qq purge -y tacet && apt-get -qq autopurge -y")
    left, lost = package.files() - before, before - package.files()
    expect(not left and not lost, f"left: {sorted(left)[:10]}, lost: {sorted(lost)[:10]}")
    expect(not package.run("systemctl --failed --no-legend --plain"), "a unit has failed")


@check("purge-keeps-the-music")
def keeps_music(package):
    package.install()
    package.configure()
    package.run("apt-get -qq purge -y tacet")
    package.run("ls /srv/music/*.wav")


def expect_resumed(package, started, position):
    resumed = package.position(started)
    expect(resumed >= position, f"it resumes at {resumed} s, but {position} s was saved")


def gap(stopped, started):
    """Returns the seconds between two journal entries."""
    return (int(started["__MONOTONIC_TIMESTAMP"]) - int(stopped["__MONOTONIC_TIMESTAMP"])) / 1e6
