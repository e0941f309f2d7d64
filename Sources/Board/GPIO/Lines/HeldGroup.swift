/// Lines that were requested together and are lost together.
final class HeldGroup<ID: Hashable & Sendable> {
    struct Line {
        let wanted: WantedLine<ID>
        let found: FoundLine
        /// The level that was last reported.
        var level: Bool
        /// The time at which the level was last read directly rather than derived from an edge. The level already
        /// reflects edges that are older than this time.
        var readAt: Duration
        /// A level that was read without its edge, or nil if there is none.
        var suspect: Bool?
    }

    let request: any HeldLines
    var lines: [Line]

    init(request: any HeldLines, lines: [Line]) {
        self.request = request
        self.lines = lines
    }
}
