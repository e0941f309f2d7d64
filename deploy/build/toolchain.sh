#!/usr/bin/env bash
# Makes the compilers: a Debian 13 with its Swift and C, and what a cross compiler needs of the board's architecture.
# usage: toolchain.sh arm64|amd64 [SUITE]
. "$(dirname "$0")/common.sh"
need_architecture "${1:-}"
[ "$(id -u)" = 0 ] || fail "Setting up a Debian with compilers needs root: sudo make …"
install_packages mmdebstrap debian-archive-keyring rsync

PACKAGING=dpkg-dev,debhelper,device-tree-compiler
FOREIGN="libasound2t64:arm64 libevdev2:arm64 libflac14:arm64 libgpiod3:arm64 libinih1:arm64 libjansson4:arm64 libmosquitto1:arm64
  libcurl4t64:arm64 libmpg123-0t64:arm64 libopusfile0:arm64 libsndfile1:arm64 libsoxr0:arm64 libssl3t64:arm64 libsystemd0:arm64 libstdc++6:arm64
  libvorbisfile3:arm64"
LIBRARIES=$("$BUILD/libraries" | paste -s -d ,)

# One root for everything that is compiled: programs, kernel modules (whose tools need this C library), helpers.
# It has `systemd` for its offline tools.
compilers() {
  local swift=swiftlang,git,pkg-config,libc6-dev,libstdc++-14-dev
  local c=gcc-14,gcc-14-aarch64-linux-gnu,binutils-aarch64-linux-gnu,libc6-dev-arm64-cross
  local kernel=make,bc,xz-utils,pahole,libelf1t64,libssl3t64
  bootstrap "$TOOLCHAIN" amd64 minbase "$swift,$c,$kernel,$PACKAGING,systemd,$LIBRARIES"
}

# For the release before, which has no Swift: the libraries that swift.org's needs.
old_compilers() {
  local swift=git,pkg-config,libc6-dev,libstdc++-12-dev,binutils,libxml2,libcurl4,libsqlite3-0,libncurses6,libedit2
  SUITE=$OLD_SUITE bootstrap "$OLD_TOOLCHAIN" amd64 minbase "$swift,make,$PACKAGING,$LIBRARIES"
}

# The libraries that Tacet is linked with, as packages of arm64: dpkg-shlibdeps asks dpkg which versions they need.
foreign_libraries() {
  local debs=$CACHE/foreign-debs
  rm -rf "$debs"
  mkdir -p "$debs/partial"
  inside -- dpkg --add-architecture arm64
  private_apt get -qq -y -o "Dir::State::status=$TOOLCHAIN/var/lib/dpkg/status" -o "Dir::Cache::archives=$debs" \
    -o APT::Install-Recommends=false -o Debug::NoLocking=1 --download-only install $FOREIGN >/dev/null
  inside "$debs=/debs" -- env DEBIAN_FRONTEND=noninteractive sh -c 'dpkg --unpack /debs/*.deb && dpkg --configure --pending' >/dev/null
  rm -rf "$debs"
}

# The packages are only unpacked; nothing of arm64 runs. The compiler's half of Swift (modules, static libraries) is in
# the compiler's own package, most of which is left out.
sysroot() {
  bootstrap "$SYSROOT" arm64 extract "base-files,libc6-dev,libgcc-14-dev,libstdc++-14-dev,libswiftlang,$LIBRARIES"
  local package lib=./usr/libexec/swift/lib
  package=$(download swiftlang:arm64)
  dpkg-deb --fsys-tarfile "$package" | tar -x -C "$SYSROOT" --wildcards \
    --exclude="$lib/swift/host" --exclude="$lib/swift/embedded" --exclude="$lib/swift_static/embedded" \
    --exclude="$lib/swift/pm" --exclude="$lib/swift/migrator" --exclude="$lib/swift/FrameworkABIBaseline" \
    "$lib/swift" "$lib/swift_static" "$lib/clang"
  rm -f "$package"
  # An absolute link would point into the machine that builds.
  find "$SYSROOT/usr" -xtype l -lname '/*' -printf '%P %l\n' | while read -r path target; do
    ln -snf "$(realpath -m --relative-to="$(dirname "$SYSROOT/usr/$path")" "$SYSROOT$target")" "$SYSROOT/usr/$path"
  done
}

# A Swift SDK that only points at the sysroot, which is mounted at /sysroot.
sdk() {
  local bundle=$SYSROOT/swift-sdks/board.artifactbundle
  mkdir -p "$bundle/board"
  cat >"$bundle/info.json" <<'JSON'
{ "schemaVersion": "1.0",
  "artifacts": { "board": { "type": "swiftSDK", "version": "1.0.0", "variants": [
    { "path": "board", "supportedTriples": ["x86_64-pc-linux-gnu", "x86_64-unknown-linux-gnu"] } ] } } }
JSON
  cat >"$bundle/board/swift-sdk.json" <<'JSON'
{ "schemaVersion": "4.0",
  "targetTriples": { "aarch64-unknown-linux-gnu": {
    "sdkRootPath": "/sysroot",
    "swiftResourcesPath": "/sysroot/usr/libexec/swift/lib/swift",
    "swiftStaticResourcesPath": "/sysroot/usr/libexec/swift/lib/swift_static",
    "toolsetPaths": ["toolset.json"] } } }
JSON
  # GNU ld would make a segment that is both writable and executable.
  cat >"$bundle/board/toolset.json" <<'JSON'
{ "schemaVersion": "1.0", "swiftCompiler": { "extraCLIOptions": ["-use-ld=lld", "-no-toolchain-stdlib-rpath"] } }
JSON
}

cross() { sysroot; sdk; }

if [ "${2:-$SUITE}" = "$OLD_SUITE" ]; then
  step "compilers (Debian 12's C)" "$OLD_TOOLCHAIN" "$(key old_compilers bootstrap "$PACKAGING" "$LIBRARIES")" \
    old_compilers
  exit
fi
step "compilers (Debian 13's Swift and C)" "$TOOLCHAIN" "$(key compilers bootstrap "$PACKAGING" "$LIBRARIES")" \
  compilers
if [ "$1" = arm64 ]; then
  step "libraries of arm64 to build with" "$SYSROOT" "$(key sysroot sdk bootstrap "$LIBRARIES")" cross
  step "libraries of arm64 to depend on" "$TOOLCHAIN/usr/lib/aarch64-linux-gnu" \
    "$(key foreign_libraries "$FOREIGN" "$TOOLCHAIN.key")" foreign_libraries
fi
