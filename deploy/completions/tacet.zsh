#compdef tacet
# Completions for tacet. Made by `make manual`: do not edit.
_tacet() {
  local -a commands=(
    'status:say what is so now'
    'why:say why it is quiet, or turned down'
    'health:one line and an exit code for a monitoring system'
    'monitor:follow every event as it happens'
    'play:play, or go on playing'
    'pause:pause'
    'toggle:pause what plays, play what is paused'
    'stop:stop, at the start of the track'
    'next:go to the next track'
    'previous:go to the previous track'
    'seek:go to a place of the track'
    'volume:set the volume'
    'log:the interruption history, from the journal'
    'timeline:the interruption history as a picture'
    'check:check the configuration'
    'lines:list the board'\''s GPIO lines, their users and levels'
    'simulate:rehearse a scenario: no hardware, no waiting'
    'state:explain a saved state, whole or damaged'
    'verify:prove the rules for this configuration, in every state that there is'
  )
  if (( CURRENT == 2 )); then
    _describe 'sub-command' commands
    return
  fi
  local name=$words[2]
  shift words
  (( CURRENT-- ))
  case $name in
    status) _arguments '--json[one JSON object]' '--bus=[the bus it is on\: system (as a rule) or user]:BUS:(system user)' '--help[say all this]' ;;
    why) _arguments '--bus=[the bus it is on\: system (as a rule) or user]:BUS:(system user)' '--help[say all this]' ;;
    health) _arguments '--json[one JSON object]' '--bus=[the bus it is on\: system (as a rule) or user]:BUS:(system user)' '--help[say all this]' ;;
    monitor) _arguments '--json[one JSON object a line]' '--bus=[the bus it is on\: system (as a rule) or user]:BUS:(system user)' '--help[say all this]' ;;
    play) _arguments '--json[the answer as one JSON object]' '--bus=[the bus it is on\: system (as a rule) or user]:BUS:(system user)' '--help[say all this]' ;;
    pause) _arguments '--json[the answer as one JSON object]' '--bus=[the bus it is on\: system (as a rule) or user]:BUS:(system user)' '--help[say all this]' ;;
    toggle) _arguments '--json[the answer as one JSON object]' '--bus=[the bus it is on\: system (as a rule) or user]:BUS:(system user)' '--help[say all this]' ;;
    stop) _arguments '--json[the answer as one JSON object]' '--bus=[the bus it is on\: system (as a rule) or user]:BUS:(system user)' '--help[say all this]' ;;
    next) _arguments '--json[the answer as one JSON object]' '--bus=[the bus it is on\: system (as a rule) or user]:BUS:(system user)' '--help[say all this]' ;;
    previous) _arguments '--json[the answer as one JSON object]' '--bus=[the bus it is on\: system (as a rule) or user]:BUS:(system user)' '--help[say all this]' ;;
    seek) _arguments '--json[the answer as one JSON object]' '--bus=[the bus it is on\: system (as a rule) or user]:BUS:(system user)' '--help[say all this]' '*:position: ' ;;
    volume) _arguments '--json[the answer as one JSON object]' '--bus=[the bus it is on\: system (as a rule) or user]:BUS:(system user)' '--help[say all this]' '1:level:(0dB -6dB -12dB -20dB mute)' ;;
    log) _arguments '--since=[from then on\: 2026-11-21 14\:03, 14\:03, today, yesterday, -2h]:TIME: ' '--until=[up to then]:TIME: ' '--file=[not this machine'\''s journal, but a file that journalctl -t tacetd -o export has made on any]:EXPORT:_files' '--json[one JSON object]' '--help[say all this]' ;;
    timeline) _arguments '-o=[where to draw it; ‘-’ is standard output]:FILE.svg:_files' '--since=[from then on\: 2026-11-21 14\:03, 14\:03, today, yesterday, -2h]:TIME: ' '--until=[up to then]:TIME: ' '--file=[not this machine'\''s journal, but a file that journalctl -t tacetd -o export has made on any]:EXPORT:_files' '--help[say all this]' ;;
    check) _arguments '--help[say all this]' '*:file:_files' ;;
    lines) _arguments '--all[lines without a name or a user as well]' '--levels[read the level of every free input]' '--json[one JSON object, with every line]' '--config=[the configuration; without it, the installed one]:FILE:_files' '--bus=[the bus it is on\: system (as a rule) or user]:BUS:(system user)' '--help[say all this]' ;;
    simulate) _arguments '--config=[the configuration; without it, the installed one]:FILE:_files' '--state=[keep the saved state there; without it, it ends with the run]:DIR:_files -/' '--wav=[what is heard]:OUT.wav:_files' '--trace=[what happens, a JSON object a line]:OUT.jsonl:_files' '--timeline=[a picture of it]:OUT.svg:_files' '--help[say all this]' '1:scenario:_files' ;;
    state) _arguments '--json[one JSON object a file]' '--config=[the configuration, which says what a boot would do; without it, the installed one]:FILE:_files' '--help[say all this]' '*:file:_files' ;;
    verify) _arguments '--config=[the configuration; without it, the installed one]:FILE:_files' '--json[one JSON object]' '--help[say all this]' ;;
  esac
}
_tacet "$@"
