import AudioSession
import Systemd

extension Snapshot {
    /// As `Session1` sends it.
    /// - Returns: nil where it is none.
    init?(_ value: BusValue?) {
        guard case .array("{sv}", let entries)? = value else { return nil }
        var fields: [String: Value] = [:]
        for case .entry(.string(let key), .variant(let value)) in entries {
            fields[key] = Value(value)
        }
        // A time is a number there.
        if case .number(let seconds)? = fields["position"] {
            guard seconds.magnitude < 1e9 else { return nil }
            fields["position"] = .seconds(.nanoseconds(Int64((seconds * 1e9).rounded())))
        }
        self.init(fields: fields)
    }
}

extension Snapshot.Value {
    fileprivate init?(_ value: BusValue) {
        switch value {
        case .string(let text): self = .text(text)
        case .bool(let flag): self = .flag(flag)
        case .double(let number): self = .number(number)
        case .array("s", let elements):
            self = .texts(elements.compactMap { if case .string(let text) = $0 { text } else { nil } })
        default: return nil
        }
    }
}

/// Where Tacet is on a message bus.
public enum SessionAddress {
    public static let name = "org.mpris.MediaPlayer2.tacet"
    public static let path = "/org/mpris/MediaPlayer2"
    public static let session = "org.tacet.Session1"
    public static let player = "org.mpris.MediaPlayer2.Player"
}
