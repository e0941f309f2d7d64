#!/usr/bin/env bash
# Compiles everything, the tests, too, without optimisation and with Debian's Swift.
. "$(dirname "$0")/common.sh"
mkdir -p "$CACHE/debug"
inside "$REPOSITORY=/source" "$CACHE/debug=/build" -- env -C /source swift build --build-tests --scratch-path /build \
  -Xswiftc -warnings-as-errors
