import SessionClient
import Spelling
import Systemd
import Time
import Vocabulary

/// `tacet sounds`: lists the sounds.
enum SoundsCommand: Subcommand {
    static let manual = Manual(
        name: "sounds", summary: "list the sounds",
        options: [.init("--json", nil, "print one JSON object"), DaemonConnection.option],
        text: """
            Lists the sounds of the configuration with their lengths and states. The state is playing, queued (as an \
            announcement) or idle. The length is known once the file has been read. If a file cannot be read, the list \
            gives the reason. A signal whose cue cannot be read plays a built-in tone instead. Any user may run this \
            command.

            With --json, the states are due, waiting and idle.
            """, asksDaemon: true)

    static func run(_ options: Options) throws -> ExitCode {
        let listing = try SoundListing(DaemonConnection(options))
        Terminal.say(options.flags.contains("--json") ? [listing.json] : listing.lines)
        return .done
    }
}

/// The sounds as the supervisor reports them. It has no side effects except for the request.
struct SoundListing: Hashable {
    struct Sound: Hashable {
        let name: String
        /// The length in seconds, or nil if it is unknown.
        let length: Double?
        let isReadable: Bool
        /// The reason why the file cannot be read, or an empty string if it can be.
        let problem: String
        /// One of `due`, `waiting` and `idle`.
        let state: String
    }

    let sounds: [Sound]

    init(_ daemon: DaemonConnection) throws {
        guard let value = try daemon.properties(of: SessionAddress.session)[.sounds] else {
            throw DaemonConnection.Unreachable.otherVersion
        }
        self.init(value)
    }

    /// - Parameter value: the property `Sounds` of `org.tacet.Session1`.
    init(_ value: BusValue) {
        guard case .array(_, let elements) = value else {
            sounds = []
            return
        }
        sounds = elements.compactMap { element in
            guard case .structure(let members) = element, members.count == 5, case .string(let name) = members[0],
                case .double(let length) = members[1], case .bool(let isReadable) = members[2],
                case .string(let problem) = members[3], case .string(let state) = members[4]
            else { return nil }
            return Sound(
                name: name, length: length > 0 ? length : nil, isReadable: isReadable, problem: problem, state: state)
        }
    }

    /// The list for people.
    var lines: [String] {
        guard !sounds.isEmpty else { return ["The configuration has no sounds."] }
        let rows = sounds.map { sound in
            [
                sound.name, sound.length.map(Self.seconds) ?? "–", Self.words(ofState: sound.state),
                sound.isReadable ? "readable" : "CANNOT BE READ: \(sound.problem)",
            ]
        }
        let head = ["NAME", "LENGTH", "STATE", "FILE"]
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        return ([head] + rows).map { row in
            let cells = zip(row.dropLast(), widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return (cells + row.suffix(1)).joined(separator: "  ")
        }
    }

    private static func words(ofState state: String) -> String {
        switch state {
        case "due": "playing"
        case "waiting": "queued"
        default: "–"
        }
    }

    /// A length such as `2.5 s`.
    private static func seconds(_ length: Double) -> String {
        // The length comes from another program, so it may be any number.
        let tenths = Int(min(length * 10, 1e9).rounded())
        return "\(tenths.decimal(places: 1)) s"
    }

    /// The list for programs.
    var json: String {
        JSON.object([
            (
                "sounds",
                JSON.list(
                    sounds.map { sound in
                        JSON.object([
                            ("name", JSON.string(sound.name)), ("length", sound.length.map { "\($0)" } ?? "null"),
                            ("readable", "\(sound.isReadable)"), ("problem", JSON.string(sound.problem)),
                            ("state", JSON.string(sound.state)),
                        ])
                    })
            )
        ])
    }
}
