# Completions for tacet. Made by `make manual`: do not edit.
_tacet() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "check lines simulate verify log timeline --help" -- "$word"))
    return
  fi
  case ${COMP_WORDS[1]} in
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
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--all --levels --json --config --help" -- "$word")); return ;;
      esac
      : ;;
    simulate)
      case $previous in
        --config) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --state) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
        --wav) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --trace) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --timeline) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--config --state --wav --trace --timeline --help" -- "$word")); return ;;
      esac
      mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    verify)
      case $previous in
        --config) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--config --json --help" -- "$word")); return ;;
      esac
      : ;;
    log)
      case $previous in
        --since) :; return ;;
        --until) :; return ;;
        --file) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "--since --until --file --json --help" -- "$word")); return ;;
      esac
      : ;;
    timeline)
      case $previous in
        -o) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        --since) :; return ;;
        --until) :; return ;;
        --file) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "-o --since --until --file --help" -- "$word")); return ;;
      esac
      : ;;
  esac
}
complete -o filenames -F _tacet tacet
