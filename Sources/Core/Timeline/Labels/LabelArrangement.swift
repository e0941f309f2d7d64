/// Some labels that are all to be shown, each on one side of its leader; finds the rows that make this
/// possible, if there are any.
struct LabelArrangement {
    /// From the leader to its text.
    private static let leaderGap = 4.0

    private struct Label {
        let item: Int
        let leader: Double
        let box: ClosedRange<Double>

        var isTurned: Bool { box.upperBound < leader }

        /// Whether the other's leader would run through the text if it went on that far. Then this label
        /// belongs in a row below the other's.
        func covers(_ other: Label) -> Bool {
            box.overlaps(margin: 2, other.leader...other.leader)
        }
    }

    /// In the order in which they settle: from right to left, because a leader further right may then stop in
    /// a row nearer to the line; labels on one pixel from top to bottom, as they happened.
    private let labels: [Label]

    /// - Parameter indices: which of `items`, ascending.
    init(_ indices: [Int], of items: [LabelLayout.Item], within bounds: ClosedRange<Double>) {
        var labels: [Label] = []
        for index in indices.stablySorted(by: { items[$0].x.rounded() > items[$1].x.rounded() }) {
            let item = items[index]
            let right = item.x + Self.leaderGap
            let left = item.x - Self.leaderGap
            let onRight = Label(item: index, leader: item.x, box: right...(right + item.width))
            let onLeft = Label(item: index, leader: item.x, box: (left - item.width)...left)
            let fits = onRight.box.upperBound <= bounds.upperBound
            // Two labels that cover each other's leader cannot both be drawn, whatever their rows.
            let crossed = labels.contains { $0.covers(onRight) && onRight.covers($0) }
            let mayTurn = onLeft.box.lowerBound >= bounds.lowerBound
            labels.append((fits && !crossed) || !mayTurn ? onRight : onLeft)
        }
        // Turned labels settle last, from left to right: each then goes below the few it meets, instead of
        // pushing a whole staircase of others down.
        self.labels = labels.filter { !$0.isTurned } + labels.filter(\.isTurned).reversed()
    }

    /// The rows, or `nil` if more than `maximumRows` were needed or the leaders cannot be kept clear.
    func placements(maximumRows: Int) -> [LabelLayout.Placement]? {
        var rows: [Int?] = Array(repeating: nil, count: labels.count)
        var waiting = Array(repeating: false, count: labels.count)

        /// Settles a label after those it covers, in the first row below all of them that is free.
        func settle(_ index: Int) -> Bool {
            if rows[index] != nil { return true }
            // Each waits for the other to be above it: there is no way out.
            if waiting[index] { return false }
            waiting[index] = true
            var row = 0
            for other in labels.indices where other != index && labels[index].covers(labels[other]) {
                guard settle(other), let above = rows[other] else { return false }
                row = max(row, above + 1)
            }
            let neighbours = labels.indices.filter { other in
                other != index && labels[other].box.overlaps(margin: 6, labels[index].box)
            }
            while neighbours.contains(where: { rows[$0] == row }) { row += 1 }
            rows[index] = row
            return row < maximumRows
        }

        for index in labels.indices where !settle(index) { return nil }
        return zip(labels, rows).compactMap { label, row in
            row.map { LabelLayout.Placement(item: label.item, row: $0, leader: label.leader, box: label.box) }
        }.sorted { $0.item < $1.item }
    }
}

extension ClosedRange<Double> {
    /// Whether the two come closer than `margin`.
    func overlaps(margin: Double, _ other: ClosedRange<Double>) -> Bool {
        lowerBound < other.upperBound + margin && other.lowerBound < upperBound + margin
    }
}
