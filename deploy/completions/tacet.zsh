#compdef tacet
# Completions for tacet. Made by `make manual`: do not edit.
_tacet() {
  local -a commands=(
    'status:show the current state'
    'why:explain why it is quiet or ducked'
    'health:one line and an exit code for a monitoring system'
    'monitor:follow every event as it happens'
    'play:play, or resume'
    'pause:pause'
    'toggle:pause or play'
    'stop:stop, and return to the start of the track'
    'next:go to the next track'
    'previous:go to the previous track'
    'seek:go to a position in the track'
    'volume:set the volume'
    'announce:play a sound once, over the music'
    'hush:withdraw all announcements'
    'sounds:list the sounds'
    'record:record the microphone, or stop'
    'assert:assert a signal, for as long as a command runs'
    'deassert:release a signal that programs assert'
    'log:the interruption history, from the journal'
    'timeline:the interruption history as a picture'
    'check:check the configuration'
    'lines:list the board'\''s GPIO lines, their users and levels'
    'inputs:list switches, keys and jacks, with their states'
    'simulate:rehearse a scenario: no hardware, no waiting'
    'state:explain a saved state, intact or damaged'
    'verify:prove the rules for this configuration, in every reachable state'
  )
  if (( CURRENT == 2 )); then
    _describe 'sub-command' commands
    return
  fi
  local name=$words[2]
  shift words
  (( CURRENT-- ))
  case $name in
    status) _arguments '--json[one JSON object]' '--bus=[the message bus\: system (default) or user]:BUS:(system user)' '--help[print this help]' ;;
    why) _arguments '--bus=[the message bus\: system (default) or user]:BUS:(system user)' '--help[print this help]' ;;
    health) _arguments '--json[one JSON object]' '--bus=[the message bus\: system (default) or user]:BUS:(system user)' '--help[print this help]' ;;
    monitor) _arguments '--json[one JSON object per line]' '--bus=[the message bus\: system (default) or user]:BUS:(system user)' '--help[print this help]' ;;
    play) _arguments '--json[the answer as one JSON object]' '--bus=[the message bus\: system (default) or user]:BUS:(system user)' '--help[print this help]' ;;
    pause) _arguments '--json[the answer as one JSON object]' '--bus=[the message bus\: system (default) or user]:BUS:(system user)' '--help[print this help]' ;;
    toggle) _arguments '--json[the answer as one JSON object]' '--bus=[the message bus\: system (default) or user]:BUS:(system user)' '--help[print this help]' ;;
    stop) _arguments '--json[the answer as one JSON object]' '--bus=[the message bus\: system (default) or user]:BUS:(system user)' '--help[print this help]' ;;
    next) _arguments '--json[the answer as one JSON object]' '--bus=[the message bus\: system (default) or user]:BUS:(system user)' '--help[print this help]' ;;
    previous) _arguments '--json[the answer as one JSON object]' '--bus=[the message bus\: system (default) or user]:BUS:(system user)' '--help[print this help]' ;;
    seek) _arguments '--json[the answer as one JSON object]' '--bus=[the message bus\: system (default) or user]:BUS:(system user)' '--help[print this help]' '*:position: ' ;;
    volume) _arguments '--json[the answer as one JSON object]' '--bus=[the message bus\: system (default) or user]:BUS:(system user)' '--help[print this help]' '1:level:(0dB -6dB -12dB -20dB mute)' ;;
    announce) _arguments '--priority=[from 0 to 100, instead of the sound'\''s own]:N: ' '--expire=[drop it if it has not begun after this long, instead of the sound'\''s own]:TIME:(5s 10s 1min infinity)' '--file=[what is heard instead of the sound'\''s own file]:FILE:_files' '--wait[wait until it has been heard]' '--json[one JSON object]' '--bus=[the message bus\: system (default) or user]:BUS:(system user)' '--help[print this help]' '1:sound: ' ;;
    hush) _arguments '--json[the answer as one JSON object]' '--bus=[the message bus\: system (default) or user]:BUS:(system user)' '--help[print this help]' ;;
    sounds) _arguments '--json[one JSON object]' '--bus=[the message bus\: system (default) or user]:BUS:(system user)' '--help[print this help]' ;;
    record) _arguments '--json[the answer as one JSON object]' '--bus=[the message bus\: system (default) or user]:BUS:(system user)' '--help[print this help]' '1:action:(start stop)' ;;
    assert) _arguments '--for=[release it after this long]:TIME:(10s 1min 1h)' '--bus=[the message bus\: system (default) or user]:BUS:(system user)' '--help[print this help]' '1:signal: ' ;;
    deassert) _arguments '--bus=[the message bus\: system (default) or user]:BUS:(system user)' '--help[print this help]' '1:signal: ' ;;
    log) _arguments '--since=[from then on\: 2026-11-21 14\:03, 14\:03, today, yesterday, -2h]:TIME: ' '--until=[up to then]:TIME: ' '--file=[read an exported journal of any machine, made with journalctl -u tacet -o export]:EXPORT:_files' '--directory=[read the journal files in a folder, such as those of another machine’s card]:FOLDER:_files -/' '--json[one JSON object]' '--help[print this help]' ;;
    timeline) _arguments '-o=[where to draw it; ‘-’ is standard output]:FILE.svg:_files' '--json[instead of a picture, one JSON object from which a program can draw it]' '--title=[the title of the picture; default\: the host and the time that is shown]:TEXT: ' '--notifications[also draw the notifications of the session, the commands and their answers, for programmers]' '--since=[from then on\: 2026-11-21 14\:03, 14\:03, today, yesterday, -2h]:TIME: ' '--until=[up to then]:TIME: ' '--file=[read an exported journal of any machine, made with journalctl -u tacet -o export]:EXPORT:_files' '--directory=[read the journal files in a folder, such as those of another machine’s card]:FOLDER:_files -/' '--help[print this help]' ;;
    check) _arguments '--help[print this help]' '*:file:_files' ;;
    lines) _arguments '--all[include lines without a name or a user]' '--levels[read the level of every free input]' '--json[one JSON object, with every line]' '--config=[the configuration file; default\: the installed one]:FILE:_files' '--bus=[the message bus\: system (default) or user]:BUS:(system user)' '--help[print this help]' ;;
    inputs) _arguments '--all[include all keys of keyboards]' '--json[one JSON object]' '--help[print this help]' ;;
    simulate) _arguments '--config=[the configuration file; default\: the installed one]:FILE:_files' '--state=[keep the saved state in DIR; default\: discard it after the run]:DIR:_files -/' '--wav=[write the sound to a WAV file]:OUT.wav:_files' '--trace=[write the events, one JSON object per line]:OUT.jsonl:_files' '--timeline=[draw the run as a picture]:OUT.svg:_files' '--recordings=[write what is recorded of the microphone, whose frames are their own numbers, into this empty folder]:DIR:_files -/' '--title=[the title of the picture; default\: the length and the name of the scenario]:TEXT: ' '--notifications[also draw the notifications of the session, the commands and their answers, for programmers]' '--help[print this help]' '1:scenario:_files' ;;
    state) _arguments '--json[one JSON object per file]' '--config=[the configuration file, which determines what a boot would do; default\: the installed one]:FILE:_files' '--help[print this help]' '*:file:_files' ;;
    verify) _arguments '--config=[the configuration file; default\: the installed one]:FILE:_files' '--json[one JSON object]' '--time-limit=[stop exploring after TIME; default\: 60s]:TIME: ' '--memory-limit=[stop exploring before using SIZE of memory; default\: 1G]:SIZE: ' '--help[print this help]' ;;
  esac
}
_tacet "$@"
