#!/usr/bin/env bash
# An image to flash for a Raspberry Pi 3 or 4, and an update with the same system for cards that have it already.
# usage: raspberry-pi.sh FOLDER
#   CERTIFICATE=, PRIVATE_KEY=   with which RAUC checks and signs updates (PEM); without them, a pair is made in FOLDER
. "$(dirname "$0")/../build/common.sh"
[ "$(id -u)" = 0 ] || fail "Making an image needs root: sudo make …"
IMAGE=$REPOSITORY/deploy/image
target=${1:-}
[ -n "$target" ] || fail "usage: raspberry-pi.sh FOLDER"
mkdir -p "$target"
target=$(cd "$target" && pwd)
certificate=${CERTIFICATE:-$target/update-certificate.pem}
private_key=${PRIVATE_KEY:-$target/update-key.pem}
base=$CACHE/root-raspberry-pi
package=$CACHE/package-arm64-$SUITE
release=$(basename "$base"/usr/lib/modules/*)
image=$target/tacet-raspberry-pi.img
bundle=$target/tacet-raspberry-pi.raucb

# In MiB. A slot has room for a second kernel, which an update by apt installs before it removes the first.
START=4 BOOT=256 SLOT=1024 STATE=64
DISK=0x7acec000

make_pair() {
  if ! [ -e "$certificate" ]; then
    openssl req -x509 -newkey rsa:4096 -nodes -days 7300 -subj "/CN=Tacet updates" \
      -keyout "$private_key" -out "$certificate" 2>/dev/null
    chmod 600 "$private_key"
    echo "Made a key that signs updates: $private_key. Keep it: a card takes no updates of another."
  fi
}

# in_root COMMAND…: runs in the new system, as an emulated processor.
in_root() {
  unshare --mount --propagation private sh -euc '
    mount --bind "$0" "$0"; mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"
    exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"' \
    "$root" "$@"
}

install_system() {
  local unit
  cp -r --no-preserve=ownership "$IMAGE/root/." "$root/"
  install -D -m 644 "$certificate" "$root/etc/rauc/keyring.pem"
  in_root dpkg --install /tacet.deb >/dev/null
  echo tacet >"$root/etc/hostname"
  printf '127.0.0.1 localhost tacet\n::1 localhost\n' >"$root/etc/hosts"
  : >"$root/etc/machine-id"
  ln -sf ../run/systemd/resolve/stub-resolv.conf "$root/etc/resolv.conf"
  source_list arm64 | sed "s,$(mirror),http://deb.debian.org/debian," >"$root/etc/apt/sources.list.d/debian.list"
  ln -sf /etc/machine-id "$root/var/lib/dbus/machine-id"
  ln -sf /boot/firmware/tacet.sources "$root/etc/apt/sources.list.d/tacet.sources"
  mkdir -p "$root"/boot/firmware "$root"/state "$root"/etc/tacet/tacet.conf.d "$root"/srv/music "$root"/var/lib/tacet
  # Otherwise each start would say that it hides something.
  rm -rf "$root"/var/log/* "$root"/var/lib/systemd/* "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/*
  rm -f "$root"/etc/ssh/ssh_host_* "$root"/etc/ssh/sshd_config.d/50-*
  for unit in apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer getty@.service \
    serial-getty@.service systemd-networkd-wait-online.service; do
    ln -sf /dev/null "$root/etc/systemd/system/$unit"
  done
  inside "$root=/board" -- systemctl --root=/board --quiet enable grow-state slot-check systemd-networkd ssh
  touch -r "$root/usr" "$root/etc/.updated" "$root/var/.updated"
}

# RAUC refuses older bundles, except with --ignore-version-limit. It compares semantic versions: 0.9.1~rc1 is not one.
refuse_older() { sed -i "/^compatible=/a min-bundle-version=${1%%[~+-]*}" "$root/etc/rauc/system.conf"; }

# The card's first partition: what the firmware reads, and what a person edits.
make_boot() {
  local folder=$work/boot name firmware=$work/firmware
  mkdir -p "$folder/overlays" "$folder/tacet.conf.d" "$firmware"
  for name in raspi-firmware:all u-boot-rpi:arm64; do dpkg-deb -x "$(download "$name")" "$firmware"; done
  cp "$firmware"/usr/lib/raspi-firmware/{bootcode.bin,start.elf,start4.elf,fixup.dat,fixup4.dat} "$folder/"
  cp "$firmware/usr/lib/u-boot/rpi_arm64/u-boot.bin" "$folder/"
  for name in bcm2837-rpi-3-b bcm2837-rpi-3-b-plus bcm2711-rpi-4-b; do
    cp "$root/usr/lib/linux-image-$release/broadcom/$name.dtb" "$folder/"
  done
  for name in tacet-rpi-3-b tacet-rpi-3-b-plus tacet-rpi-4-b; do
    cp "$root/usr/share/tacet/overlays/$name.dtbo" "$folder/overlays/"
  done
  cp "$IMAGE"/card/{config.txt,README.txt} "$folder/"
  mkimage -A arm64 -T script -C none -d "$IMAGE/card/boot.cmd" "$folder/boot.scr" >/dev/null
  truncate -s "${BOOT}M" "$work/boot.vfat"
  mkfs.vfat -F 32 -i "${DISK#0x}" -n TACET "$work/boot.vfat" >/dev/null
  mcopy -s -i "$work/boot.vfat" "$folder"/* ::/
}

make_card() {
  local offset=$START
  truncate -s 0 "$image.new"
  truncate -s $((START + BOOT + 2 * SLOT + STATE))M "$image.new"
  sfdisk --quiet "$image.new" <<TABLE
label: dos
label-id: $DISK
start=${START}MiB, size=${BOOT}MiB, type=c, bootable
start=$((START + BOOT))MiB, size=${SLOT}MiB, type=83
start=$((START + BOOT + SLOT))MiB, size=${SLOT}MiB, type=83
start=$((START + BOOT + 2 * SLOT))MiB, size=${STATE}MiB, type=83
TABLE
  mke2fs -q -t ext4 -L state -m 0 "$work/state.ext4" "${STATE}M"
  put() { dd if="$1" of="$image.new" bs=1M seek="$2" conv=notrunc,sparse status=none; }
  put "$work/boot.vfat" $START
  put "$work/root.ext4" $((START + BOOT))
  put "$work/state.ext4" $((START + BOOT + 2 * SLOT))
  mv "$image.new" "$image"
}

make_bundle() {
  mkdir "$work/bundle"
  ln "$work/root.ext4" "$work/bundle/root.ext4"
  printf '%s\n' '[update]' compatible=tacet-raspberry-pi "version=$1" '[bundle]' format=verity '[image.rootfs]' \
    filename=root.ext4 >"$work/bundle/manifest.raucm"
  rm -f "$bundle"
  rauc --cert="$certificate" --key="$private_key" bundle "$work/bundle" "$bundle" >/dev/null 2>&1
}

make_image() {
  work=$(mktemp -d "$CACHE/raspberry-pi.XXXXXX")
  trap 'rm -rf --one-file-system "$work"' EXIT
  root=$work/root
  version=$(dpkg-deb --field "$package"/tacet_*_arm64.deb Version)
  make_pair
  cp -a "$base" "$root"
  cp "$package"/tacet_*_arm64.deb "$root/tacet.deb"
  install_system
  refuse_older "$version"
  rm "$root/tacet.deb"
  in_root update-initramfs -c -k "$release"
  make_boot
  # Without a journal to replay, and with room to shrink: the update is as long as the file system.
  mke2fs -q -t ext4 -L tacet -m 0 -E lazy_itable_init=0 -d "$root" "$work/root.ext4" "${SLOT}M"
  make_card
  make_bundle "${version%%[~+-]*}"
}

install_packages dosfstools mtools u-boot-tools fdisk e2fsprogs rauc squashfs-tools openssl
step "image for a Raspberry Pi" "$image" "$(key "$(cd "$REPOSITORY" && hash_of deploy/image)" "$base.key" \
  "$package.key" "$certificate")" make_image
printf '%-48s %5d MB on a card of %d MB or more\n' "$image" \
  $(($(du --block-size=1000000 "$image" | cut -f 1))) $(($(stat -c %s "$image") / 1000000))
printf '%-48s %5d MB\n' "$bundle" $(($(stat -c %s "$bundle") / 1000000))
