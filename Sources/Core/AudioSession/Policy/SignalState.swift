/// The state of one signal in a session.
struct SignalState: Hashable, Sendable {
    /// The standing of an asserted signal, which determines whether it has its effect, or nil while the signal is
    /// deasserted.
    var standing: SavedSession.Held.Standing?
    /// The time at which the signal was asserted, or zero while it is deasserted.
    var began = Duration.zero
    /// True if the cue has played to its end since the signal began.
    var isCueDone = false
    private var faults: UInt8 = 0

    /// True if the signal requests its cue, provided that it names one.
    var requestsCue: Bool { standing == .active && !isCueDone }

    func has(_ fault: Fault.Kind) -> Bool { faults & fault.bit != 0 }
    /// Returns true if both states are saved in the same way. Deasserted signals are not saved.
    func savesLike(_ other: SignalState) -> Bool {
        standing == other.standing
            && (standing == nil || began == other.began && has(.stuck) == other.has(.stuck))
    }

    /// Omits `began`, because states rarely differ only in it, and the exploration of all states spends most of its
    /// time hashing.
    func hash(into hasher: inout Hasher) {
        hasher.combine(standing)
        hasher.combine(isCueDone)
        hasher.combine(faults)
    }

    /// A number by which the states of signals that are treated alike can be sorted.
    var rank: Int {
        let standing =
            switch standing {
            case nil: 0
            case .active?: 1
            case .suppressed?: 2
            case .dropped?: 3
            }
        return standing << 10 | Int(faults) << 2 | (isCueDone ? 2 : 0) | (began == .zero ? 0 : 1)
    }

    var hasFaultBesidesStuck: Bool { faults & ~Fault.Kind.stuck.bit != 0 }
    mutating func removeFaultsBesidesStuck() { faults &= Fault.Kind.stuck.bit }
    mutating func insert(_ fault: Fault.Kind) { faults |= fault.bit }
    mutating func remove(_ fault: Fault.Kind) { faults &= ~fault.bit }
}

extension Fault.Kind {
    fileprivate var bit: UInt8 {
        switch self {
        case .chatter: 1
        case .lost: 2
        case .stuck: 4
        case .wire: 8
        case .sound, .muted, .quiet, .unconfirmed: 0
        }
    }
}
