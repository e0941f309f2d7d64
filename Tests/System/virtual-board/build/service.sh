#!/usr/bin/env bash
# Makes a Debian of this machine's release for systemd-nspawn, with Tacet as `make install` installs it: systemd,
# journal and bus without a board. usage: service.sh FOLDER    FOLDER contains the programs, built by this machine's
# Swift, with its libraries linked in or not
. "$(dirname "$0")/../../../../deploy/build/common.sh"
programs=$1
[ "$(id -u)" = 0 ] || fail "Starting a container needs root: sudo make …"
[ -x "$programs/tacetd" ] || fail "There is no program $programs/tacetd."
SUITE=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
root=$CACHE/service-root
service=$CACHE/service

host_packages=(mmdebstrap debian-archive-keyring systemd-container gcc libc6-dev python3)

# The libraries that the programs are linked with.
libraries() { ldd "$programs"/{tacet,tacetd,tacet-mqtt} | awk '$2 == "=>" { print $3 }' | sort -u; }

# The packages of these libraries, by their names in this release. (A library has two paths, of which dpkg finds only
# one and reports the other as missing.)
packages_of_libraries() {
  { dpkg-query --search $(libraries) $(realpath $(libraries)) 2>/dev/null || true; } | cut -d : -f 1 | sort -u
}

# The libraries from swift.org are not in a package. The programs look for them in the same folder as on this machine.
swift_libraries() { libraries | grep /lib/swift/ || true; }

install_swift_libraries() {
  local file
  for file in $(swift_libraries); do install -D -m 644 "$file" "$service$file"; done
}

make_root() {
  bootstrap "$root" "$(dpkg --print-architecture)" minbase "$packages"
}

make_service() {
  rm -rf --one-file-system "$service"
  cp -a "$root" "$service"
  make --no-print-directory -C "$REPOSITORY" install DESTDIR="$service" PREFIX=/usr TACET_BIN="$programs"
  install_swift_libraries
  systemd-sysusers --root="$service"
  journalctl --root="$service" --update-catalog
  systemctl --root="$service" --quiet enable tacet.service
  mkdir -p "$service/srv/music" "$service/var/log/journal" "$service/usr/local/lib/board"
  python3 "$BOARD/bench/numbers.py" "$service/srv/music" "$service/srv/sounds"
  # There are neither a card nor wires.
  printf '%s\n' '[Playback]' Device=null Library=/srv/music Repeat=playlist \
    >"$service/etc/tacet/tacet.conf.d/50-service.conf"
  gcc -O2 -Wall -Wextra -Werror "$BOARD/tools/freeze.c" -o "$service/usr/local/lib/board/freeze"
  # No file system checks and no prompt.
  : >"$service/etc/fstab"
  ln -sf /dev/null "$service/etc/systemd/system/console-getty.service"
}

programs_key() {
  (cd "$REPOSITORY" && hash_of Makefile README.md deploy hardware/overlays)
  sha256sum "$programs"/{tacet,tacetd,tacet-mqtt} $(swift_libraries)
}

mkdir -p "$CACHE"
exec 9>"$CACHE/lock-service"
flock -n 9 || { echo "Another build is running: waiting for it …"; flock 9; }
install_packages "${host_packages[@]}"
packages=systemd,systemd-sysv,dbus,udev,procps,mosquitto,mosquitto-clients,$(packages_of_libraries | paste -s -d ,)
step "Debian ($SUITE) for a container" "$root" "$(key make_root bootstrap "$SUITE" "$packages")" make_root
step "Tacet in it" "$service" "$(key make_service install_swift_libraries "$(programs_key)" "$root.key" "$BOARD/tools/freeze.c" \
  "$BOARD/bench/numbers.py")" make_service
