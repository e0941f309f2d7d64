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
