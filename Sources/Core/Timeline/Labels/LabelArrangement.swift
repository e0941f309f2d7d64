/// Arranges labels in rows, each on one side of its leader, so that all of them can be shown if possible.
struct LabelArrangement {
    /// The distance from the leader to its text, in pixels.
    private static let leaderGap = 4.0

    private struct Label {
        let item: Int
        let leader: Double
        let box: ClosedRange<Double>

        /// True if the text is to the left of its leader.
        var isFlipped: Bool { box.upperBound < leader }

        /// Returns true if the other label's leader would cross this text if the leader reached that far. In that case,
        /// this label belongs in a row below the other one.
        func covers(_ other: Label) -> Bool {
            box.overlaps(margin: 2, other.leader...other.leader)
        }
    }

    /// The labels in the order of their placement. They are placed from right to left, so that leaders further right
    /// can end in rows nearer to the line. On the same pixel, they are placed from top to bottom in the order of time.
    private let labels: [Label]

    /// Chooses a side for each label.
    /// - Parameter indices: the indices of the labels in `items`, ascending.
    init(_ indices: [Int], of items: [LabelLayout.Item], within bounds: ClosedRange<Double>) {
        var labels: [Label] = []
        for index in indices.stablySorted(by: { items[$0].x.rounded() > items[$1].x.rounded() }) {
            let item = items[index]
            let right = item.x + Self.leaderGap
            let left = item.x - Self.leaderGap
            let onRight = Label(item: index, leader: item.x, box: right...(right + item.width))
            let onLeft = Label(item: index, leader: item.x, box: (left - item.width)...left)
            let fits = onRight.box.upperBound <= bounds.upperBound
            // If two labels cover each other's leaders, no choice of rows can show both.
            let crossed = labels.contains { $0.covers(onRight) && onRight.covers($0) }
            let canFlip = onLeft.box.lowerBound >= bounds.lowerBound
            labels.append((fits && !crossed) || !canFlip ? onRight : onLeft)
        }
        // Flipped labels are placed last, from left to right. Each then goes below the few labels that it meets,
        // instead of pushing many others down.
        self.labels = labels.filter { !$0.isFlipped } + labels.filter(\.isFlipped).reversed()
    }

    /// Returns the positions of the labels.
    /// - Returns: nil if the labels need more than `maximumRows` rows, or if leaders cannot avoid crossing labels.
    func placements(maximumRows: Int) -> [LabelLayout.Placement]? {
        var rows: [Int?] = Array(repeating: nil, count: labels.count)
        var waiting = Array(repeating: false, count: labels.count)

        /// Places a label after those that it covers, in the first free row below all of them.
        func place(_ index: Int) -> Bool {
            if rows[index] != nil { return true }
            // This is a cycle, in which each label would have to be below the other.
            if waiting[index] { return false }
            waiting[index] = true
            var row = 0
            for other in labels.indices where other != index && labels[index].covers(labels[other]) {
                guard place(other), let above = rows[other] else { return false }
                row = max(row, above + 1)
            }
            let neighbours = labels.indices.filter { other in
                other != index && labels[other].box.overlaps(margin: 6, labels[index].box)
            }
            while neighbours.contains(where: { rows[$0] == row }) { row += 1 }
            rows[index] = row
            return row < maximumRows
        }

        for index in labels.indices where !place(index) { return nil }
        return zip(labels, rows).compactMap { label, row in
            row.map { LabelLayout.Placement(item: label.item, row: $0, leader: label.leader, box: label.box) }
        }.sorted { $0.item < $1.item }
    }
}

extension ClosedRange<Double> {
    /// Returns true if the two come closer than `margin`.
    func overlaps(margin: Double, _ other: ClosedRange<Double>) -> Bool {
        lowerBound < other.upperBound + margin && other.lowerBound < upperBound + margin
    }
}
