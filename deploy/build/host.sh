#!/usr/bin/env bash
# Installs what this machine needs to build and run a board. usage: host.sh arm64|amd64
. "$(dirname "$0")/common.sh"
need_architecture "${1:-}"
[ "$(id -u)" = 0 ] || fail "Building the board's disk needs root: sudo make …"

packages=(e2fsprogs qemu-utils ipxe-qemu cpio kmod xz-utils zstd dpkg-dev binutils make patch python3)
case $1 in
  arm64) packages+=(qemu-system-arm qemu-user-static arch-test) ;;
  amd64) packages+=(qemu-system-x86 seabios) ;;
esac

install_packages "${packages[@]}"

# Programs of the foreign architecture configure its packages; the kernel runs them with an emulator.
if [ "$1" = arm64 ] && [ "$(dpkg --print-architecture)" != arm64 ]; then
  handlers=/proc/sys/fs/binfmt_misc
  [ -e $handlers/register ] || mount -t binfmt_misc binfmt_misc $handlers \
    || fail "This kernel cannot run programs of another architecture (binfmt_misc)."
  if ! compgen -G "$handlers/qemu-aarch64*" >/dev/null; then
    emulator=$(command -v qemu-aarch64-static || command -v qemu-aarch64)
    # An ELF header of AArch64. With the flag F, the emulator is also found inside another root.
    magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
    mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
    printf '%s' ":qemu-aarch64:M::$magic:$mask:$emulator:FP" >$handlers/register
  fi
fi
