/// Where interruptions and ducks began, for the lines through all lanes.
enum Hairlines {
    /// Pixels, ascending, of the `labelled` beginnings, which continue down to their notifications; if there
    /// are no notifications at all, of the beginnings the session tells of. Of several closer than `gap` to
    /// each other the first stays.
    static func positions(
        labelled: [Double], session: [Timeline.Span<Timeline.SessionState>], on scale: TimeScale, gap: Double = 8
    ) -> [Double] {
        let spans = session.filter { span in
            switch span.value {
            case .interrupted, .ducked: true
            case .active, .inactive: false
            }
        }.map(\.from)
        var positions: [Double] = []
        for x in (labelled.isEmpty ? spans : labelled).filter(scale.contains).map(scale.x).sorted() {
            if let last = positions.last, x - last < gap { continue }
            positions.append(x)
        }
        return positions
    }
}
