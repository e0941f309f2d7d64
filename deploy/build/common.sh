# Sourced by the scripts beside it and by those of the virtual board: the paths, Debian's archive, and steps that run
# only if something has changed.
set -euo pipefail
umask 022
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

BUILD=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
REPOSITORY=$(cd "$BUILD/../.." && pwd)
BOARD=$REPOSITORY/Tests/System/virtual-board
CACHE=${TACET_BOARD:-${XDG_CACHE_HOME:-$HOME/.cache}/tacet-board}
# With sudo, the folder belongs to the user whose home it is in, but what is made in it belongs to root.
[ -d "$CACHE" ] || sudo --user="#${SUDO_UID:-0}" mkdir -p "$CACHE" 2>/dev/null || mkdir -p "$CACHE"
SUITE=trixie
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg
# The compilers' root is amd64 for all boards.
TOOLCHAIN=$CACHE/toolchain
# The release before, for which only packages are built.
OLD_SUITE=bookworm
OLD_TOOLCHAIN=$CACHE/toolchain-$OLD_SUITE
SYSROOT=$CACHE/sysroot-arm64
DEBS=$CACHE/debs

fail() { printf '%s\n' "$*" >&2; exit 1; }

need_architecture() {
  case ${1:-} in
    arm64 | amd64) ;;
    *) fail "ARCH is arm64 or amd64, not ‘${1:-}’." ;;
  esac
}

# install_packages PACKAGE…: installs the packages that this machine lacks.
install_packages() { "$BUILD/install" "$@"; }

# step NAME TARGET KEY COMMAND…: makes TARGET, unless this step has made it with this key.
# A step that fails leaves no key, so it runs again.
step() {
  local name=$1 target=$2 key=$3 started=$SECONDS
  shift 3
  if [ -e "$target" ] && [ "$(cat "$target.key" 2>/dev/null)" = "$key" ]; then
    printf '%5s    %s\n' "" "$name: nothing has changed"
    return
  fi
  printf '%5s    %s …\n' "" "$name" >&2
  rm -f "$target.key"
  # Not in a condition, because `set -e` would have no effect inside the step.
  "$@"
  printf '%s\n' "$key" >"$target.key"
  printf '%5s s  %s\n' "$((SECONDS - started))" "$name"
}

# key FUNCTION|FILE|WORD…: prints a key that changes with the text of these functions, files and words.
key() {
  local part
  for part; do
    if declare -F "$part" >/dev/null; then declare -f "$part"; elif [ -f "$part" ]; then cat "$part"; else
      printf '%s\n' "$part"; fi
  done | sha256sum | cut -d ' ' -f 1
}

# hash_of FOLDER…: prints a hash of the files of these folders, their names included.
hash_of() { find "$@" -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -d ' ' -f 1; }

# copy_source FOLDER FILE…: copies these files of the repository, committed or not, to be compiled there. Files with the
# same content keep their times, even if they come from another clone, so that only what depends on a change is compiled.
copy_source() {
  local folder=$1 headers
  shift
  mkdir -p "$folder"
  (cd "$REPOSITORY" && rsync --recursive --links --perms --checksum --delete --exclude=/.build --exclude=/debian --relative \
    "$@" "$folder/")
  # SwiftPM does not notice that a header of a system library or the compiler has changed.
  headers=$(cd "$folder" && find Sources \( -name '*.h' -o -name module.modulemap \) -print0 | sort -z \
    | xargs -0 sha256sum "$TOOLCHAIN.key")
  if [ -n "${FRESH:-}" ] || [ "$(cat "$folder.headers" 2>/dev/null)" != "$headers" ]; then rm -rf "$folder/.build"; fi
  printf '%s\n' "$headers" >"$folder.headers"
}

# The Debian archive that this machine's apt uses, or else the public one.
mirror() {
  env -u APT_CONFIG apt-get indextargets --format '$(REPO_URI) $(COMPONENT)' 'Created-By: Packages' \
    | sed -nE 's,^(https?://.*/debian/?) main$,\1,p' | sort -u | head -n 1 | grep . || echo http://deb.debian.org/debian
}

# source_list ARCHITECTURE: Debian 13, for mmdebstrap; with the firmware that boards need.
source_list() {
  printf 'deb [arch=%s signed-by=%s] %s %s main non-free-firmware\n' "$1" "$KEYRING" "$(mirror)" "$SUITE"
}

# bootstrap ROOT ARCHITECTURE VARIANT PACKAGES [OPTIONS…]: installs Debian 13 in a folder, without traces of its origin.
bootstrap() {
  local root=$1 architecture=$2 variant=$3 packages=$4
  shift 4
  rm -rf --one-file-system "$root"
  # In its own mount namespace, so that no mount stays below the folder, even if it is killed. On a terminal, it shows its
  # progress.
  source_list "$architecture" | unshare --mount --propagation private \
    mmdebstrap $([ -t 2 ] || echo --quiet) --mode=root --variant="$variant" --architectures="$architecture" \
    --aptopt='Acquire::Languages "none"' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/i18n/*' \
    --include="$packages" "$@" "$SUITE" "$root" -
  rm -rf "$root"/etc/apt/sources.list "$root"/etc/apt/sources.list.d/* "$root"/var/lib/apt/lists/* \
    "$root"/var/cache/apt/* "$root"/var/log/*.log "$root"/var/log/apt "$root"/etc/resolv.conf
}

# An apt with its own configuration, for Debian $SUITE and both architectures; the machine's apt stays unchanged.
private_apt() {
  local root=$CACHE/apt-$SUITE tool=$1
  shift
  if ! { [ -e "$root/ready" ] && source_list amd64,arm64 | cmp -s - "$root/etc/suite.list"; }; then
    mkdir -p "$root"/{etc,lists/partial,cache/archives/partial}
    source_list amd64,arm64 >"$root/etc/suite.list"
    cat >"$root/apt.conf" <<CONF
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$root/etc";
Dir::State::Lists "$root/lists";
Dir::State::status "/dev/null";
Dir::Cache "$root/cache";
Acquire::Languages "none";
APT::Architectures { "amd64"; "arm64"; };
APT::Sandbox::User "root";
CONF
    APT_CONFIG=$root/apt.conf apt-get -qq update
    touch "$root/ready"
  fi
  APT_CONFIG=$root/apt.conf "apt-$tool" "$@"
}

# download PACKAGE:ARCHITECTURE: prints the package's file.
download() {
  local name=${1%%:*} architecture=${1##*:} file
  mkdir -p "$DEBS"
  find_package() {
    find "$DEBS" -name "${name}_*_$architecture.deb" -o -name "${name}_*_all.deb" | sort | tail -n 1
  }
  file=$(find_package)
  if [ -z "$file" ]; then
    # The archive may have got a newer one since its lists were read.
    (cd "$DEBS" && { private_apt get -qq download "$1" \
      || { private_apt get -qq update && private_apt get -qq download "$1"; }; }) >&2
    file=$(find_package)
  fi
  [ -n "$file" ] || fail "Cannot download the package $1 of Debian $SUITE. (If it is a kernel's, there may be a newer:
remove $CACHE/kernel-$architecture.release.)"
  printf '%s\n' "$file"
}

# Debian's kernel for this architecture, as `uname -r` prints it.
kernel_release() {
  local file=$CACHE/kernel-$1.release
  if ! [ -s "$file" ]; then
    private_apt cache depends "linux-image-$1:$1" | sed -n 's/^ *Depends: linux-image-\([^:]*\).*/\1/p' \
      | head -n 1 | grep . >"$file"
  fi
  cat "$file"
}

# inside [FOLDER=PATH…] -- COMMAND…: runs in the toolchain's root, with folders (or files) of this machine at those
# paths. The mounts are private: they disappear with the command.
inside() {
  local bindings=()
  while [ "$1" != -- ]; do bindings+=("$1"); shift; done
  shift
  unshare --mount --propagation private bash -euc '
    root=$1 count=$2
    shift 2
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    for ((; count; count--)); do
      [ ! -d "${1%%=*}" ] || mkdir -p "$root${1#*=}"
      mount --bind "${1%%=*}" "$root${1#*=}"
      shift
    done
    exec chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin LC_ALL=C.UTF-8 "$@"' \
    _ "$TOOLCHAIN" "${#bindings[@]}" "${bindings[@]}" "$@"
}

# newer_package PACKAGE.deb TARGET.deb: makes a package that differs in nothing but its version, which is higher.
newer_package() {
  local folder
  folder=$(mktemp -d)
  dpkg-deb --raw-extract "$1" "$folder/tree"
  sed -E -i 's/^Version: .*/&+next/; /^Depends:/s/\<tacet \(= ([^)]*)\)/tacet (= \1+next)/' "$folder/tree/DEBIAN/control"
  dpkg-deb --root-owner-group --build "$folder/tree" "$2" >/dev/null
  rm -rf "$folder"
}

# compiling_for ARCHITECTURE: sets `bindings` and `environment` for a compilation inside the toolchain's root.
compiling_for() {
  bindings=("$CACHE/package-$1-$SUITE=/build")
  environment=()
  if [ "$1" = arm64 ]; then
    bindings+=("$SYSROOT=/sysroot")
    # Otherwise the .pc files of amd64 would be used.
    local found=/sysroot/usr/lib/aarch64-linux-gnu/pkgconfig:/sysroot/usr/share/pkgconfig
    environment=("PKG_CONFIG_SYSROOT_DIR=/sysroot" "PKG_CONFIG_LIBDIR=$found" "PKG_CONFIG_PATH=$found"
      "SWIFT_OPTIONS=--swift-sdks-path /sysroot/swift-sdks --swift-sdk board")
  fi
}
