import AudioSession
import Configuration

/// `tacet play`
enum PlayCommand: ControlCommand {
    static let manual = Manual.control(
        "play", "start or resume the music, or choose what plays",
        """
        Plays from the current position. If an interruption or an announcement silences the music, or if the sound \
        device is missing, the command is queued and the music resumes afterwards. If there is no music, playback starts \
        as soon as there is some, for example when a disk is mounted.

        With NAME, plays a track, a folder or a playlist of the library from its start. NAME is a path, either absolute \
        or relative to the folder Library=, and it must not leave the library. After the last track, --then decides what \
        follows. By default, the library continues where it was left. ‘tacet next’ and ‘tacet previous’ stay within the \
        choice, and leave it at its ends as --then says. A choice survives a power cut. If an input plays, the choice \
        replaces it until the input begins anew.
        """,
        operand: .init("NAME", "name", .any, .file),
        options: [
            .init("--at", .init("POSITION", .words(["1:30", "90s"])), "begin at this position in the first track"),
            .init(
                "--then", .init("ENDING", .words(ChoiceRequest.Ending.allCases.map(\.rawValue))),
                "what follows the last track: continue (the library, the default), stop, or repeat"),
        ],
        examples: [
            .init("Play the folder stories, and then continue with the library:", "tacet play stories"),
            .init("Play a track from 1:30 on, and then stop:", "tacet play stories/owl.flac --at 1:30 --then stop"),
        ], queuedPlayback)

    /// The answers of the commands that request playback.
    fileprivate static let queuedPlayback = Manual.Answers(
        deferred: "The music plays as soon as nothing silences it any more.",
        nothing: "There is no music yet. Playback starts when there is some.",
        noContent: "Nothing in the library has this name, or none of its files can be played.")

    static func command(_ options: Options) throws(UsageError) -> WrittenCommand {
        let values = ["--at", "--then"].flatMap { name in options.values[name].map { [name, $0] } ?? [] }
        guard !options.operands.isEmpty || values.isEmpty else {
            throw UsageError("--at and --then need the name of a track, folder or playlist", subcommand: manual.name)
        }
        return try parse("play", options.operands + values)
    }
}

/// `tacet pause`
enum PauseCommand: ControlCommand {
    static let manual = Manual.control(
        "pause", "pause the music",
        "Pauses the music. If this happens during an interruption, the music stays paused after the interruption.",
        Manual.Answers(nothing: "Playback is stopped."))

    static func command(_ options: Options) -> WrittenCommand { .command(.pause) }
}

/// `tacet toggle`
enum ToggleCommand: ControlCommand {
    static let manual = Manual.control(
        "toggle", "pause the music if it is playing, otherwise play it",
        """
        Pauses the music if it is playing at present. Otherwise it does the same as ‘tacet play’, also if an \
        interruption silences the music.
        """, Manual.Answers(deferred: PlayCommand.queuedPlayback.deferred, nothing: PlayCommand.queuedPlayback.nothing))

    static func command(_ options: Options) -> WrittenCommand { .command(.playPause) }
}

/// `tacet stop`
enum StopCommand: ControlCommand {
    static let manual = Manual.control(
        "stop", "stop, and return to the start of the track",
        "Stops the music. ‘tacet play’ then begins at the start of the track.")

    static func command(_ options: Options) -> WrittenCommand { .command(.stop) }
}

/// `tacet next`
enum NextCommand: ControlCommand {
    static let manual = Manual.control(
        "next", "go to the next track",
        """
        Goes to the next track. If the music was paused or stopped, it stays so. After the last track of a list that does \
        not repeat, playback stops at the start of the first track.
        """, Manual.Answers(nothing: "There is no music."))

    static func command(_ options: Options) -> WrittenCommand { .command(.next) }
}

/// `tacet previous`
enum PreviousCommand: ControlCommand {
    static let manual = Manual.control(
        "previous", "go to the previous track",
        """
        Goes to the previous track. If the music was paused or stopped, it stays so. Before the first track of a list \
        that does not repeat, playback stops at the start of the first track.
        """, Manual.Answers(nothing: "There is no music."))

    static func command(_ options: Options) -> WrittenCommand { .command(.previous) }
}

/// `tacet seek`
enum SeekCommand: ControlCommand {
    static let manual = Manual.control(
        "seek", "go to a position in the track",
        """
        Goes to a position in the current track. POSITION is the time from the start of the track. It can be written with \
        colons (1:30 is one minute and 30 seconds, 1:02:03 has an hour as well) or with units as in systemd.time(7) (90s, \
        1min 30s). A number without a unit is in seconds. A position at or past the end goes to the next track.

        With a sign, POSITION is a step from the present position, such as +10s, -10s or -1:30. A step back beyond the \
        start goes to the start. A step beyond the end goes to the next track.
        """,
        operand: .init("POSITION", "position", .phrase, .words(["0:00", "+10s", "-10s", "+1:00", "-1:00"])),
        Manual.Answers(nothing: "Playback is stopped, or there is no music."))

    static func command(_ options: Options) throws(UsageError) -> WrittenCommand { try parse("seek", options) }
}

/// `tacet hush`
enum HushCommand: ControlCommand {
    static let manual = Manual.control(
        "hush", "cancel all announcements",
        """
        Cancels all announcements. The announcement that is playing fades out, and those in the queue are not played. The \
        cues of signals continue.
        """,
        aliases: ["cancel"], Manual.Answers(nothing: "There is no announcement to cancel."))

    static func command(_ options: Options) -> WrittenCommand { .command(.hush) }
}

/// `tacet record`
enum RecordCommand: ControlCommand {
    static let manual = Manual.control(
        "record", "start or stop recording the microphone",
        """
        With start, records the microphone into the folder Directory= of the section [Recording]. During an interruption, \
        or while the microphone is missing, the command is queued. An interruption pauses a recording. If \
        During=interruptions is set, interruptions do not affect recording. With stop, ends the recording and completes \
        its file.
        """,
        operand: .init("start|stop", "action", .one, .words(["start", "stop"])),
        Manual.Answers(
            deferred: "Recording starts as soon as nothing prevents it.",
            nothing: "Nothing is being recorded (stop only)."))

    static func command(_ options: Options) throws(UsageError) -> WrittenCommand {
        switch options.operands[0] {
        case "start": .command(.record)
        case "stop": .command(.stopRecording)
        default: throw UsageError("write ‘tacet record start’ or ‘tacet record stop’", subcommand: manual.name)
        }
    }
}

/// `tacet volume`
enum VolumeCommand: ControlCommand {
    static let manual = Manual.control(
        "volume", "set the volume of the music",
        """
        Sets the volume of the music. LEVEL is a level in decibels from -120dB (silence) to 0dB (full level), a percentage \
        of the full level from 0% to 100%, or mute. The percentage is the amplitude, as in the property Volume of MPRIS, \
        so 50% is -6dB, 25% is -12dB and 10% is -20dB.

        With a plus sign, LEVEL is a step by at most 60 dB or 100%: +3dB, +10%. With a minus sign, a percentage is a step \
        as well (-10%), but decibels are a level (-6dB), because levels are never above 0dB. Steps end at silence and at \
        full level.
        """,
        operand: .init(
            "LEVEL", "level", .phrase, .words(["0dB", "-6dB", "-12dB", "-20dB", "50%", "+3dB", "-10%", "mute"])))

    static func command(_ options: Options) throws(UsageError) -> WrittenCommand { try parse("volume", options) }
}
