/// `tacet volume`
enum VolumeCommand: ControlCommand {
    static let manual = Manual.control(
        "volume", "set the volume", "Sets the volume: 0dB is full; -6dB, -120dB … 0dB; mute.",
        operand: .init("LEVEL", "level", .one, .words(["0dB", "-6dB", "-12dB", "-20dB", "mute"])))

    static func words(_ options: Options) -> String { "volume " + options.operands[0] }
}
