import AudioSession

/// What each signal can do, as far as an exploration has seen it.
public struct Findings: Sendable {
    public struct Signal: Hashable, Sendable {
        /// It was asserted, and neither suppressed nor dropped.
        public internal(set) var isEverInForce = false
        /// With it something else could be heard than without it.
        public internal(set) var changesSound = false
        /// Silence was its doing alone, it ended, the user had said nothing, and it played on …
        public internal(set) var resumes = false
        /// … or was paused.
        public internal(set) var pauses = false
    }

    private let policy: Policy
    /// In the policy's order.
    public internal(set) var signals: [Signal]

    public init(_ policy: Policy) {
        self.policy = policy
        signals = Array(repeating: Signal(), count: policy.signals.count)
    }

    /// With what another exploration has found, of some of the signals, too.
    public mutating func add(_ other: Findings) {
        for (signal, found) in zip(other.policy.signals, other.signals) {
            guard let index = policy.signals.firstIndex(where: { $0.id == signal.id }) else { continue }
            signals[index].isEverInForce = signals[index].isEverInForce || found.isEverInForce
            signals[index].changesSound = signals[index].changesSound || found.changesSound
            signals[index].resumes = signals[index].resumes || found.resumes
            signals[index].pauses = signals[index].pauses || found.pauses
        }
    }
}
