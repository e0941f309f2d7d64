/// `tacet seek`
enum SeekCommand: ControlCommand {
    static let manual = Manual.control(
        "seek", "go to a place of the track", "Goes to a place of the current track: 90s, 1min30s, 2min.",
        operand: .init("POSITION", "position", .one, .nothing))

    static func words(_ options: Options) -> String { "seek " + options.operands[0] }
}
