import AudioSession
import Configuration

/// `tacet play`
enum PlayCommand: ControlCommand {
    static let manual = Manual.control(
        "play", "play, or go on playing",
        "Plays from where it is. During an interruption it is remembered: the programme goes on after it.")
}

/// `tacet pause`
enum PauseCommand: ControlCommand {
    static let manual = Manual.control("pause", "pause", "Pauses. A pause during an interruption lasts beyond it.")
}

/// `tacet toggle`
enum ToggleCommand: ControlCommand {
    static let manual = Manual.control(
        "toggle", "pause what plays, play what is paused", "Pauses what plays, and plays what does not.")

    static func words(_ options: Options) -> String { "playPause" }
}

/// `tacet stop`
enum StopCommand: ControlCommand {
    static let manual = Manual.control(
        "stop", "stop, at the start of the track", "Stops; play begins with the start of the track.")
}

/// `tacet next`
enum NextCommand: ControlCommand {
    static let manual = Manual.control(
        "next", "go to the next track", "Goes to the next track, playing or not as before.")
}

/// `tacet previous`
enum PreviousCommand: ControlCommand {
    static let manual = Manual.control(
        "previous", "go to the previous track", "Goes to the previous track, playing or not as before.")
}

/// `tacet seek`
enum SeekCommand: ControlCommand {
    static let manual = Manual.control(
        "seek", "go to a place of the track",
        """
        Goes to a place of the current track: 90s, 1min 30s, 2min. Past the end of the track is the next one; before \
        its start (-5s) is its start.
        """,
        operand: .init("POSITION", "position", .phrase, .nothing))

    static func words(_ options: Options) throws(UsageError) -> String {
        let text = options.operands.joined(separator: " ")
        guard let position = TimeSpan.parsePosition(text) else {
            throw UsageError("‘\(text)’ is no position: write 90s, 1min 30s or 2min", subcommand: manual.name)
        }
        return Command.seek(to: position).description
    }
}

/// `tacet volume`
enum VolumeCommand: ControlCommand {
    static let manual = Manual.control(
        "volume", "set the volume", "Sets the volume: 0dB is full; -6dB, -120dB … 0dB; mute.",
        operand: .init("LEVEL", "level", .one, .words(["0dB", "-6dB", "-12dB", "-20dB", "mute"])))

    static func words(_ options: Options) throws(UsageError) -> String {
        let text = options.operands[0]
        guard let level = Level.parse(text) else {
            throw UsageError(
                "‘\(text)’ is no level: write -6dB (from -120dB to 0dB), or mute", subcommand: manual.name)
        }
        return Command.volume(level).description
    }
}
