/// Labels of instants, which are attached to the upper edge of the lane.
struct MarkRow: Lane {
    let name: String
    let note: String
    let marks: [Timeline.Mark]
    let layout: LabelLayout

    private static let rowHeight = 17.0
    private static let tickHeight = 7.0
    private static let longest = 250.0

    /// Lays out the labels.
    /// - Parameter maximumRows: the maximum number of rows of labels. Chips replace further labels.
    init(
        name: String, note: String, marks: [Timeline.Mark], scale: TimeScale, maximumRows: Int
    ) {
        self.name = name
        self.note = note
        self.marks = marks.filter { scale.contains($0.time) }.stablySorted { $0.time < $1.time }
        let items = self.marks.map { mark in
            LabelLayout.Item(
                x: scale.x(mark.time), width: min(TextMetrics.width(mark.text), Self.longest),
                priority: mark.kind == .notice ? 0 : mark.kind == .ended ? 1 : 2)
        }
        layout = LabelLayout(items, within: scale.left...scale.right, maximumRows: maximumRows) { count in
            TextMetrics.width(Self.more(count)) + 4
        }
    }

    /// Returns the instants of the labelled marks of one kind, in seconds.
    func labelled(_ kind: Timeline.Mark.Kind) -> [Double] {
        layout.placements.map { marks[$0.item] }.filter { $0.kind == kind }.map(\.time)
    }

    var height: Double {
        let chips = layout.remainders.isEmpty ? 0 : Self.rowHeight + 6
        return max(Self.tickHeight + Double(layout.rows) * Self.rowHeight + chips + 10, 42)
    }

    func draw(on canvas: inout SVGCanvas, top: Double, scale: TimeScale) {
        label(name, note: note, on: &canvas, baseline: top + 18)
        if marks.isEmpty { canvas.nothing("none", scale: scale, baseline: top + height / 2 + 4) }
        for mark in marks {
            canvas.line(
                x1: scale.x(mark.time), y1: top, x2: scale.x(mark.time), y2: top + Self.tickHeight,
                .init(stroke: colour(of: mark), width: 1.5))
        }
        // Leaders are drawn first, so that none is drawn over the halo of a label.
        for placement in layout.placements {
            canvas.line(
                x1: placement.leader, y1: top, x2: placement.leader, y2: baseline(of: placement, top: top) + 3,
                .init(stroke: colour(of: marks[placement.item]), width: 1.2))
        }
        for placement in layout.placements {
            let mark = marks[placement.item]
            canvas.text(
                mark.text, x: placement.box.lowerBound, y: baseline(of: placement, top: top),
                limit: Self.longest, halo: true, tooltip: "\(scale.instant(mark.time)): \(mark.text)")
        }
        drawRemainders(on: &canvas, top: top + Self.tickHeight + Double(layout.rows) * Self.rowHeight + 5)
    }

    private func drawRemainders(on canvas: inout SVGCanvas, top: Double) {
        for remainder in layout.remainders {
            let bracket = [
                Point(x: remainder.extent.lowerBound, y: top - 2), Point(x: remainder.extent.lowerBound, y: top + 2),
                Point(x: remainder.extent.upperBound, y: top + 2), Point(x: remainder.extent.upperBound, y: top - 2),
            ]
            canvas.path(bracket, .init(stroke: Palette.grey))
            canvas.text(
                Self.more(remainder.items.count),
                x: (remainder.box.lowerBound + remainder.box.upperBound) / 2, y: top + 15,
                fill: Palette.quietInk, anchor: .middle, halo: true)
        }
    }

    private func baseline(of placement: LabelLayout.Placement, top: Double) -> Double {
        top + Self.tickHeight + Double(placement.row) * Self.rowHeight + 13
    }

    private func colour(of mark: Timeline.Mark) -> String {
        switch mark.kind {
        case .began: Palette.vermillion
        case .ended: Palette.green
        case .notice: Palette.grey
        }
    }

    private static func more(_ count: Int) -> String {
        "+\(count) more"
    }
}
