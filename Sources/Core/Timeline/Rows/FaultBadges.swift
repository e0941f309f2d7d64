/// The faults of a signal's line, each with a bar for as long as it lasted and a badge at its beginning.
struct FaultBadges {
    static let height = 22.0

    private let scale: TimeScale
    private let faults: [(extent: ClosedRange<Double>, fault: Timeline.Span<String>)]

    init(_ faults: [Timeline.Span<String>], scale: TimeScale) {
        self.scale = scale
        self.faults = faults.compactMap { fault in
            scale.extent(fault.from, fault.to).map { (extent: $0, fault: fault) }
        }.stablySorted { $0.extent.lowerBound < $1.extent.lowerBound }
    }

    func draw(on canvas: inout SVGCanvas, top: Double) {
        for (extent, _) in faults {
            canvas.rectangle(x: extent, y: (top + 17)...(top + 19), .init(fill: Palette.vermillion))
        }
        let boxes = faults.indices.map { index in
            let start = faults[index].extent.lowerBound
            return start...(start + width(index..<(index + 1)))
        }
        for chip in ChipLayout.chips(for: boxes, within: scale.left...scale.right, gap: 3, width: width) {
            let left = chip.box.lowerBound
            canvas.rectangle(
                x: chip.box, y: top...(top + 16.5), radius: 3,
                .init(fill: Palette.vermillionTint, stroke: Palette.vermillion), tooltip: tooltip(chip.members))
            let sign = [(5.0, 13.0), (10.5, 3.5), (16, 13)].map { Point(x: left + $0.0, y: top + $0.1) }
            canvas.path(sign, closed: true, .init(fill: Palette.ink))
            canvas.text(text(chip.members), x: left + 20, y: top + 12.5)
        }
    }

    private func width(_ members: Range<Int>) -> Double {
        TextMetrics.width(text(members)) + 26
    }

    /// Returns a text such as `stuck` or `chatter ×3, lost`, or the number of faults if their names are too long.
    private func text(_ members: Range<Int>) -> String {
        var kinds: [(word: String, count: Int)] = []
        for word in members.map({ faults[$0].fault.value }) {
            if let index = kinds.firstIndex(where: { $0.word == word }) {
                kinds[index].count += 1
            } else {
                kinds.append((word, 1))
            }
        }
        let text = kinds.map { $0.count == 1 ? $0.word : "\($0.word) ×\($0.count)" }.joined(separator: ", ")
        if TextMetrics.width(text) <= 140 { return text }
        return members.count == 1 ? TextMetrics.fitted(text, into: 140) ?? "fault" : "\(members.count) faults"
    }

    private func tooltip(_ members: Range<Int>) -> String {
        members.map { faults[$0].fault }.map { fault in
            "\(fault.value), \(scale.span(fault.from, fault.to))"
        }.joined(separator: "; ")
    }
}
