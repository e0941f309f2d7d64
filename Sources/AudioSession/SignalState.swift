/// What a session knows of one signal.
struct SignalState: Hashable, Sendable {
    /// nil while it is deasserted.
    var standing: SavedSession.Held.Standing?
    /// When it was asserted; zero while it is not.
    var began = Duration.zero
    private var faults: UInt8 = 0

    func has(_ fault: Fault.Kind) -> Bool { faults & fault.bit != 0 }
    /// Whether what is saved of both is the same: of what is deasserted, nothing.
    func savesLike(_ other: SignalState) -> Bool {
        standing == other.standing
            && (standing == nil || began == other.began && has(.stuck) == other.has(.stuck))
    }

    /// Without `began`, in which those that differ seldom differ alone: hashing is what exploring every state does most.
    func hash(into hasher: inout Hasher) {
        hasher.combine(standing)
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
        }
    }
}
