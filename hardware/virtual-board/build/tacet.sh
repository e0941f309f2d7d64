#!/usr/bin/env bash
# Compiles Tacet for the board, with the board's own compiler (Debian 13's Swift) and Swift's libraries linked in, and
# the small programs of the bench. usage: tacet.sh arm64|amd64
. "$(dirname "$0")/common.sh"
need_architecture "${1:-}"
architecture=$1
programs=$CACHE/programs-$architecture
tools=$CACHE/tools-$architecture
scratch=$CACHE/build-$architecture

swift_options=(-c release -Xswiftc -warnings-as-errors --static-swift-stdlib
  --package-path /tacet --scratch-path /scratch)
bindings=("$REPOSITORY=/tacet" "$scratch=/scratch")
environment=()
prefix=
if [ "$architecture" = arm64 ]; then
  swift_options+=(--swift-sdks-path /sysroot/swift-sdks --swift-sdk board)
  # Or the .pc files of this machine leak in.
  found=/sysroot/usr/lib/aarch64-linux-gnu/pkgconfig:/sysroot/usr/share/pkgconfig
  environment=(PKG_CONFIG_SYSROOT_DIR=/sysroot "PKG_CONFIG_LIBDIR=$found" "PKG_CONFIG_PATH=$found")
  bindings+=("$SYSROOT=/sysroot")
  prefix=aarch64-linux-gnu-
fi

# What of the programs there is: the daemon came later than the tool.
products() { grep -oE 'program\(\s*"(tacet|tacetd)"' "$REPOSITORY/Package.swift" | grep -oE 'tacetd?'; }

compile() {
  mkdir -p "$scratch" "$programs"
  local product
  for product in $(products); do
    inside "${bindings[@]}" -- env "${environment[@]}" swift build --quiet "${swift_options[@]}" --product "$product"
    cp "$scratch"/release/"$product" "$programs/"
    inside "$programs=/programs" -- "${prefix}strip" "/programs/$product"
  done
}

compile_tools() {
  mkdir -p "$tools"
  local tool
  for tool in pull freeze; do
    inside "$BOARD/tools=/tools" "$tools=/made" -- \
      "${prefix}gcc-14" -O2 -Wall -Wextra -Werror "/tools/$tool.c" -o "/made/$tool"
  done
  # The compiler has a C library for arm64 of its own: of the sysroot only ALSA is taken.
  local sound=(-lasound)
  if [ "$architecture" = arm64 ]; then
    sound=(-idirafter /sysroot/usr/include /sysroot/usr/lib/aarch64-linux-gnu/libasound.so.2)
  fi
  inside "$BOARD/tools=/tools" "$tools=/made" ${prefix:+"$SYSROOT=/sysroot"} -- \
    "${prefix}gcc-14" -O2 -Wall -Wextra -Werror /tools/ear.c -o /made/ear "${sound[@]}"
}

# The source as it is, committed or not.
source_key() {
  (cd "$REPOSITORY" && find Package.swift Sources Tests -type f -print0 | sort -z | xargs -0 sha256sum) | sha256sum
}

step "Tacet for $architecture" "$programs" "$(key compile "$(source_key)" "$TOOLCHAIN.key")" compile
step "tools of the bench for $architecture" "$tools" "$(key compile_tools "$BOARD"/tools/*.c "$TOOLCHAIN.key")" \
  compile_tools
