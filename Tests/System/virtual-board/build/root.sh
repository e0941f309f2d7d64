#!/usr/bin/env bash
# Makes the board's root file system from Debian, without Tacet, and MPD, with which Tacet is compared.
# usage: root.sh arm64|amd64
. "$(dirname "$0")/../../../../deploy/build/common.sh"
need_architecture "${1:-}"
architecture=$1
root=$CACHE/root-$architecture
rival=$CACHE/rival-$architecture

# polkitd lets Tacet delay sleep. It is part of Debian's default system.
SYSTEM=systemd,systemd-sysv,dbus,polkitd,udev,kmod,procps,e2fsprogs,qemu-guest-agent,strace,mosquitto,mosquitto-clients
# The libraries that Tacet is linked with, and tools for examining wires and sound.
SOUND=libasound2t64,libevdev2,libflac14,libmpg123-0t64,libsndfile1,libsoxr0,libinih1,libgpiod3,libsystemd0,libjansson4,libmosquitto1,libssl3t64,libstdc++6,gpiod,alsa-utils
RIVAL=mpd,mpc

make_root() {
  bootstrap "$root" "$architecture" minbase "$SYSTEM,$SOUND"
  # Disables timers that may run at any time, and services that set sound levels. The check of the broker starts it.
  local unit
  for unit in apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service \
    fstrim.timer systemd-networkd-wait-online.service alsa-restore.service alsa-state.service; do
    ln -sf /dev/null "$root/etc/systemd/system/$unit"
  done
  rm "$root/etc/systemd/system/multi-user.target.wants/mosquitto.service"
}

# MPD depends on 240 packages, which would take an emulated processor minutes to configure, but it loads few of them.
# Therefore, only the libraries that it is linked with are copied.
make_rival() {
  local all=$CACHE/rival-packages packages package
  rm -rf "$all" "$rival"
  mkdir -p "$all/debs/partial" "$all/root" "$rival/usr/bin" "$rival/usr/lib"
  IFS=, read -ra packages <<<"$RIVAL"
  private_apt get -qq -y -o "Dir::State::status=$root/var/lib/dpkg/status" -o "Dir::Cache::archives=$all/debs" \
    -o "APT::Architecture=$architecture" -o APT::Install-Recommends=false -o Debug::NoLocking=1 \
    --download-only install "${packages[@]}" >/dev/null
  for package in "$all"/debs/*.deb; do dpkg-deb -x "$package" "$all/root"; done
  python3 "$BOARD/build/linked.py" "$all/root" "$root" "$rival" "${packages[@]}"
  rm -rf "$all"
}

step "Debian 13 for $architecture" "$root" "$(key make_root bootstrap "$SYSTEM,$SOUND")" make_root
step "MPD, to compare with" "$rival" "$(key make_rival "$BOARD/build/linked.py" "$RIVAL" "$root.key")" make_rival
