/// A session's state of one signal.
struct SignalState: Hashable, Sendable {
    /// nil while it is deasserted.
    var standing: SavedSession.Held.Standing?
    /// When it was asserted; zero while it is deasserted.
    var began = Duration.zero
    /// Whether its cue has been heard to its end since the signal began.
    var isCueDone = false
    private var faults: UInt8 = 0

    /// Whether it requests its cue, if it names one.
    var requestsCue: Bool { standing == .active && !isCueDone }

    func has(_ fault: Fault.Kind) -> Bool { faults & fault.bit != 0 }
    /// Whether both have the same saved state. Nothing is saved of a deasserted signal.
    func savesLike(_ other: SignalState) -> Bool {
        standing == other.standing
            && (standing == nil || began == other.began && has(.stuck) == other.has(.stuck))
    }

    /// Omits `began`, because states rarely differ in it alone, and exploring every state spends most of its time hashing.
    func hash(into hasher: inout Hasher) {
        hasher.combine(standing)
        hasher.combine(isCueDone)
        hasher.combine(faults)
    }

    mutating func insert(_ fault: Fault.Kind) { faults |= fault.bit }
    mutating func remove(_ fault: Fault.Kind) { faults &= ~fault.bit }
}

extension Fault.Kind {
    fileprivate var bit: UInt8 {
        switch self {
        case .chatter: 1
        case .lost: 2
        case .stuck: 4
        case .sound: 0
        }
    }
}

/// A signal that cannot be believed, until the fault clears. See <doc:Semantics#Signals-that-cannot-be-believed>.
public struct Fault: Hashable, Comparable, Sendable, LosslessStringConvertible {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// More edges than any contact makes. The signal counts as asserted until it is quiet.
        case chatter
        /// The line or its chip has disappeared, or cannot be read.
        case lost
        /// Asserted for longer than is plausible.
        case stuck
        /// Not a signal's: the file of a sound of this name cannot be read.
        case sound
    }

    /// The capture device is lost.
    public static let capture = Fault("capture", .lost)

    /// The signal's name; for the kind `sound`, the sound's.
    public var signal: SignalID
    public var kind: Kind

    public init(_ signal: SignalID, _ kind: Kind) {
        self.signal = signal
        self.kind = kind
    }

    /// Parses a `description`.
    ///
    /// - Returns: nil if the text does not describe a fault.
    public init?(_ description: String) {
        guard let colon = description.lastIndex(of: ":"), colon != description.startIndex,
            let kind = Kind(rawValue: String(description[description.index(after: colon)...]))
        else { return nil }
        self.init(SignalID(String(description[..<colon])), kind)
    }

    /// The signal and the kind: `phone-call:stuck`.
    public var description: String { "\(signal):\(kind.rawValue)" }
    public static func < (a: Fault, b: Fault) -> Bool { a.description < b.description }
}
