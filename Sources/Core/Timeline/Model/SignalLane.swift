extension Timeline {
    /// What one signal did.
    public struct SignalLane: Sendable, Equatable {
        /// The signal's name, such as `phone-call`.
        public var name: String
        /// What it does to the programme, such as `pause` or `duck -14 dB`.
        public var effect: String
        /// The wire's electrical level before debouncing; empty if nobody recorded its edges.
        public var raw: [Span<Bool>]
        /// When the signal was asserted, and what came of it.
        public var asserted: [Span<Assertion>]
        /// What was wrong with the wire, such as `stuck` or `chatter`.
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
    /// What came of a signal's assertion.
    public enum Assertion: Sendable, Equatable {
        /// It governed the session, alone or with others.
        case inForce
        /// A signal of higher priority governed instead.
        case suppressed
        /// It was no longer believed, for this reason, such as `stuck`.
        case dropped(String)
    }
}
