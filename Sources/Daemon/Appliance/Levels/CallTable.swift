import AudioSession
import Configuration
import Systemd

/// The voice calls of oFono and their states. The type is pure.
struct CallTable: Hashable {
    /// The states in oFono's words, by the calls' object paths.
    private(set) var calls: [String: String] = [:]

    /// Returns true if any call is in this state.
    func contains(_ state: CallState) -> Bool {
        calls.values.contains { word in
            switch state {
            // A second call that rings during the first one has the state “waiting”.
            case .ringing: word == "incoming" || word == "waiting"
            case .active: ["active", "held", "dialing", "alerting"].contains(word)
            }
        }
    }

    mutating func set(_ path: String, _ state: String) { calls[path] = state == "disconnected" ? nil : state }
    mutating func remove(_ path: String) { calls[path] = nil }

    /// Adds the calls of a modem in the format of `GetCalls` and `CallAdded`, which consists of pairs of a path and
    /// properties.
    mutating func add(_ value: BusValue) {
        guard case .array(_, let entries) = value else { return }
        for case .structure(let members) in entries { add(members) }
    }

    /// - Parameter members: A path and properties.
    mutating func add(_ members: [BusValue]) {
        guard members.count == 2, case .objectPath(let path) = members[0],
            case .string(let state)? = members[1].entry("State")
        else { return }
        set(path, state)
    }

    /// Returns those modems in an answer to `GetModems` that support calls.
    static func modems(_ value: BusValue?) -> [String] {
        guard case .array(_, let entries)? = value else { return [] }
        return entries.compactMap { entry in
            guard case .structure(let members) = entry, members.count == 2, case .objectPath(let path) = members[0],
                case .array(_, let interfaces)? = members[1].entry("Interfaces"),
                interfaces.contains(.string("org.ofono.VoiceCallManager"))
            else { return nil }
            return path
        }
    }
}

extension BusValue {
    /// Returns the value of a key in a dictionary `a{sv}`.
    func entry(_ key: String) -> BusValue? {
        guard case .array(_, let entries) = self else { return nil }
        for case .entry(.string(key), .variant(let value)) in entries { return value }
        return nil
    }
}
