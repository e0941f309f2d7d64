extension Timeline {
    /// The history of one signal.
    public struct SignalLane: Sendable, Equatable {
        /// The signal's name, such as `phone-call`.
        public var name: String
        /// The effect in words for people, such as `pauses the music`.
        public var effect: String
        /// The electrical level of the line before debouncing. It is empty if the edges were not recorded.
        public var raw: [Span<Bool>]
        /// The spans in which the signal was asserted, with their effect.
        public var asserted: [Span<Assertion>]
        /// The faults of the line, such as `stuck` or `chatter`.
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

extension Timeline.SignalLane {
    /// Returns an effect in words that fit beside a lane.
    /// - Parameters:
    ///   - effect: the effect's name in the configuration and the journal, such as `duck`.
    ///   - level: the level of a duck, such as `-14` or `mute`, or nil if it is unknown.
    public static func words(forEffect effect: String, level: String? = nil) -> String {
        switch (effect, level) {
        case ("pause", _): "pauses the music"
        case ("duck", "mute"?): "mutes the music"
        case ("duck", let level?): "turns down to \(level.replacing("-", with: "−")) dB"
        case ("duck", nil): "turns the music down"
        case ("mute-microphone", _): "mutes microphone"
        case ("checkpoint", _): "saves the position"
        case ("ignore", _): "no effect"
        default: effect
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
        /// The effect of the signal was dropped, for this reason, such as `stuck`.
        case dropped(String)
    }
}
