import AudioSession
import Configuration
import Time

/// `tacet play`
enum PlayCommand: ControlCommand {
    static let manual = Manual.control(
        "play", "play, or resume",
        "Plays from the current position. During an interruption the command is deferred: the music resumes "
            + "afterwards.",
        deferred: deferral, nothing: "there is no track yet, and the music plays as soon as there is one")

    /// The consequence of the answer `deferred`.
    static let deferral = "the music plays as soon as nothing blocks it any more"

    static func command(_ options: Options) -> Command { .play }
}

/// `tacet pause`
enum PauseCommand: ControlCommand {
    static let manual = Manual.control(
        "pause", "pause", "Pauses. A pause during an interruption outlasts it.", nothing: "playback is stopped")

    static func command(_ options: Options) -> Command { .pause }
}

/// `tacet toggle`
enum ToggleCommand: ControlCommand {
    static let manual = Manual.control(
        "toggle", "pause or play", "Pauses if it is playing, otherwise plays.", deferred: PlayCommand.deferral,
        nothing: "there is no track yet, and the music plays as soon as there is one")

    static func command(_ options: Options) -> Command { .playPause }
}

/// `tacet stop`
enum StopCommand: ControlCommand {
    static let manual = Manual.control(
        "stop", "stop, and return to the start of the track", "Stops. Play then begins at the start of the track.")

    static func command(_ options: Options) -> Command { .stop }
}

/// `tacet next`
enum NextCommand: ControlCommand {
    static let manual = Manual.control(
        "next", "go to the next track",
        "Goes to the next track. If it was paused or stopped, it remains so.", nothing: "there is no track")

    static func command(_ options: Options) -> Command { .next }
}

/// `tacet previous`
enum PreviousCommand: ControlCommand {
    static let manual = Manual.control(
        "previous", "go to the previous track",
        "Goes to the previous track. If it was paused or stopped, it remains so.", nothing: "there is no track")

    static func command(_ options: Options) -> Command { .previous }
}

/// `tacet seek`
enum SeekCommand: ControlCommand {
    static let manual = Manual.control(
        "seek", "go to a position in the track",
        """
        Goes to a position in the current track: 90s, 1min 30s, 2min. A position past the end goes to the next track; \
        one before the start (-5s) goes to the start.
        """,
        operand: .init("POSITION", "position", .phrase, .nothing), nothing: "there is no track, or playback is stopped")

    static func command(_ options: Options) throws(UsageError) -> Command {
        let text = options.operands.joined(separator: " ")
        guard let position = TimeSpan.parsePosition(text) else {
            throw UsageError("‘\(text)’ is not a position: write 90s, 1min 30s or 2min", subcommand: manual.name)
        }
        return .seek(to: position)
    }
}

/// `tacet hush`
enum HushCommand: ControlCommand {
    static let manual = Manual.control(
        "hush", "withdraw all announcements",
        "Withdraws all announcements: the one that is heard fades out, and those that wait are never heard. The cues of "
            + "signals stay.",
        nothing: "there is no announcement")

    static func command(_ options: Options) -> Command { .hush }
}

/// `tacet record`
enum RecordCommand: ControlCommand {
    static let manual = Manual.control(
        "record", "record the microphone, or stop",
        "With start, records the microphone into the Directory= of [Recording]; during an interruption, afterwards. With "
            + "stop, ends the recording and completes its file. An interruption only pauses it.",
        operand: .init("start|stop", "action", .one, .words(["start", "stop"])),
        deferred: "the recording begins as soon as nothing blocks it any more", nothing: "there is nothing to stop")

    static func command(_ options: Options) throws(UsageError) -> Command {
        switch options.operands[0] {
        case "start": .record
        case "stop": .stopRecording
        default: throw UsageError("write tacet record start, or tacet record stop", subcommand: manual.name)
        }
    }
}

/// `tacet volume`
enum VolumeCommand: ControlCommand {
    static let manual = Manual.control(
        "volume", "set the volume", "Sets the volume: 0dB (full) down to -120dB, such as -6dB; or mute.",
        operand: .init("LEVEL", "level", .one, .words(["0dB", "-6dB", "-12dB", "-20dB", "mute"])))

    static func command(_ options: Options) throws(UsageError) -> Command {
        let text = options.operands[0]
        guard let level = Level.parse(text) else {
            throw UsageError(
                "‘\(text)’ is not a level: write -6dB (from -120dB to 0dB), or mute", subcommand: manual.name)
        }
        return .volume(level)
    }
}
