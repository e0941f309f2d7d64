extension Timeline {
    /// What one signal did.
    public struct SignalLane: Sendable, Equatable {
        /// The signal's name, such as `phone-call`.
        public var name: String
        /// What it does to the music, such as `pause` or `duck -14 dB`.
        public var effect: String
        /// The line's electrical level before debouncing; empty if its edges were not recorded.
        public var raw: [Span<Bool>]
        /// When the signal was asserted, and with what effect.
        public var asserted: [Span<Assertion>]
        /// The line's faults, such as `stuck` or `chatter`.
        public var faults: [Span<String>]

        public init(
            name: String,
            effect: String,
            raw: [Span<Bool>] = [],
            asserted: [Span<Assertion>] = [],
            faults: [Span<String>] = []
        ) {
            self.name = name
            self.effect = effect
            self.raw = raw
            self.asserted = asserted
            self.faults = faults
        }
    }
}

extension Timeline {
    /// The effect of a signal's assertion.
    public enum Assertion: Sendable, Equatable {
        /// The signal had its effect, alone or with others.
        case active
        /// The signal was suppressed as a system alert.
        case suppressed
        /// The signal's effect was dropped, for this reason, such as `stuck`.
        case dropped(String)
    }
}
