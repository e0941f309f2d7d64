/// What has happened to the lines of a `LineReader`.
public struct LineReading<ID: Hashable & Sendable>: Hashable, Sendable {
    public struct Edge: Hashable, Sendable {
        public var id: ID
        /// The electrical level since then.
        public var level: Bool
        /// On CLOCK_MONOTONIC: of the kernel's interrupt, as a rule (see `LineReader.readEdges`).
        public var time: Duration
    }

    public struct Loss: Hashable, Sendable {
        public var id: ID
        public var error: GPIOError
    }

    /// In the order of time.
    public var edges: [Edge] = []
    /// Lines that cannot be read any more; they follow the edges.
    public var losses: [Loss] = []
}
