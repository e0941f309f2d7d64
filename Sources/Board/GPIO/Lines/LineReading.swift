/// The edges and losses that a `LineReader` has read.
public struct LineReading<ID: Hashable & Sendable>: Hashable, Sendable {
    public struct Edge: Hashable, Sendable {
        public var id: ID
        /// The electrical level after the edge: true is high.
        public var level: Bool
        /// On CLOCK_MONOTONIC: the time of the kernel's interrupt, or of a reading after a burst (see
        /// `LineReader.readEdges`).
        public var time: Duration
    }

    public struct Loss: Hashable, Sendable {
        public var id: ID
        public var error: GPIOError
    }

    /// In order of time.
    public var edges: [Edge] = []
    /// Lines that can no longer be read; each loss is later than all `edges` of its line.
    public var losses: [Loss] = []
}

/// The result of requesting a line.
public struct LineOutcome<ID: Hashable & Sendable>: Hashable, Sendable {
    public var id: ID
    /// The line's electrical level (true is high), or the reason why the line is not available.
    public var result: Result<Bool, GPIOError>

    public init(id: ID, result: Result<Bool, GPIOError>) {
        self.id = id
        self.result = result
    }
}

/// A change of a line's electrical level, as reported by the kernel.
public struct ChipEdge: Hashable, Sendable {
    /// The line's number on its chip, from 0.
    public var offset: Int
    /// The level after the edge: true is high.
    public var level: Bool
    /// The time of the kernel's interrupt, on CLOCK_MONOTONIC.
    public var time: Duration

    public init(offset: Int, level: Bool, time: Duration) {
        self.offset = offset
        self.level = level
        self.time = time
    }
}

/// Lines that were requested together and are lost together.
final class HeldGroup<ID: Hashable & Sendable> {
    struct Line {
        let wanted: WantedLine<ID>
        let found: FoundLine
        /// As last reported.
        var level: Bool
        /// When the level was last read directly rather than derived from an edge: it already reflects older edges.
        var readAt: Duration
    }

    let request: any HeldLines
    var lines: [Line]

    init(request: any HeldLines, lines: [Line]) {
        self.request = request
        self.lines = lines
    }
}
