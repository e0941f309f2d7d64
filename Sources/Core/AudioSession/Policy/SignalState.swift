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
