import AudioSession
import Systemd
import Vocabulary

extension Snapshot {
    /// Reads the dictionary that `org.tacet.Session1` sends.
    /// - Returns: nil if it is not a valid snapshot.
    package init?(_ value: BusValue?) {
        guard case .array("{sv}", let entries)? = value else { return nil }
        var fields: [TraceKey: Value] = [:]
        for case .entry(.string(let key), .variant(let value)) in entries {
            if let key = TraceKey(rawValue: key) { fields[key] = Value(value) }
        }
        // On the bus, a time is a number of seconds.
        for key in [TraceKey.position, .recorded] {
            guard case .number(let seconds)? = fields[key] else { continue }
            guard seconds.magnitude < 1e9 else { return nil }
            fields[key] = .seconds(.nanoseconds(Int64((seconds * 1e9).rounded())))
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
