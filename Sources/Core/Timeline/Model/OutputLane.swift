extension Timeline {
    /// An output of the board, drawn as a lane.
    public struct OutputLane: Sendable, Equatable {
        public var name: String
        /// When it is asserted, in a word: `amplifier`, `healthy`.
        public var meaning: String
        /// When it was asserted.
        public var asserted: [Span<Bool>]

        public init(name: String, meaning: String, asserted: [Span<Bool>]) {
            self.name = name
            self.meaning = meaning
            self.asserted = asserted
        }
    }
}
