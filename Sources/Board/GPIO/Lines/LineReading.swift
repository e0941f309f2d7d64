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

/// What came of asking for a line.
public struct LineOutcome<ID: Hashable & Sendable>: Hashable, Sendable {
    public var id: ID
    /// Its electrical level, or why it cannot be had.
    public var result: Result<Bool, GPIOError>

    public init(id: ID, result: Result<Bool, GPIOError>) {
        self.id = id
        self.result = result
    }
}

/// A change of a line's electrical level, as the kernel saw it.
public struct ChipEdge: Hashable, Sendable {
    /// The line's number on its chip.
    public var offset: Int
    /// The level since then.
    public var level: Bool
    /// Of the kernel's interrupt, on CLOCK_MONOTONIC.
    public var time: Duration

    public init(offset: Int, level: Bool, time: Duration) {
        self.offset = offset
        self.level = level
        self.time = time
    }
}

/// Lines that were requested together, and that are lost together.
final class HeldGroup<ID: Hashable & Sendable> {
    struct Line {
        let wanted: WantedLine<ID>
        let found: FoundLine
        /// As it was told last.
        var level: Bool
        /// When that was read, if it was not told by an edge: older edges are part of it.
        var readAt: Duration
    }

    let request: any HeldLines
    var lines: [Line]

    init(request: any HeldLines, lines: [Line]) {
        self.request = request
        self.lines = lines
    }
}
