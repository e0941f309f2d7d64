#!/usr/bin/env bash
# The board's disk: Debian, the kernel's modules, Tacet's package, hardware and music.
# usage: image.sh arm64|amd64
. "$(dirname "$0")/../../../../deploy/build/common.sh"
need_architecture "${1:-}"
architecture=$1
release=$(kernel_release "$architecture")
image=$CACHE/image-$architecture
music=$CACHE/music
package=$CACHE/package-$architecture-$SUITE
kernel_modules=$CACHE/kernel-$architecture/usr/lib/modules/$release

WANTED="virtio_pci virtio_blk virtio_rng virtio_console ext4 crc32c_generic autofs4 9p 9pnet_virtio configfs snd-aloop uinput evdev i2c-dev"
FIRST="crc32c_generic virtio_pci virtio_blk ext4"

make_music() {
  mkdir -p "$music"
  python3 "$BOARD/bench/numbers.py" "$music" "$music/sounds"
}

# with_dependencies MODULE…: prints the files of modules, each after the ones that it needs.
with_dependencies() {
  local module
  for module; do
    modprobe -d "$CACHE/kernel-$architecture/usr" -S "$release" --show-depends "$module" 2>/dev/null || true
  done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

# unpack_module FILE FOLDER [PREFIX]
unpack_module() {
  local name
  name=$(basename "$1")
  case $name in
    *.xz) xz -dc "$1" >"$2/${3:-}${name%.xz}" ;;
    *.zst) zstd -dcq "$1" >"$2/${3:-}${name%.zst}" ;;
    *) cp "$1" "$2/${3:-}$name" ;;
  esac
}

install_modules() {
  local file folder=$1/usr/lib/modules/$release
  mkdir -p "$folder/kernel" "$folder/extra"
  for file in $(with_dependencies $WANTED); do unpack_module "$file" "$folder/kernel"; done
  cp "$kernel_modules"/modules.{builtin,builtin.modinfo,order} "$folder/"
  cp "$CACHE/modules-$architecture"/*.ko "$folder/extra/"
  depmod -b "$1/usr" "$release" 2>/dev/null || depmod -b "$1" "$release"
}

# The board's configuration is created first, so that dpkg finds an existing configuration, as in an upgrade.
install_tacet() {
  cp "$package"/tacet_*_"$architecture".deb "$1/tacet.deb"
  unshare --mount --propagation private sh -euc '
    mount --bind "$1" "$1"; mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"
    exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin LC_ALL=C.UTF-8 dpkg --install /tacet.deb' _ "$1" >/dev/null
  rm "$1/tacet.deb"
}

install_hardware() {
  cp -r --no-preserve=ownership "$BOARD/guest/." "$1/"
  install -m 755 "$CACHE/tools-$architecture/pull" "$1/usr/local/bin/pull"
  install -m 755 -t "$1/usr/local/lib/board" "$CACHE/tools-$architecture"/{ear,edges,expander,freeze,hold,inputs,phone,witness,liar.so}
  cp -r "$CACHE/trials-$architecture" "$1/usr/local/lib/board/trials"
  mkdir -p "$1/srv/music" "$1/mnt/bench" "$1/var/log/journal"
  cp "$music"/*.wav "$1/srv/music/"
  cp -r "$music/sounds" "$1/srv/"
  inside "$1=/board" -- systemctl --root=/board --quiet enable board-hardware bench-ear bench-journal bench-witness
}

install_identity() {
  echo board >"$1/etc/hostname"
  # Otherwise, each boot of a new disk would be a first boot, which does additional work.
  echo 0123456789abcdef0123456789abcdef >"$1/etc/machine-id"
  echo "/dev/vda / ext4 rw,errors=remount-ro 0 0" >"$1/etc/fstab"
  sed -i 's/^root:[^:]*:/root::/' "$1/etc/shadow"
  touch -r "$1/usr" "$1/etc/.updated" "$1/var/.updated"
}

# The kernel has neither the driver of its disk nor its file system built in.
make_initrd() {
  local folder package file number=10
  folder=$(mktemp -d "$CACHE/initrd.XXXXXX")
  mkdir -p "$folder"/{bin,proc,sys,dev,new,modules}
  package=$(download "busybox-static:$architecture")
  dpkg-deb --fsys-tarfile "$package" | tar -xO --wildcards './*bin/busybox' >"$folder/bin/busybox"
  for file in $(with_dependencies $FIRST); do
    unpack_module "$file" "$folder/modules" "$((number++))-"
  done
  cat >"$folder/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox mount -t proc p /proc; /bin/busybox mount -t sysfs s /sys; /bin/busybox mount -t devtmpfs d /dev
for module in /modules/*.ko; do /bin/busybox insmod "$module" || echo "initrd: $module failed"; done
tries=0; while [ ! -b /dev/vda ] && [ $tries -lt 100 ]; do /bin/busybox usleep 100000; tries=$((tries + 1)); done
/bin/busybox mount -t ext4 -o rw /dev/vda /new || exec /bin/busybox sh
/bin/busybox umount /proc; /bin/busybox umount /sys
/bin/busybox mount --move /dev /new/dev
exec /bin/busybox switch_root /new /sbin/init
INIT
  chmod 755 "$folder/init" "$folder/bin/busybox"
  (cd "$folder" && find . | cpio -o -H newc --quiet -R 0:0 | zstd -q -3) >"$image/initrd"
  rm -rf "$folder"
}

make_image() {
  local staging=$CACHE/staging-$architecture
  rm -rf --one-file-system "$staging" "$image"
  mkdir -p "$image"
  cp -a "$CACHE/root-$architecture" "$staging"
  cp -r "$CACHE/rival-$architecture/." "$staging/"
  install_modules "$staging"
  install_identity "$staging"
  install_hardware "$staging"
  install_tacet "$staging"
  make_initrd
  cp "$CACHE/kernel-$architecture/boot/vmlinuz-$release" "$image/vmlinuz"
  mke2fs -q -F -t ext4 -L board -m 0 -E lazy_itable_init=0,lazy_journal_init=0,nodiscard -d "$staging" \
    "$image/disk.ext4" 1400M
  rm -rf --one-file-system "$staging"
  newer_package "$package"/tacet_*_"$architecture".deb "$image/newer.deb"
  local name
  for name in tacet tacet-mqtt; do cp "$package/$name"_*_"$architecture".deb "$image/$name.deb"; done
}

step "music whose frames carry their numbers" "$music" "$(key make_music "$BOARD/bench/numbers.py")" make_music
step "disk of the board for $architecture" "$image" "$(key make_image install_modules install_tacet install_hardware \
  install_identity make_initrd newer_package "$WANTED" "$FIRST" "$(hash_of "$BOARD/guest")" "$music.key" "$package.key" \
  "$CACHE"/{root,rival,tools,trials,modules,kernel}-"$architecture.key")" make_image
