#!/usr/bin/env bash
# Debian 13 for arm64 with what the image needs, without Tacet: the part that takes long, and seldom changes.
# usage: root.sh
. "$(dirname "$0")/../build/common.sh"
root=$CACHE/root-raspberry-pi

BASE=systemd-sysv,systemd-timesyncd,systemd-resolved,dbus,udev,kmod,e2fsprogs,fdisk,dosfstools,ca-certificates,iproute2
BASE+=,openssh-server,alsa-utils,less,nano
# What the package depends on.
BASE+=,libasound2t64,libevdev2,libflac14,libgpiod3,libinih1,libmpg123-0t64,libsndfile1,libsoxr0,libsystemd0
BOOT="linux-image-arm64 initramfs-tools zstd rauc rauc-service libubootenv-tool"

# Each package of these would make another initramfs, in minutes, because another processor is emulated. It is made
# once, with the image.
ADD_BOOT='set -eu
  mkdir -p "$1/usr/local/sbin"
  ln -s /bin/true "$1/usr/local/sbin/update-initramfs"
  chroot "$1" apt-get -o DPkg::Path=/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin \
    --quiet --quiet --yes --no-install-recommends install '$BOOT' >/dev/null
  rm "$1/usr/local/sbin/update-initramfs"'

make_root() { bootstrap "$root" arm64 minbase "$BASE" --customize-hook="$ADD_BOOT"; }

step "Debian for a Raspberry Pi" "$root" "$(key make_root bootstrap "$BASE" "$ADD_BOOT")" make_root
