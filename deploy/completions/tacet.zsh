#compdef tacet
# Completions for tacet. Made by `make manual`: do not edit.
_tacet() {
  local -a commands=(
    'status:show the current state'
    'why:explain why the music is silent or ducked'
    'health:report problems to a monitoring system'
    'monitor:follow every event as it happens'
    'play:start or resume the music, or choose what plays'
    'pause:pause the music'
    'toggle:pause the music if it is playing, otherwise play it'
    'stop:stop, and return to the start of the track'
    'next:go to the next track'
    'previous:go to the previous track'
    'seek:go to a position in the track'
    'volume:set the volume of the music'
    'announce:play a sound once, over the music'
    'hush:cancel all announcements'
    'cancel:cancel all announcements'
    'sounds:list the sounds'
    'tracks:list the tracks that can be chosen'
    'record:start or stop recording the microphone'
    'assert:assert a signal while a command runs'
    'deassert:release a signal that programs assert'
    'log:list the history of interruptions'
    'timeline:draw the history of interruptions'
    'check:check the configuration'
    'lines:list the board'\''s GPIO lines, their users and levels'
    'inputs:list audio inputs, switches, keys and jacks, with their states'
    'devices:list the sound devices, each with the setting that selects it'
    'simulate:rehearse a scenario without hardware'
    'state:explain a saved state, intact or damaged'
    'verify:prove the rules for this configuration in every reachable state'
  )
  if (( CURRENT == 2 )); then
    _describe 'sub-command' commands
    return
  fi
  local name=$words[2]
  shift words
  (( CURRENT-- ))
  case $name in
    status) _arguments '--json[print one JSON object]' '--bus=[use this message bus\: system (the default) or user]:BUS:(system user)' '--help[print this help]' ;;
    why) _arguments '--bus=[use this message bus\: system (the default) or user]:BUS:(system user)' '--help[print this help]' ;;
    health) _arguments '--json[print one JSON object]' '--bus=[use this message bus\: system (the default) or user]:BUS:(system user)' '--help[print this help]' ;;
    monitor) _arguments '--json[print one JSON object per line]' '--bus=[use this message bus\: system (the default) or user]:BUS:(system user)' '--help[print this help]' ;;
    play) _arguments '--at=[begin at this position in the first track]:POSITION:(1:30 90s)' '--then=[what follows the last track\: continue (the library, the default), stop, or repeat]:ENDING:(continue stop repeat)' '--json[print the answer as one JSON object]' '--bus=[use this message bus\: system (the default) or user]:BUS:(system user)' '--help[print this help]' '*:name:_files' ;;
    pause) _arguments '--json[print the answer as one JSON object]' '--bus=[use this message bus\: system (the default) or user]:BUS:(system user)' '--help[print this help]' ;;
    toggle) _arguments '--json[print the answer as one JSON object]' '--bus=[use this message bus\: system (the default) or user]:BUS:(system user)' '--help[print this help]' ;;
    stop) _arguments '--json[print the answer as one JSON object]' '--bus=[use this message bus\: system (the default) or user]:BUS:(system user)' '--help[print this help]' ;;
    next) _arguments '--json[print the answer as one JSON object]' '--bus=[use this message bus\: system (the default) or user]:BUS:(system user)' '--help[print this help]' ;;
    previous) _arguments '--json[print the answer as one JSON object]' '--bus=[use this message bus\: system (the default) or user]:BUS:(system user)' '--help[print this help]' ;;
    seek) _arguments '--json[print the answer as one JSON object]' '--bus=[use this message bus\: system (the default) or user]:BUS:(system user)' '--help[print this help]' '*:position:(0:00 +10s -10s +1:00 -1:00)' ;;
    volume) _arguments '--json[print the answer as one JSON object]' '--bus=[use this message bus\: system (the default) or user]:BUS:(system user)' '--help[print this help]' '*:level:(0dB -6dB -12dB -20dB 50% +3dB -10% mute)' ;;
    announce) _arguments '--priority=[use this priority from 0 to 100 instead of the sound'\''s own]:N: ' '--expire=[drop the announcement if it has not begun within this time (overrides the sound'\''s Expire=)]:TIME:(5s 10s 1min infinity)' '--file=[play this file instead of the sound'\''s own]:FILE:_files' '--wait[wait until the announcement has ended]' '--json[print one JSON object]' '--bus=[use this message bus\: system (the default) or user]:BUS:(system user)' '--help[print this help]' '1:sound: ' ;;
    hush|cancel) _arguments '--json[print the answer as one JSON object]' '--bus=[use this message bus\: system (the default) or user]:BUS:(system user)' '--help[print this help]' ;;
    sounds) _arguments '--json[print one JSON object]' '--bus=[use this message bus\: system (the default) or user]:BUS:(system user)' '--help[print this help]' ;;
    tracks) _arguments '--json[print one JSON array]' '--bus=[use this message bus\: system (the default) or user]:BUS:(system user)' '--help[print this help]' '*:text: ' ;;
    record) _arguments '--json[print the answer as one JSON object]' '--bus=[use this message bus\: system (the default) or user]:BUS:(system user)' '--help[print this help]' '1:action:(start stop)' ;;
    assert) _arguments '--for=[release the signal after this time]:TIME:(10s 1min 1h)' '--stdin[read the level of the signal from standard input, as lines with 1 or 0]' '--lease=[with --stdin, lose the signal if no line has stated its level for this time (default\: 2s)]:TIME:(500ms 2s 10s)' '--bus=[use this message bus\: system (the default) or user]:BUS:(system user)' '--help[print this help]' '1:signal: ' ;;
    deassert) _arguments '--bus=[use this message bus\: system (the default) or user]:BUS:(system user)' '--help[print this help]' '1:signal: ' ;;
    log) _arguments '--since=[begin at this time, such as 2026-11-21 14\:03, 14\:03, today, yesterday or -2h]:TIME: ' '--until=[end at this time]:TIME: ' '--file=[read the journal of any machine from a file made with journalctl -u tacet -o export]:EXPORT:_files' '--directory=[read the journal files in this folder, such as those on the card of another machine]:FOLDER:_files -/' '--json[print one JSON object]' '--help[print this help]' ;;
    timeline) _arguments '-o=[write the picture to this file; ‘-’ is standard output]:FILE.svg:_files' '--json[print one JSON object from which a program can draw the picture]' '--title=[use this title for the picture (default\: the host and the time that is shown)]:TEXT: ' '--notifications[also draw the session'\''s notifications, and the commands with their answers]' '--since=[begin at this time, such as 2026-11-21 14\:03, 14\:03, today, yesterday or -2h]:TIME: ' '--until=[end at this time]:TIME: ' '--file=[read the journal of any machine from a file made with journalctl -u tacet -o export]:EXPORT:_files' '--directory=[read the journal files in this folder, such as those on the card of another machine]:FOLDER:_files -/' '--help[print this help]' ;;
    check) _arguments '--help[print this help]' '*:file:_files' ;;
    lines) _arguments '--all[include lines that have neither a name nor a user]' '--levels[read the level of every free input]' '--json[print one JSON object that contains every line]' '--config=[use this configuration file instead of the installed one]:FILE:_files' '--bus=[use this message bus\: system (the default) or user]:BUS:(system user)' '--help[print this help]' ;;
    inputs) _arguments '--all[include all keys of keyboards]' '--json[print one JSON object]' '--bus=[use this message bus\: system (the default) or user]:BUS:(system user)' '--help[print this help]' ;;
    devices) _arguments '--json[print one JSON object]' '--help[print this help]' ;;
    simulate) _arguments '--config=[use this configuration file instead of the installed one]:FILE:_files' '--state=[keep the saved state in DIR instead of discarding it after the run]:DIR:_files -/' '--input=[let this audio file arrive at the input NAME, again and again, instead of silence; this option may be given once for each input]:NAME=FILE:_files' '--wav=[write the sound to a WAV file]:OUT.wav:_files' '--trace=[write the events as one JSON object per line]:OUT.jsonl:_files' '--timeline=[draw the run as a picture]:OUT.svg:_files' '--recordings=[write the recordings of a virtual microphone, whose frames contain their own numbers, into this empty folder]:DIR:_files -/' '--title=[use this title for the picture (default\: the length and the name of the scenario)]:TEXT: ' '--notifications[also draw the session'\''s notifications, and the commands with their answers]' '--help[print this help]' '1:scenario:_files' ;;
    state) _arguments '--json[print one JSON object per file]' '--config=[use this configuration file, which determines what a boot would do, instead of the installed one]:FILE:_files' '--help[print this help]' '*:file:_files' ;;
    verify) _arguments '--config=[use this configuration file instead of the installed one]:FILE:_files' '--json[print one JSON object]' '--time-limit=[stop exploring after TIME (default\: 60s)]:TIME: ' '--memory-limit=[stop exploring before using SIZE of memory (default\: 1G)]:SIZE: ' '--help[print this help]' ;;
  esac
}
_tacet "$@"
