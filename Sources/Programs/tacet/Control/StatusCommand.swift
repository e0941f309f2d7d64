import SessionClient
import Simulation
import Systemd

/// `tacet status`: what is so now, on one screen.
enum StatusCommand: Subcommand {
    static let manual = Manual(
        name: "status", summary: "say what is so now",
        options: [.init("--json", nil, "one JSON object"), DaemonConnection.option],
        text: """
            Says what plays and where it is, why it is quiet if it is, the volume, whether the session is interrupted, \
            the sound device, how long ago the state was saved, each signal with its effect and whether it is in force \
            (or asserted without effect: suppressed as an alert, or dropped as stuck), and what is wrong with the \
            appliance. Anyone may ask.
            """, asksDaemon: true)

    static func run(_ options: Options) throws -> ExitCode {
        let daemon = try DaemonConnection(options)
        let status = DaemonStatus(
            session: try daemon.properties(of: SessionAddress.session),
            player: try daemon.properties(of: SessionAddress.player),
            now: Int64(EventClock.wallClock / .microseconds(1)))
        Terminal.say(options.flags.contains("--json") ? [status.json] : status.lines)
        return .done
    }
}
