"""Debian's own testers of packages of the same release, which are piuparts and autopkgtest."""
import re

from bench.check import check, expect

#: The script that makes a copy of the clean system in memory, with an archive that contains the older version.
PREPARE = """
set -e
mkdir /scratch && mount -t tmpfs -o dev,suid,size=4g none /scratch
cd /scratch && mkdir upper overlay base
mount -t overlay -o lowerdir=/clean,upperdir=upper,workdir=overlay none base
echo 'deb [trusted=yes] file:/repository/older ./' >base/etc/apt/sources.list.d/older.list
"""
#: The base system uses Debian's mirror, like this machine's apt. piuparts ignores users and groups, which Debian's
#: packages keep after a purge, and everything that systemd-tmpfiles would create again. There are no other exceptions.
PIUPARTS = (
    "piuparts --existing-chroot /scratch/base --keep-sources-list --distribution trixie --tmpdir /scratch"
    " --bindmount /repository --no-eatmydata --pedantic-purge-test --fail-if-inadequate"
    " /repository/pool/trixie/tacet_{version}_amd64.deb >/scratch/log 2>&1"
)
#: The container has its own systemd, which the runner `null` cannot detect. The runner need not return to anything,
#: because the container is discarded. In the version of Debian 13 (5.49), `null` fails one of its own assertions if it
#: is told that it runs in a container.
AUTOPKGTEST = (
    "sed \"s/path, '')/path, None)/\" /usr/bin/autopkgtest-virt-null >/usr/local/bin/autopkgtest-virt-container &&"
    " chmod +x /usr/local/bin/autopkgtest-virt-container &&"
    " autopkgtest --apt-upgrade --no-built-binaries /repository/pool/trixie/tacet_{version}_amd64.deb"
    " /repository/pool/trixie/tacet-mqtt_{version}_amd64.deb /repository/source//"
    " -- container --fake-capability isolation-container 2>&1"
)


@check("piuparts", calm=False)
def piuparts(package):
    """Installs and purges the newer version. After that, installs the older version, upgrades and purges it."""
    package.boot_testers()
    package.run(PREPARE)
    code, _ = package.code(PIUPARTS.format(version=package.versions[1]), timeout=600)
    log = package.run("cat /scratch/log")
    verdicts = re.findall(r"(?:PASS|FAIL|ERROR|WARN): .*(?:\n  .*){0,8}", log)
    expect(code == 0, "; ".join(verdicts) or log[-800:])
    for test in "PASS: Installation and purging test", "PASS: Installation, upgrade and purging tests":
        expect(test in log, f"there was no ‘{test}’: {log[-800:]}")
    return "installed, upgraded and purged"


@check("autopkgtest", calm=False)
def autopkgtest(package):
    """Runs all of the package's own tests (debian/tests)."""
    package.boot_testers()
    code, log = package.code(AUTOPKGTEST.format(version=package.versions[1]), timeout=600)
    summary = log.rpartition("@@@@ summary\n")[2]
    tests = re.findall(r"^Tests: (.*)", package.run("cat /repository/source/debian/tests/control"), re.MULTILINE)
    # Exit code 2 means that a test was skipped.
    expect(code == 0, summary if summary != log else log[-800:])
    passed = re.findall(r"^(\S+) +PASS", summary, re.MULTILINE)
    expect(sorted(passed) == sorted(tests), f"of {tests}, only {passed} passed")
    return ", ".join(passed)
