extension Timeline {
    /// A value that held for a while.
    public struct Span<Value: Sendable & Equatable>: Sendable, Equatable {
        /// When it began, in seconds.
        public var from: Double
        /// When it ended, in seconds; `.infinity` if it has not.
        public var to: Double
        public var value: Value

        public init(from: Double, to: Double, value: Value) {
            self.from = from
            self.to = to
            self.value = value
        }
    }
}
