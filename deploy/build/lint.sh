#!/usr/bin/env bash
# Examines the packages with lintian, as strictly as it can; fails at anything that has no override with a reason.
# usage: lint.sh arm64|amd64
. "$(dirname "$0")/common.sh"
need_architecture "${1:-}"
root=$CACHE/lintian
package=$CACHE/package-$1-$SUITE

make_root() { bootstrap "$root" amd64 minbase lintian; }

step "lintian" "$root" "$(key make_root bootstrap)" make_root
TOOLCHAIN=$root
inside "$package=/package" -- sh -c \
  'lintian --allow-root --pedantic --display-info --tag-display-limit 0 --fail-on error,warning,info,pedantic,override \
    /package/*.changes' && echo "lintian: nothing to report"
