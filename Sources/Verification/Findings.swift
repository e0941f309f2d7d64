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
    public private(set) var signals: [Signal]

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

    /// A state that can be reached.
    mutating func note(_ world: World) {
        guard world.session != nil else { return }
        for signal in signals.indices where !signals[signal].changesSound {
            let line = world.lines[signal]
            guard line.asserted || line.chatters, !line.ineffective else { continue }
            signals[signal].isEverInForce = true
            var without = world
            without.lines[signal] = World.Line()
            signals[signal].changesSound =
                world.blocks(policy) != without.blocks(policy)
                || !world.blocks(policy) && world.ceiling(policy) != without.ceiling(policy)
        }
    }

    /// What comes of a state.
    mutating func note(_ before: World, _ after: World) {
        guard let was = before.session, let now = after.session, let episode = was.episode, now.episode == nil,
            episode.lastWord == nil, was.intent == .playing, was.blocking.count == 1,
            let signal = policy.signals.firstIndex(where: { $0.id == was.blocking[0] })
        else { return }
        if now.intent == .playing { signals[signal].resumes = true } else { signals[signal].pauses = true }
    }
}
