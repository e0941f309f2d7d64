import AudioSession
import Clocks
import Configuration
import Glibc
import SessionClient
import Systemd
import Time
import Vocabulary

/// The running supervisor, over the message bus.
struct DaemonConnection {
    /// An error which means that the supervisor is not running or cannot be reached.
    struct Unreachable: Error, CustomStringConvertible {
        let description: String

        static let advice = "Check that it is running: systemctl status tacet"
        static let otherVersion = Unreachable(
            description: "the program on the bus is not a compatible version of Tacet")
    }

    static let option = Manual.Option(
        "--bus", .init("BUS", .words(BusKind.allCases.map(\.rawValue))),
        "use this message bus: system (the default) or user")

    /// The time to wait for an answer that takes no time to find.
    private static let answerTimeout = Duration.seconds(5)

    /// The delay before a call that was not executed, because the bus or the daemon was too busy, is repeated. It is more
    /// than the second for which the daemon answers a program with one refusal.
    private static let retryPause = Duration.milliseconds(1100)
    private let client: BusClient

    /// The bus that the options select.
    static func bus(_ options: Options) throws(UsageError) -> BusKind {
        let name = options.values["--bus"] ?? "system"
        guard let kind = BusKind(rawValue: name) else {
            throw UsageError("there is no bus ‘\(name)’: write system or user")
        }
        return kind
    }

    init(_ options: Options) throws {
        let bus = try DaemonConnection.bus(options)
        do throws(SystemdError) { client = try BusClient(bus) } catch {
            throw Unreachable(description: "\(error)\nCheck that a message bus is running: systemctl status dbus")
        }
    }

    /// Sends a command and waits for its answer.
    func send(_ command: WrittenCommand) throws -> Answer {
        // The tracks of a choice are found on a disk, for which the daemon waits for at most 28 s.
        let timeout = if case .choose = command { Duration.seconds(30) } else { Self.answerTimeout }
        let results = try call(
            SessionMethod.command.rawValue, of: SessionAddress.session, [.string(command.description)],
            within: timeout)
        guard case .string(let name)? = results.first, case .string(let reason)? = results.last,
            let answer = Answer(name: name)
        else { throw Unreachable.otherVersion }
        return if case .commandFailed = answer { .commandFailed(reason) } else { answer }
    }

    /// Requests an announcement and waits for the answer.
    /// - Parameter file: the absolute path of the file that is played instead of the sound's own, or nil to play the
    ///   sound's own.
    func send(_ announcement: Announcement, file: String?) throws -> AnnouncementReceipt {
        let results = try call(
            SessionMethod.announce.rawValue, of: SessionAddress.session, announcement.busArguments(file: file),
            within: Announcement.answerTimeout(file: file))
        guard let receipt = AnnouncementReceipt(results) else { throw Unreachable.otherVersion }
        return receipt
    }

    /// Returns the names of the library's tracks that contain this text.
    func tracks(matching text: String) throws -> [String] {
        var names: [String] = []
        while true {
            let results = try call(
                SessionMethod.tracks.rawValue, of: SessionAddress.session,
                [.string(text), .uint32(UInt32(clamping: names.count))])
            guard case .array(_, let found)? = results.first, case .uint32(let count)? = results.last else {
                throw Unreachable.otherVersion
            }
            names += found.compactMap { if case .string(let name) = $0 { name } else { nil } }
            // The library may have become smaller.
            if found.isEmpty || names.count >= count { return names }
        }
    }

    /// Sets the level of a signal and waits for the answer.
    func set(_ signal: String, asserted: Bool) throws -> Answer {
        let results = try call(
            SessionMethod.setSignal.rawValue, of: SessionAddress.session,
            [.string(signal), .bool(asserted), .uint64(0)])
        guard case .string(let name)? = results.first, let answer = Answer(name: name) else {
            throw Unreachable.otherVersion
        }
        return answer
    }

    /// Returns the current state of the session, or nil while another configuration is being applied.
    func snapshot() throws -> Snapshot? { Snapshot(try properties(of: SessionAddress.session)[.scene]) }

    /// Returns all properties of an interface.
    func properties(of interface: String) throws -> [String: BusValue] {
        guard
            case .array(_, let entries)? = try call(
                "GetAll", of: "org.freedesktop.DBus.Properties", [.string(interface)]
            ).first
        else { return [:] }
        return entries.reduce(into: [:]) { properties, entry in
            if case .entry(.string(let name), .variant(let value)) = entry { properties[name] = value }
        }
    }

    /// Returns the properties of the session, or none if the service is not running. A refusal is printed.
    ///
    /// - Parameter missing: what a list lacks without the properties.
    static func session(_ options: Options, without missing: String) throws -> [String: BusValue] {
        do {
            return try DaemonConnection(options).properties(of: SessionAddress.session)
        } catch is Unreachable {
            return [:]
        } catch let error as Refusal {
            Terminal.complain("\(error)\ntacet: the list does not contain \(missing)")
            return [:]
        }
    }

    private func call(
        _ member: String, of interface: String, _ arguments: [BusValue], within timeout: Duration = answerTimeout
    ) throws -> [BusValue] {
        let deadline = SystemClock.monotonic.now + timeout
        do throws(BusError) {
            return try client.call(
                member, of: interface, at: SessionAddress.path, on: SessionAddress.name, arguments, within: timeout)
        } catch {
            let rest = deadline - SystemClock.monotonic.now - Self.retryPause
            if error.isOverload, rest > .zero {
                usleep(UInt32(clamping: Self.retryPause.wholeMicroseconds))
                return try call(member, of: interface, arguments, within: rest)
            }
            let error = SessionError(error)
            guard case .unavailable = error else { throw Refusal(description: "tacet: \(error)") }
            throw Unreachable(description: "\(error)\n\(Unreachable.advice)")
        }
    }

    /// An error with which the supervisor answers.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }
}
