/// A signal that lies, until it clears.
public struct Fault: Hashable, Comparable, Sendable, LosslessStringConvertible {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// More edges than any contact makes: it counts as asserted until it is quiet.
        case chatter
        /// The line or its chip is gone.
        case lost
        /// Asserted for longer than is credible.
        case stuck
    }

    public var signal: SignalID
    public var kind: Kind

    public init(_ signal: SignalID, _ kind: Kind) {
        self.signal = signal
        self.kind = kind
    }

    /// What `description` says.
    /// - Returns: nil where it is no fault.
    public init?(_ description: String) {
        guard let colon = description.lastIndex(of: ":"), colon != description.startIndex,
            let kind = Kind(rawValue: String(description[description.index(after: colon)...]))
        else { return nil }
        self.init(SignalID(String(description[..<colon])), kind)
    }

    /// `phone-call:stuck`
    public var description: String { "\(signal):\(kind.rawValue)" }
    public static func < (a: Fault, b: Fault) -> Bool { a.description < b.description }
}
