import AudioSession
import Configuration

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
