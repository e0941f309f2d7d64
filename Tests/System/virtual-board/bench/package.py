"""A clean Debian 13 without Tacet, and a repository of packages that apt can install there."""
import os
import re

from bench.check import expect
from bench.service import Service

#: The files that change when any package is installed or removed.
ALWAYS_CHANGES = re.compile(
    r"^/(proc|sys|dev|run|tmp|mnt)(/|$)|^/var/(lib/(dpkg|apt|systemd)|cache|log|backups|tmp)(/|$)"
    r"|^/etc/(ld\.so\.cache|passwd|group|shadow|gshadow|subuid|subgid)-?$|^/etc/\.pwd\.lock$"
)


class Package(Service):
    """A system on which a package is installed. `repository` is a folder that `make apt-repository` has made, which
    appears below /repository. `testers` is another root, which also contains Debian's package testers. In that root,
    the clean root appears below /clean."""

    def __init__(self, root, testers, folder, repository):
        super().__init__(root, folder, [f"--bind-ro={repository}:/repository"])
        self.clean, self.testers = root, testers
        self.versions = sorted(
            {name.split("_")[1] for name in os.listdir(f"{repository}/pool/trixie") if name.startswith("tacet_")}
        )

    def calm(self):
        """Starts over with a clean system that can install packages from the repository with apt."""
        self.serve()
        self.run("cp /repository/tacet-trixie.sources /etc/apt/sources.list.d/tacet.sources; apt-get -qq update")

    def serve(self):
        """Starts over with a clean system and a web server for the repository."""
        self.boot()
        self.run("systemd-run --quiet python3 -m http.server 8000 --directory /repository")
        self.run("until curl --silent --fail http://localhost:8000/ >/dev/null; do sleep 0.1; done")

    def boot_testers(self):
        """Starts over with the system that contains the testers."""
        options = self.machine.options
        self.machine.root, self.machine.options = self.testers, [*options, f"--bind-ro={self.clean}:/clean"]
        try:
            self.boot()
        finally:
            self.machine.root, self.machine.options = self.clean, options

    def play(self, version=None):
        """Installs and configures the package, and starts the music."""
        self.install(version)
        self.configure()
        self.run("systemctl start tacet")

    def expect_playing(self):
        status = self.run("tacet status")
        expect(status.startswith("Playing"), status)

    def install(self, version=None):
        """Installs or changes to a version, which is the newest by default."""
        return self.run(self.installing(version))

    def installing(self, version=None):
        return f"apt-get -qq install -y --no-install-recommends --allow-downgrades tacet{f'={version}' if version else ''} 2>&1"

    def configure(self, text=""):
        """Configures Tacet to play to a device that accepts everything."""
        self.run("mkdir -p /srv/music && cp -n /repository/music/*.wav /srv/music/")
        self.write(
            "/etc/tacet/tacet.conf.d/50-check.conf",
            f"[Playback]\nDevice=null\nLibrary=/srv/music\nAutoPlay=yes\nRepeat=playlist\n{text}",
        )

    def files(self):
        """Returns every file and folder that does not change all the time, with its owner and mode."""
        listing = self.run("find / -xdev -printf '%p %u:%g %m %l\\n'")
        return {line for line in listing.splitlines() if not ALWAYS_CHANGES.match(line.split(" ")[0])}
