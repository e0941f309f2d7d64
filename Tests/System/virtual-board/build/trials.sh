#!/usr/bin/env bash
# Compiles the programs that are not in the package: the programs that read wires, with Debian 13's and Debian 12's
# libgpiod, and the tools of the bench. usage: trials.sh arm64|amd64
. "$(dirname "$0")/../../../../deploy/build/common.sh"
need_architecture "${1:-}"
architecture=$1
tools=$CACHE/tools-$architecture
# libgpiod 1.6, whose interface differs from that of the board's version, and the programs that test both versions.
older=$CACHE/gpiod-1.6-$architecture
trials=$CACHE/trials-$architecture

compiling_for "$architecture"
case $architecture in
  amd64) prefix= sysroot= libraries=/usr/lib/x86_64-linux-gnu ;;
  arm64) prefix=aarch64-linux-gnu- sysroot=/sysroot libraries=/usr/lib/aarch64-linux-gnu ;;
esac

# build "PRODUCT…" TARGET [BINDING…]: builds programs in the package's folder, as the package does, stripped. The module
# that reads wires is compiled again, because SwiftPM does not notice a different header.
build() {
  local products=$1 target=$2
  shift 2
  mkdir -p "$target"
  inside "${bindings[@]}" "$target=/made" "$@" -- env -C /build/tacet "${environment[@]}" sh -euc '
    find Sources/Board/CGPIOD Sources/Board/GPIO -type f -exec touch {} +
    debian/rules compile PROGRAMS="$1"
    for product in $1; do
      cp ".build/package/release/$product" /made/
      "$2strip" "/made/$product"
    done' _ "$products" "$prefix"
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
  # This version replaces the other one, because additional search paths would come after the paths of the other
  # libraries.
  local product header=/usr/include/gpiod.h library=$libraries/libgpiod.so
  build "gpio-watch tacet" "$trials/1.6" "$older$header=$sysroot$header" "$older$library=$sysroot$library"
  build gpio-watch "$trials/2"
  for product in gpio-watch tacet; do
    readelf --dynamic "$trials/1.6/$product" | grep -q 'NEEDED.*libgpiod\.so\.2' \
      || fail "$product was not linked with libgpiod 1.6."
  done
  cp -L "$older$libraries/libgpiod.so.2" "$trials/1.6/"
}

compile_tools() {
  mkdir -p "$tools"
  local tool
  for tool in edges expander pull freeze witness; do
    inside "$BOARD/tools=/tools" "$tools=/made" -- \
      "${prefix}gcc-14" -O2 -Wall -Wextra -Werror "/tools/$tool.c" -o "/made/$tool"
  done
  inside "$BOARD/tools=/tools" "$tools=/made" -- \
    "${prefix}gcc-14" -O2 -Wall -Wextra -Werror -fPIC -shared /tools/liar.c -o /made/liar.so
  compile_with asound.so.2 ear hold inputs
  compile_with systemd.so.0 phone
}

# usage: compile_with LIBRARY TOOL…
compile_with() {
  local library=(-l"${1%.so*}") tool
  # The compiler provides its own C library for arm64, so only this library comes from the sysroot.
  if [ "$architecture" = arm64 ]; then
    library=(-idirafter /sysroot/usr/include "/sysroot/usr/lib/aarch64-linux-gnu/lib$1" -Wl,--allow-shlib-undefined)
  fi
  shift
  for tool; do
    inside "$BOARD/tools=/tools" "$tools=/made" ${prefix:+"$SYSROOT=/sysroot"} -- \
      "${prefix}gcc-14" -O2 -Wall -Wextra -Werror "/tools/$tool.c" -o "/made/$tool" "${library[@]}"
  done
}

step "libgpiod 1.6 for $architecture" "$older" "$(key unpack_older)" unpack_older
step "programs to try wires with" "$trials" \
  "$(key compile_trials build "$CACHE/package-$architecture-$SUITE.key" "$older.key")" compile_trials
step "tools of the bench for $architecture" "$tools" "$(key compile_tools compile_with "$BOARD"/tools/*.c "$TOOLCHAIN.key")" \
  compile_tools
