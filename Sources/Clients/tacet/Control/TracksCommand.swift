import SessionClient
import Spelling
import Systemd

/// `tacet tracks`: lists the tracks of the library.
enum TracksCommand: Subcommand {
    static let manual = Manual(
        name: "tracks", summary: "list the tracks that can be chosen",
        operand: .init("TEXT", "text", .any, .nothing),
        options: [.init("--json", nil, "print one JSON array"), DaemonConnection.option],
        text: """
            Lists the tracks of the library in its order, by the names under which ‘tacet play’ can choose them. A name \
            is the path of a file relative to the folder Library=. The folders in these paths, and playlists in the \
            library, can also be chosen.

            With TEXT, lists only the names that contain this text, in upper or lower case. Any user may run this command.
            """,
        examples: [.init("List the tracks whose names contain owl:", "tacet tracks owl")],
        failure: "no track has such a name", asksDaemon: true)

    static func run(_ options: Options) throws -> ExitCode {
        let names = try DaemonConnection(options).tracks(matching: options.operands.joined(separator: " "))
        if options.flags.contains("--json") {
            Terminal.say(JSON.array(names))
        } else {
            Terminal.say(names)
            if names.isEmpty { Terminal.complain("tacet: no track of the library has such a name") }
        }
        return names.isEmpty ? .failed : .done
    }
}
