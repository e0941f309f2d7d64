/// All that a session remembers. Everything else is derived from it.
struct Facts: Hashable, Sendable {
    var intent = Intent.stopped
    var track = 0
    var trackCount = 0
    var volume: Level
    /// In the policy's order.
    var signals: [SignalState]
    var episode: Episode?
    var servicesAvailable = true
    /// Whether playing was the user's last word since the services were lost.
    var playedWhileLost = false
    /// Whether the programme was stopped by an interruption, a lost device or a boot, and did not move since.
    var rewinds = false

    init(signals: Int, volume: Level) {
        self.volume = volume
        self.signals = Array(repeating: SignalState(), count: signals)
    }
}

/// What a session knows of one signal.
struct SignalState: Hashable, Sendable {
    /// nil while it is deasserted.
    var standing: SavedSession.Held.Standing?
    /// When it was asserted; zero while it is not.
    var began = Duration.zero
    private var faults: UInt8 = 0

    func has(_ fault: Fault.Kind) -> Bool { faults & fault.bit != 0 }
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
