extension Timeline {
    /// An output of the board, drawn as a lane.
    public struct OutputLane: Sendable, Equatable {
        public var name: String
        /// The condition under which the output is asserted, in one word such as `amplifier` or `healthy`.
        public var meaning: String
        /// The spans in which the output was asserted.
        public var asserted: [Span<Bool>]

        public init(name: String, meaning: String, asserted: [Span<Bool>]) {
            self.name = name
            self.meaning = meaning
            self.asserted = asserted
        }
    }
}
