#!/usr/bin/env bash
# Builds the Debian package with Debian's tools in a Debian of that release. usage: package.sh arm64|amd64 [SUITE]
#   FRESH=1   compiles everything again, as a builder that has nothing does
. "$(dirname "$0")/common.sh"
need_architecture "${1:-}"
architecture=$1
suite=${2:-$SUITE}
package=$CACHE/package-$architecture-$suite
# What it installs, for those that need only the programs.
programs=$CACHE/programs-$architecture

case $suite in
  "$SUITE") compiling_for "$architecture" ;;
  "$OLD_SUITE")
    [ "$architecture" = amd64 ] || fail "For Debian 12 there is a package for amd64 only."
    TOOLCHAIN=$OLD_TOOLCHAIN
    # That release has no Swift, so this machine's is used.
    bindings=("$package=/build" "$(dirname "$(dirname "$(dirname "$(realpath "$(command -v swiftc)")")")")=/opt/swift")
    # Its debhelper enables only units that are there.
    environment=("PATH=/opt/swift/usr/bin:/usr/sbin:/usr/bin" "UNIT_FOLDER=/lib/systemd/system")
    ;;
  *) fail "There are packages for Debian $SUITE and $OLD_SUITE, not for ‘$suite’." ;;
esac

# What it is built from.
SOURCE="Package.swift Makefile README.md Sources $(cd "$REPOSITORY" && echo Tests/[!S]* Tests/S[!y]*) deploy hardware/overlays"

make_package() {
  copy_source "$package/tacet" $SOURCE
  rsync --recursive --links --perms --checksum --delete "$REPOSITORY/deploy/debian/" "$package/tacet/debian/"
  if [ "$suite" = "$OLD_SUITE" ]; then
    # A version below that of the next release, so that an upgrade of Debian upgrades the package.
    sed -i '1s/)/~deb12)/' "$package/tacet/debian/changelog"
  fi
  rm -f "$package"/*.deb "$package"/*.buildinfo "$package"/*.changes
  # -nc: what is compiled already stays. -d: Swift and the foreign libraries are no packages of this root.
  inside "${bindings[@]}" -- env -C /build/tacet "${environment[@]}" \
    dpkg-buildpackage --build=binary --no-sign --no-pre-clean --no-check-builddeps --host-arch="$architecture"
  [ "$suite" != "$SUITE" ] || unpack_programs
}

unpack_programs() {
  local folder
  rm -rf "$programs"
  mkdir -p "$programs"
  folder=$(mktemp -d)
  dpkg-deb -x "$package"/tacet_*_"$architecture".deb "$folder"
  cp "$folder/usr/bin/tacet" "$folder/usr/lib/tacet/tacetd" "$programs/"
  rm -rf "$folder"
}

source_key() { (cd "$REPOSITORY" && hash_of $SOURCE); }

[ -z "${FRESH:-}" ] || rm -f "$package.key"
step "package for Debian $suite, $architecture" "$package" \
  "$(key make_package copy_source unpack_programs "$(source_key)" "$TOOLCHAIN.key" "${environment[@]}")" make_package
