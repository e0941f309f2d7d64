import Simulation
import Systemd

/// What the supervisor says of itself, for people and programs. Pure.
struct DaemonStatus {
    struct Signal {
        let name: String
        let effect: String
        let isInForce: Bool
    }

    let why: String
    let playbackStatus: String
    let isInterrupted: Bool
    let gain: Double?
    /// As a factor.
    let volume: Double?
    let title: String?
    /// In seconds.
    let position: Double?
    let length: Double?
    let signals: [Signal]
    let health: [String]

    init(session: [String: BusValue], player: [String: BusValue]) {
        let metadata = player["Metadata"]?.members ?? [:]
        why = session["Why"]?.text ?? ""
        playbackStatus = player["PlaybackStatus"]?.text ?? ""
        isInterrupted = session["Interrupted"] == .bool(true)
        gain = session["Gain"]?.number
        volume = player["Volume"]?.number
        title = metadata["xesam:title"]?.text
        position = player["Position"]?.number.map { $0 / 1e6 }
        length = metadata["mpris:length"]?.number.map { $0 / 1e6 }
        health = session["Health"]?.elements.compactMap(\.text) ?? []
        signals = (session["Signals"]?.elements ?? []).compactMap { signal in
            guard case .structure(let members) = signal, members.count == 3, let name = members[0].text,
                let effect = members[1].text
            else { return nil }
            return Signal(name: name, effect: effect, isInForce: members[2] == .bool(true))
        }
    }

    var text: String {
        let width = signals.map(\.name.count).max() ?? 0
        let rows = signals.map { signal in
            "  " + signal.name.padded(to: width) + "  " + signal.effect.padded(to: 15) + "  "
                + (signal.isInForce ? "IN FORCE" : "–")
        }
        let place = title.map { "\($0), \(time(position))" + (length.map { " of \(time($0))" } ?? "") }
        return
            ([why, ""] + [place.map { "Track    \($0)" }].compactMap { $0 } + ["Signals"] + rows
            + ["Health   " + (health.isEmpty ? "nothing is wrong" : health.joined(separator: "; "))])
            .joined(separator: "\n")
    }

    private func time(_ seconds: Double?) -> String {
        let seconds = Int(seconds ?? 0)
        return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }

    var json: String {
        func number(_ value: Double?) -> String { value.map { "\($0)" } ?? "null" }
        return JSON.object([
            ("status", JSON.string(playbackStatus)), ("why", JSON.string(why)), ("interrupted", "\(isInterrupted)"),
            ("track", title.map(JSON.string) ?? "null"), ("position", number(position)), ("length", number(length)),
            ("gain_db", number(gain)), ("volume", number(volume)),
            (
                "signals",
                JSON.list(
                    signals.map {
                        JSON.object([
                            ("name", JSON.string($0.name)), ("effect", JSON.string($0.effect)),
                            ("in_force", "\($0.isInForce)"),
                        ])
                    })
            ), ("health", JSON.array(health)),
        ])
    }
}

extension BusValue {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var elements: [BusValue] { if case .array(_, let elements) = self { elements } else { [] } }

    fileprivate var number: Double? {
        switch self {
        case .double(let number): number
        case .int64(let number): Double(number)
        default: nil
        }
    }

    /// Of a dictionary.
    fileprivate var members: [String: BusValue] {
        elements.reduce(into: [:]) { members, entry in
            if case .entry(.string(let name), .variant(let value)) = entry { members[name] = value }
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
