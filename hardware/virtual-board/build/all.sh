#!/usr/bin/env bash
# Everything that a board needs, in order; what has not changed is not made again. usage: all.sh arm64|amd64
. "$(dirname "$0")/common.sh"
need_architecture "${1:-}"
mkdir -p "$CACHE"
# One at a time: two would make the same things.
exec 9>"$CACHE/lock"
flock -n 9 || { echo "Another build of a board is running: waiting for it …"; flock 9; }
started=$SECONDS
echo "The virtual board for $1, in $CACHE"
for part in host toolchain modules root tacet image; do "$HERE/$part.sh" "$1"; done
printf '%5s s  all of it\n' "$((SECONDS - started))"
