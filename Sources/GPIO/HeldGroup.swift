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
