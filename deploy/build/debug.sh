#!/usr/bin/env bash
# Compiles everything, the tests, too, without optimisation and with Debian's Swift.
#   FRESH=1   compiles everything again
. "$(dirname "$0")/common.sh"
debug=$CACHE/debug
cd "$REPOSITORY"
SOURCE="Package.swift Sources $(echo Tests/[!MS]* Tests/S[!y]*)"

compile() {
  copy_source "$debug/tacet" $SOURCE
  inside "$debug=/build" -- env -C /build/tacet swift build --build-tests \
    --disable-xctest --enable-swift-testing --disable-index-store -Xswiftc -warnings-as-errors
}

[ -z "${FRESH:-}" ] || rm -f "$debug.key"
step "debug build with Debian's Swift" "$debug" "$(key compile copy_source "$(hash_of $SOURCE)" "$TOOLCHAIN.key")" compile
