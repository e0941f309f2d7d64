#!/usr/bin/env bash
# Makes the systems for the checks of the package: a clean Debian 13 for systemd-nspawn, the same with Debian's package
# testers, and a repository with two versions of the package. usage: package.sh
. "$(dirname "$0")/../../../../deploy/build/common.sh"
[ "$(id -u)" = 0 ] || fail "Starting a container needs root: sudo make …"
package=$CACHE/package-amd64-$SUITE
clean=$CACHE/clean
testers=$CACHE/package-testers
repository=$CACHE/repository

# The package's own tests need Python, which also serves the repository. The commands in the README need curl.
SYSTEM=systemd,systemd-sysv,dbus,udev,procps,python3-minimal,libpython3-stdlib,ca-certificates,curl

make_clean() {
  # The system must be complete, because a purge changes a system whose packages lack folders.
  bootstrap "$clean" amd64 minbase "$SYSTEM" --dpkgopt='path-include=/usr/share/*'
  mkdir -p "$clean/var/log/apt"
  source_list amd64 >"$clean/etc/apt/sources.list.d/debian.list"
  # From now on, packages are installed with all of their files.
  rm -f "$clean"/etc/dpkg/dpkg.cfg.d/99mmdebstrap
  cp /etc/resolv.conf "$clean/etc/resolv.conf"
  mkdir -p "$clean/var/log/journal" "$clean/usr/local/lib/board"
  # apt can be used only while no other process uses it.
  for unit in apt-daily.timer apt-daily-upgrade.timer console-getty.service; do
    ln -sf /dev/null "$clean/etc/systemd/system/$unit"
  done
  : >"$clean/etc/fstab"
  unshare --mount --propagation private chroot "$clean" apt-get -qq update
}

# piuparts runs adequate only if it is installed.
TESTERS="piuparts autopkgtest adequate"

make_testers() {
  rm -rf --one-file-system "$testers"
  cp -a "$clean" "$testers"
  local TOOLCHAIN=$testers log
  log=$(mktemp)
  inside -- env DEBIAN_FRONTEND=noninteractive sh -c "apt-get update && \
    apt-get -o Dpkg::Options::=--force-unsafe-io install -y --no-install-recommends $TESTERS" >"$log" 2>&1 || {
    tail -n 5 "$log" >&2
    rm -f "$log"
    fail "Cannot install $TESTERS."
  }
  rm -f "$log"
}

make_repository() {
  local folder older newer name packages=()
  rm -rf "$repository"
  mkdir -p "$repository"
  folder=$(mktemp -d)
  for name in tacet tacet-mqtt tacet-players tacet-stream; do
    older=$(echo "$package/$name"_*_amd64.deb)
    newer=$folder/$(basename "${older%_amd64.deb}+next_amd64.deb")
    newer_package "$older" "$newer"
    packages+=("$older" "$newer")
  done
  export GNUPGHOME=$folder/gnupg
  mkdir -m 700 "$GNUPGHOME"
  gpg --batch --quiet --passphrase '' --quick-generate-key 'Checks <checks@localhost>' ed25519 2>/dev/null
  URI=http://localhost:8000 "$BUILD/repository.sh" "$repository" "${packages[@]}" >/dev/null
  gpgconf --kill all
  rm -rf "$folder"
  python3 "$BOARD/bench/numbers.py" "$repository/music" "$repository/sounds"
  cp -r "$REPOSITORY/deploy/debian/tests" "$repository/tests"
  # piuparts upgrades from the version in an archive to a file, so this archive contains only the older version.
  install -D -t "$repository/older" "$package"/tacet_*_amd64.deb
  (cd "$repository/older" && apt-ftparchive packages . >Packages)
  # autopkgtest reads the tests from a source tree.
  mkdir "$repository/source"
  cp -r "$REPOSITORY/deploy/debian" "$repository/source/debian"
}

mkdir -p "$CACHE"
install_packages mmdebstrap debian-archive-keyring systemd-container dpkg-dev apt-utils gnupg xz-utils python3
step "a clean Debian 13" "$clean" "$(key make_clean bootstrap "$SYSTEM")" make_clean
step "Debian's package testers" "$testers" "$(key make_testers "$TESTERS" "$clean.key")" make_testers
step "repository with two versions" "$repository" "$(key make_repository newer_package "$BUILD/repository.sh" "$package.key" \
  "$BOARD/bench/numbers.py" "$REPOSITORY"/deploy/debian/{tests/*,control,changelog})" make_repository
