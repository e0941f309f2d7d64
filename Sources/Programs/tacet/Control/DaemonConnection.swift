import SessionClient
import Systemd

/// The running supervisor, over the message bus.
struct DaemonConnection {
    /// It does not run, or cannot be reached.
    struct Unreachable: Error, CustomStringConvertible {
        let description: String

        static let advice = "Does it run? systemctl status tacet"
    }

    static let option = Manual.Option(
        "--bus", .init("BUS", .words(BusKind.allCases.map(\.rawValue))), "the bus it is on: system (as a rule) or user")

    private let client: BusClient

    /// The bus that is meant.
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
            throw Unreachable(description: "\(error): is there a message bus, and does dbus run?")
        }
    }

    /// Has a command carried out.
    /// - Returns: the answer, and in words why it could not be.
    func command(_ words: String) throws -> (answer: String, reason: String) {
        let results = try call("Command", of: SessionAddress.session, [.string(words)])
        guard case .string(let answer)? = results.first, case .string(let reason)? = results.last else {
            throw Unreachable(description: "what answers is no Tacet of this version")
        }
        return (answer, reason)
    }

    /// All properties of an interface.
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

    private func call(_ member: String, of interface: String, _ arguments: [BusValue]) throws -> [BusValue] {
        do throws(BusError) {
            return try client.call(
                member, of: interface, at: SessionAddress.path, on: SessionAddress.name, arguments)
        } catch {
            let error = SessionError(error)
            guard case .unavailable = error else { throw Refusal(description: "tacet: \(error)") }
            throw Unreachable(description: "\(error)\n\(Unreachable.advice)")
        }
    }

    /// It answers, and will not.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }
}
