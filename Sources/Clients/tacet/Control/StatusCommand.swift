import Clocks
import SessionClient
import Spelling
import Time
import Vocabulary

/// `tacet status`: the current state on one screen.
enum StatusCommand: Subcommand {
    static let manual = Manual(
        name: "status", summary: "show the current state",
        options: [.init("--json", nil, "one JSON object"), DaemonConnection.option],
        text: """
            Shows what plays or why it is quiet, track and position, the volume, whether the session is interrupted, \
            the sound device, how long ago the state was saved, each signal with its effect and whether it is active \
            (or asserted without effect: suppressed as an alert, or dropped as stuck), and what is wrong with the \
            appliance. Any user may run it.
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
