#!/usr/bin/env bash
# Builds everything that a board needs, in order, and skips the parts that have not changed. usage: all.sh arm64|amd64
. "$(dirname "$0")/../../../../deploy/build/common.sh"
need_architecture "${1:-}"
mkdir -p "$CACHE"
# Only one build may run at a time, because two would write the same files.
exec 9>"$CACHE/lock"
flock -n 9 || { echo "Another build of a board is running: waiting for it …"; flock 9; }
started=$SECONDS
echo "The virtual board for $1, in $CACHE"
for part in host toolchain package; do "$BUILD/$part.sh" "$1"; done
for part in modules root trials image; do "$BOARD/build/$part.sh" "$1"; done
printf '%5s s  in all\n' "$((SECONDS - started))"
