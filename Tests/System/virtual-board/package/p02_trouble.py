"""Installations with obstacles."""
from bench.check import check, expect


@check("user-exists-already")
def user(package):
    """If a user called tacet exists, it is used unchanged."""
    package.run("useradd --system --home-dir /nonexistent --uid 745 tacet")
    package.play()
    expect(package.run("id -u tacet") == "745", "the user was replaced")
    expect(package.run("stat -c %u /proc/$(systemctl show -P MainPID tacet)") == "745", "another user runs it")


@check("no-space-while-installing")
def no_space(package):
    """dpkg fails, the old version continues to play, and the installation is completed once there is space."""
    old, new = package.versions
    package.play(old)
    # The folder with the daemon is on a full disk.
    fill = "head -c 99m /dev/zero >/tmp/disk/full 2>/dev/null || mount --bind /tmp/disk /usr/lib/tacet"
    package.run(f"mkdir /tmp/disk; mount -t tmpfs -o size=40m none /tmp/disk; cp -a /usr/lib/tacet/. /tmp/disk/; {fill}")
    code, output = package.code(package.installing(new))
    expect(code != 0 and "No space left on device" in output, f"it did not fail: {output}")
    # dpkg restarts the daemon, as it does after every attempt.
    package.expect_playing()
    package.run("rm /usr/lib/tacet/full && apt-get -qq install -y --fix-broken")
    package.install(new)
    expect(new in package.run("dpkg-query --show tacet"), "not upgraded")
    package.expect_playing()


@check("interrupted-between-unpacking-and-configuring")
def interrupted(package):
    """After a power cut in an upgrade, `dpkg --configure -a` completes it, and until then the music plays."""
    old, new = package.versions
    package.play(old)
    package.run(f"dpkg --unpack /repository/pool/trixie/tacet_{new}_amd64.deb")
    package.run("systemctl restart tacet")
    package.expect_playing()
    package.run("dpkg --configure -a")
    expect(package.run("dpkg-query --show --showformat='${db:Status-Status}' tacet") == "installed", "not configured")
    package.expect_playing()


@check("no-systemd")
def no_systemd(package):
    """In a container without an init system, the package can be installed, reports what does not run, and can rehearse
    scenarios."""
    package.run("mkdir -p /mnt/root && mount --bind / /mnt/root && mount --bind /repository /mnt/root/repository")
    inside = "unshare --pid --fork --mount-proc=/mnt/root/proc chroot /mnt/root sh -c"
    output = package.run(f"{inside} '{package.installing()}'")
    expect("nothing starts Tacet" in output, output)
    package.run(f"{inside} 'sh /repository/tests/smoke'")


@check("own-tests-of-the-package")
def tests(package):
    """Runs the package's own tests (autopkgtest) as Debian's servers do."""
    package.install()
    for name in ("smoke", "rehearsal", "service"):
        package.run(f"/repository/tests/{name}")
