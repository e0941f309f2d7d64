# Completions for tacet. Made by `make manual`: do not edit.
_tacet() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "status why health monitor play pause toggle stop next previous seek volume announce hush cancel sounds tracks record assert deassert log timeline check lines inputs devices simulate state verify --help --version" -- "$word"))
    return
  fi
  case ${COMP_WORDS[1]} in
    status)
      case $previous in
        --bus) COMPREPLY=($(compgen -W "system user" -- "$word")); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--json --bus --help" -- "$word")); return ;;
      esac
      : ;;
    why)
      case $previous in
        --bus) COMPREPLY=($(compgen -W "system user" -- "$word")); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--bus --help" -- "$word")); return ;;
      esac
      : ;;
    health)
      case $previous in
        --bus) COMPREPLY=($(compgen -W "system user" -- "$word")); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--json --bus --help" -- "$word")); return ;;
      esac
      : ;;
    monitor)
      case $previous in
        --bus) COMPREPLY=($(compgen -W "system user" -- "$word")); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--json --bus --help" -- "$word")); return ;;
      esac
      : ;;
    play)
      case $previous in
        --at) COMPREPLY=($(compgen -W "1:30 90s" -- "$word")); return ;;
        --then) COMPREPLY=($(compgen -W "continue stop repeat" -- "$word")); return ;;
        --bus) COMPREPLY=($(compgen -W "system user" -- "$word")); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--at --then --json --bus --help" -- "$word")); return ;;
      esac
      mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    pause)
      case $previous in
        --bus) COMPREPLY=($(compgen -W "system user" -- "$word")); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--json --bus --help" -- "$word")); return ;;
      esac
      : ;;
    toggle)
      case $previous in
        --bus) COMPREPLY=($(compgen -W "system user" -- "$word")); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--json --bus --help" -- "$word")); return ;;
      esac
      : ;;
    stop)
      case $previous in
        --bus) COMPREPLY=($(compgen -W "system user" -- "$word")); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--json --bus --help" -- "$word")); return ;;
      esac
      : ;;
    next)
      case $previous in
        --bus) COMPREPLY=($(compgen -W "system user" -- "$word")); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--json --bus --help" -- "$word")); return ;;
      esac
      : ;;
    previous)
      case $previous in
        --bus) COMPREPLY=($(compgen -W "system user" -- "$word")); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--json --bus --help" -- "$word")); return ;;
      esac
      : ;;
    seek)
      case $previous in
        --bus) COMPREPLY=($(compgen -W "system user" -- "$word")); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--json --bus --help" -- "$word")); return ;;
      esac
      COMPREPLY=($(compgen -W "0:00 +10s -10s +1:00 -1:00" -- "$word")) ;;
    volume)
      case $previous in
        --bus) COMPREPLY=($(compgen -W "system user" -- "$word")); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--json --bus --help" -- "$word")); return ;;
      esac
      COMPREPLY=($(compgen -W "0dB -6dB -12dB -20dB 50% +3dB -10% mute" -- "$word")) ;;
    announce)
      case $previous in
        --priority) :; return ;;
        --expire) COMPREPLY=($(compgen -W "5s 10s 1min infinity" -- "$word")); return ;;
        --file) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --bus) COMPREPLY=($(compgen -W "system user" -- "$word")); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--priority --expire --file --wait --json --bus --help" -- "$word")); return ;;
      esac
      : ;;
    hush|cancel)
      case $previous in
        --bus) COMPREPLY=($(compgen -W "system user" -- "$word")); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--json --bus --help" -- "$word")); return ;;
      esac
      : ;;
    sounds)
      case $previous in
        --bus) COMPREPLY=($(compgen -W "system user" -- "$word")); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--json --bus --help" -- "$word")); return ;;
      esac
      : ;;
    tracks)
      case $previous in
        --bus) COMPREPLY=($(compgen -W "system user" -- "$word")); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--json --bus --help" -- "$word")); return ;;
      esac
      : ;;
    record)
      case $previous in
        --bus) COMPREPLY=($(compgen -W "system user" -- "$word")); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--json --bus --help" -- "$word")); return ;;
      esac
      COMPREPLY=($(compgen -W "start stop" -- "$word")) ;;
    assert)
      case $previous in
        --for) COMPREPLY=($(compgen -W "10s 1min 1h" -- "$word")); return ;;
        --lease) COMPREPLY=($(compgen -W "500ms 2s 10s" -- "$word")); return ;;
        --bus) COMPREPLY=($(compgen -W "system user" -- "$word")); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--for --stdin --lease --bus --help" -- "$word")); return ;;
      esac
      : ;;
    deassert)
      case $previous in
        --bus) COMPREPLY=($(compgen -W "system user" -- "$word")); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--bus --help" -- "$word")); return ;;
      esac
      : ;;
    log)
      case $previous in
        --since) :; return ;;
        --until) :; return ;;
        --file) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --directory) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--since --until --file --directory --json --help" -- "$word")); return ;;
      esac
      : ;;
    timeline)
      case $previous in
        -o) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --title) :; return ;;
        --since) :; return ;;
        --until) :; return ;;
        --file) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --directory) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "-o --json --title --notifications --since --until --file --directory --help" -- "$word")); return ;;
      esac
      : ;;
    check)
      case $previous in

      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--help" -- "$word")); return ;;
      esac
      mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    lines)
      case $previous in
        --config) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --bus) COMPREPLY=($(compgen -W "system user" -- "$word")); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--all --levels --json --config --bus --help" -- "$word")); return ;;
      esac
      : ;;
    inputs)
      case $previous in
        --bus) COMPREPLY=($(compgen -W "system user" -- "$word")); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--all --json --bus --help" -- "$word")); return ;;
      esac
      : ;;
    devices)
      case $previous in

      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--json --help" -- "$word")); return ;;
      esac
      : ;;
    simulate)
      case $previous in
        --config) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --state) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
        --input) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --wav) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --trace) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --timeline) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --recordings) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
        --title) :; return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--config --state --input --wav --trace --timeline --recordings --title --notifications --help" -- "$word")); return ;;
      esac
      mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    state)
      case $previous in
        --config) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--json --config --help" -- "$word")); return ;;
      esac
      mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    verify)
      case $previous in
        --config) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --time-limit) :; return ;;
        --memory-limit) :; return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--config --json --time-limit --memory-limit --help" -- "$word")); return ;;
      esac
      : ;;
  esac
}
complete -o filenames -F _tacet tacet
