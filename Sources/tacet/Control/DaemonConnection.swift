import Systemd

/// The running supervisor, over the message bus.
struct DaemonConnection {
    /// It does not run, or cannot be reached.
    struct Unreachable: Error, CustomStringConvertible {
        let description: String
    }

    static let session = "org.tacet.Session1"
    static let player = "org.mpris.MediaPlayer2.Player"

    static let option = Manual.Option(
        "--bus", .init("BUS", .words(BusKind.allCases.map(\.rawValue))), "the bus it is on: system (as a rule) or user")

    private let client: BusClient

    init(_ options: Options) throws {
        let name = options.values["--bus"] ?? "system"
        guard let kind = BusKind(rawValue: name) else {
            throw UsageError("there is no bus ‘\(name)’: write system or user")
        }
        do throws(SystemdError) { client = try BusClient(kind) } catch {
            throw Unreachable(description: "\(error): is there a message bus, and does dbus run?")
        }
    }

    /// Has a command carried out.
    /// - Returns: the answer, and in words why it could not be.
    func command(_ words: String) throws -> (answer: String, reason: String) {
        let results = try call("Command", of: DaemonConnection.session, [.string(words)])
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
                member, of: interface, at: "/org/mpris/MediaPlayer2", on: "org.mpris.MediaPlayer2.tacet", arguments)
        } catch {
            switch error.name.split(separator: ".").last {
            case "ServiceUnknown", "NameHasNoOwner", "NoReply", "Disconnected", "Failed", "Timeout":
                throw Unreachable(
                    description:
                        "the supervisor cannot be reached: \(error.message)\nDoes it run? systemctl status tacet")
            case "AccessDenied":
                throw Refusal(description: "tacet: only root and the group tacet may command it: \(error.message)")
            case "InvalidArgs": throw Refusal(description: "tacet: \(error.message)")
            default: throw Refusal(description: "tacet: \(error)")
            }
        }
    }

    /// It answers, and will not.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }
}
