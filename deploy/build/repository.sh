#!/usr/bin/env bash
# Makes a folder that any web server can serve to apt: the packages by release, signed with the user's own key.
# usage: repository.sh FOLDER PACKAGE.deb…
#   KEY=   the key to sign with, as gpg names it; gpg's default key if it is not set
#   VALID_DAYS=   how long boards accept the indexes (90): nobody can then offer them old ones for longer, which lack later
#          corrections, and the folder must be made again within this time
#   URI=   where apt will find the folder; without it, tacet.sources names the folder itself
. "$(dirname "$0")/common.sh"
target=${1:-}
shift || true
[ -n "$target" ] && [ $# -gt 0 ] || fail "usage: repository.sh FOLDER PACKAGE.deb…"
architectures=(amd64 arm64)
mkdir -p "$target"
target=$(cd "$target" && pwd)
uri=${URI:-file:$target}
valid_days=${VALID_DAYS:-90}
[[ $valid_days =~ ^-?[0-9]+$ ]] || fail "VALID_DAYS= is a number of days, not ‘$valid_days’"

install_packages apt-utils gnupg dpkg-dev
gpg --list-secret-keys ${KEY:+"$KEY"} 2>/dev/null | grep -q . \
  || fail "gpg has no ${KEY:+such }secret key${KEY:+ ‘$KEY’} to sign with; make one: gpg --quick-generate-key 'NAME <ADDRESS>'"
sign() { gpg --batch --yes --quiet ${KEY:+--local-user "$KEY"} "$@"; }

# Earlier versions stay, so that apt can go back to one.
for package; do
  version=$(dpkg-deb --field "$package" Version)
  case $version in *~deb12) suite=$OLD_SUITE ;; *) suite=$SUITE ;; esac
  install -D -m 644 -t "$target/pool/$suite" "$package"
done

cd "$target"
rm -rf dists
for folder in pool/*/; do
  suite=$(basename "$folder")
  for architecture in "${architectures[@]}"; do
    index=dists/$suite/main/binary-$architecture
    mkdir -p "$index"
    apt-ftparchive --arch "$architecture" packages "$folder" >"$index/Packages"
    xz --keep --force "$index/Packages"
  done
  described=()
  for field in Origin=Tacet Label=Tacet "Suite=$suite" "Codename=$suite" Components=main \
    "Architectures=${architectures[*]}" "ValidTime=$((valid_days * 86400))"; do described+=(-o "APT::FTPArchive::Release::$field"); done
  apt-ftparchive "${described[@]}" release "dists/$suite" >Release.new
  mv Release.new "dists/$suite/Release"
  sign --clearsign --output "dists/$suite/InRelease" "dists/$suite/Release"
  sign --armor --detach-sign --output "dists/$suite/Release.gpg" "dists/$suite/Release"
done

# One file is all that a board needs: it has the key.
for folder in pool/*/; do
  suite=$(basename "$folder")
  {
    printf '%s\n' "Types: deb" "URIs: $uri" "Suites: $suite" "Components: main" "Signed-By:"
    sign --armor --export ${KEY:+"$KEY"} | sed 's/^$/./; s/^/ /'
  } >"tacet-$suite.sources"
done
echo "Boards accept it until $(date -d "$valid_days days" +%F). Make it again before."
echo "Serve $target, for example with: python3 -m http.server --directory $target"
echo "On a board:  curl -o /etc/apt/sources.list.d/tacet.sources $uri/tacet-$SUITE.sources"
