#!/usr/bin/env bash
# Runs KiCad 9 and ngspice 44 in a separate Debian 13, independent of this machine's system.
# usage: kicad.sh export FOLDER   checks the drawings' electrical rules, and exports netlist, parts, SVG and PDF
#        kicad.sh rules FOLDER    checks the board in a folder: KiCad's rules, and whether it has the nets of the drawings
#        kicad.sh board FOLDER    checks the board, and exports Gerbers, drill and position files without dates, and views
#        kicad.sh run COMMAND…    runs a command with this repository's hardware/ at /hardware
HERE=$(cd "$(dirname "$0")" && pwd)
export TACET_BOARD=${TACET_KICAD:-${XDG_CACHE_HOME:-$HOME/.cache}/tacet-kicad}
. "$HERE/../../deploy/build/common.sh"
HARDWARE=$REPOSITORY/hardware
TOOLCHAIN=$CACHE/root
PACKAGES=kicad,kicad-footprints,ngspice,python3
[ "$(id -u)" = 0 ] || fail "Installing KiCad in a root of its own needs root: sudo make hardware-check"

root() { bootstrap "$TOOLCHAIN" amd64 minbase "$PACKAGES" --aptopt='APT::Install-Recommends "false"'; }

drawing() { inside "$HARDWARE=/hardware" "$1=/out" -- kicad-cli sch "${@:2}" /hardware/schematic/tacet.kicad_sch; }

export_all() {
  local folder=$1 log=$1/kicad.log
  drawing "$folder" erc --severity-all --exit-code-violations -o /out/rules.txt >"$log" 2>&1 || {
    cat "$folder/rules.txt" "$log" >&2
    fail "The drawings violate electrical rules."
  }
  {
    drawing "$folder" export netlist --format spice -o /out/tacet.cir
    drawing "$folder" export bom -o /out/parts.csv --group-by MPN,Value,Limits --ref-range-delimiter "" \
      --fields 'Reference,${QUANTITY},Value,Type,Manufacturer,MPN,Limits,Source' \
      --labels 'References,Quantity,Value,Type,Manufacturer,Part number,Limits,Source'
    drawing "$folder" export svg -n -o /out
    drawing "$folder" export pdf -o /out/tacet.pdf
  } >>"$log" 2>&1 || fail "KiCad failed: $(tail -n 3 "$log")"
}

# KiCad writes its own settings beside a board, so it gets a copy.
board_rules() {
  inside "$1=/board" -- kicad-cli pcb drc --severity-all --schematic-parity --exit-code-violations \
    -o /board/rules.txt /board/tacet.kicad_pcb
}

plot() { inside "$1=/out" -- kicad-cli pcb "${@:2}" /out/board/tacet.kicad_pcb; }

board_all() {
  local folder=$1 log=$1/kicad.log
  mkdir -p "$folder/board" "$folder/made"
  cp "$HARDWARE"/schematic/*.kicad_* "$HARDWARE"/schematic/*-lib-table "$folder/board"
  board_rules "$folder/board" >"$log" 2>&1 || {
    cat "$folder/board/rules.txt" "$log" >&2
    fail "The board violates rules, or differs from the drawings."
  }
  {
    plot "$folder" export gerbers -o /out/made/ \
      --layers F.Cu,In1.Cu,In2.Cu,B.Cu,F.Mask,B.Mask,F.Paste,B.Paste,F.Silkscreen,B.Silkscreen,Edge.Cuts
    plot "$folder" export drill --excellon-separate-th -o /out/made/
    plot "$folder" export pos --format csv --units mm -o /out/made/positions.csv
    for side in top bottom; do
      plot "$folder" render --side "$side" --width 760 --height 760 -o "/out/board-$side.png"
    done
  } >>"$log" 2>&1 || fail "KiCad failed: $(tail -n 3 "$log")"
  sed -i -z 's/,\n *"CreationDate": "[^"]*"//' "$folder/made/tacet-job.gbrjob"
  sed -i '/CreationDate/d; s/^\(G04 Created by .*\) date .*\*$/\1*/; s/^\(; DRILL file .*\) date .*/\1/' "$folder"/made/*
}

mkdir -p "$CACHE"
install_packages mmdebstrap debian-archive-keyring
step "KiCad and ngspice (Debian 13)" "$TOOLCHAIN" "$(key root bootstrap "$PACKAGES")" root
case $1 in
  export) export_all "$2" ;;
  rules) board_rules "$2" ;;
  board) board_all "$2" ;;
  run) inside "$HARDWARE=/hardware" -- "${@:2}" ;;
esac
