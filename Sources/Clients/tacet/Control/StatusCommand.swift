import Clocks
import SessionClient
import Spelling
import Time
import Vocabulary

/// `tacet status`: the current state on one screen.
enum StatusCommand: Subcommand {
    static let manual = Manual(
        name: "status", summary: "show the current state",
        options: [.init("--json", nil, "print one JSON object"), DaemonConnection.option],
        text: """
            Shows whether music plays or why it does not, the track and the position, the volume, whether the session is \
            interrupted, the sound device, and the time since the state was saved. It also shows each signal with its \
            effect and its state, and every problem of the board. A signal may be asserted without an effect, either \
            because it is suppressed as an alert or because it was dropped as stuck. Any user may run this command.
            """, asksDaemon: true)

    static func run(_ options: Options) throws -> ExitCode {
        let daemon = try DaemonConnection(options)
        let status = DaemonStatus(
            session: try daemon.properties(of: SessionAddress.session),
            player: try daemon.properties(of: SessionAddress.player),
            now: SystemClock.wallClock.wholeMicroseconds)
        Terminal.say(options.flags.contains("--json") ? [status.json] : status.lines)
        return .done
    }
}
