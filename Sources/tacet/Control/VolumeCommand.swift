import AudioSession
import Configuration

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
