#!/usr/bin/env bash
# Compiles for the board, with the board's own compiler (Debian 13's Swift): Tacet with Swift's libraries linked in, the
# programs that read wires also with Debian 12's libgpiod, and the tools of the bench. usage: tacet.sh arm64|amd64
. "$(dirname "$0")/common.sh"
need_architecture "${1:-}"
architecture=$1
programs=$CACHE/programs-$architecture
tools=$CACHE/tools-$architecture
scratch=$CACHE/build-$architecture
# libgpiod 1.6, whose interface differs from that of the board's version, and the programs that test both versions.
older=$CACHE/gpiod-1.6-$architecture
trials=$CACHE/trials-$architecture

swift_options=(-c release -Xswiftc -warnings-as-errors --static-swift-stdlib
  --package-path /tacet --scratch-path /scratch)
bindings=("$REPOSITORY=/tacet")
environment=()
prefix=
libraries=/usr/lib/x86_64-linux-gnu
sysroot=
if [ "$architecture" = arm64 ]; then
  swift_options+=(--swift-sdks-path /sysroot/swift-sdks --swift-sdk board)
  sysroot=/sysroot
  libraries=/usr/lib/aarch64-linux-gnu
  # Otherwise the .pc files of this machine would be used.
  found=$sysroot$libraries/pkgconfig:$sysroot/usr/share/pkgconfig
  environment=("PKG_CONFIG_SYSROOT_DIR=$sysroot" "PKG_CONFIG_LIBDIR=$found" "PKG_CONFIG_PATH=$found")
  bindings+=("$SYSROOT=$sysroot")
  prefix=aarch64-linux-gnu-
fi

compile() {
  local product
  # Otherwise an older one could stay.
  rm -rf "$programs"
  for product in tacet tacetd; do build "$product" "$scratch" "$programs"; done
}

# build PRODUCT SCRATCH TARGET [BINDING…]: builds one program, stripped.
build() {
  local product=$1 made=$2 target=$3
  shift 3
  # SwiftPM does not notice that a header of a system library has changed.
  if [ "$(cat "$made/headers" 2>/dev/null)" != "$(headers_key)" ]; then rm -rf "$made"; fi
  mkdir -p "$made" "$target"
  headers_key >"$made/headers"
  inside "${bindings[@]}" "$made=/scratch" "$@" -- env "${environment[@]}" \
    swift build --quiet "${swift_options[@]}" --product "$product"
  cp "$made/release/$product" "$target/"
  inside "$target=/made" -- "${prefix}strip" "/made/$product"
}

headers_key() {
  (cd "$REPOSITORY" && find Sources \( -name '*.h' -o -name module.modulemap \) -print0 | sort -z | xargs -0 sha256sum) \
    | sha256sum
}

unpack_older() {
  rm -rf "$older"
  mkdir -p "$older"
  local package
  for package in libgpiod2 libgpiod-dev; do
    package=$(SUITE=bookworm download "$package:$architecture")
    dpkg-deb -x "$package" "$older"
    rm -f "$package"
  done
}

compile_trials() {
  rm -rf "$trials"
  build gpio-watch "$scratch" "$trials/2"
  # It replaces the other version, because additional search paths would come after those of the other libraries.
  local product header=/usr/include/gpiod.h library=$libraries/libgpiod.so
  for product in gpio-watch tacet; do
    build "$product" "$scratch-1.6" "$trials/1.6" \
      "$older$header=$sysroot$header" "$older$library=$sysroot$library"
    readelf --dynamic "$trials/1.6/$product" | grep -q 'NEEDED.*libgpiod\.so\.2' \
      || fail "$product was not linked with libgpiod 1.6."
  done
  cp -L "$older$libraries/libgpiod.so.2" "$trials/1.6/"
}

compile_tools() {
  mkdir -p "$tools"
  local tool
  for tool in pull freeze witness; do
    inside "$BOARD/tools=/tools" "$tools=/made" -- \
      "${prefix}gcc-14" -O2 -Wall -Wextra -Werror "/tools/$tool.c" -o "/made/$tool"
  done
  # The compiler has its own C library for arm64, so only ALSA comes from the sysroot.
  local sound=(-lasound)
  if [ "$architecture" = arm64 ]; then
    sound=(-idirafter /sysroot/usr/include /sysroot/usr/lib/aarch64-linux-gnu/libasound.so.2)
  fi
  inside "$BOARD/tools=/tools" "$tools=/made" ${prefix:+"$SYSROOT=/sysroot"} -- \
    "${prefix}gcc-14" -O2 -Wall -Wextra -Werror /tools/ear.c -o /made/ear "${sound[@]}"
}

# The source, committed or not.
source_key() {
  (cd "$REPOSITORY" && find Package.swift Sources Tests -type f -print0 | sort -z | xargs -0 sha256sum) | sha256sum
}

step "Tacet for $architecture" "$programs" "$(key compile build "$(source_key)" "$TOOLCHAIN.key")" compile
step "libgpiod 1.6 for $architecture" "$older" "$(key unpack_older)" unpack_older
step "programs to try wires with" "$trials" \
  "$(key compile_trials build "$(source_key)" "$TOOLCHAIN.key" "$older.key")" compile_trials
step "tools of the bench for $architecture" "$tools" "$(key compile_tools "$BOARD"/tools/*.c "$TOOLCHAIN.key")" \
  compile_tools
