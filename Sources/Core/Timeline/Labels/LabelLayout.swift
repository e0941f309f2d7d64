/// Lays out the labels of instants in rows below a common line. Each label is beside the end of a straight leader from
/// its instant. No label overlaps another, and no leader crosses a label.
///
/// Labels that do not fit are replaced by chips such as "+12 more" in a separate row at the bottom.
struct LabelLayout: Equatable {
    struct Item: Equatable {
        /// The x coordinate of the instant, in pixels.
        let x: Double
        /// The width of the text, in pixels.
        let width: Double
        /// The priority. If there is not room for all labels, those of higher priority are kept.
        let priority: Int
    }

    struct Placement: Equatable {
        /// The index of the item.
        let item: Int
        /// The row, of which 0 is nearest to the line.
        let row: Int
        /// The x coordinate of the leader, in pixels.
        let leader: Double
        /// The horizontal extent of the text, in pixels. The text is to the right of the leader, or to its left if
        /// there is no room.
        let box: ClosedRange<Double>
    }

    /// Items that are represented by a chip such as "+12 more".
    struct Remainder: Equatable {
        /// The indices of the items.
        let items: [Int]
        /// The horizontal extent from the first instant to the last one, in pixels.
        let extent: ClosedRange<Double>
        /// The horizontal extent of the text, in pixels.
        let box: ClosedRange<Double>
    }

    /// The placements in the order of the items.
    let placements: [Placement]
    /// The remainders from left to right.
    let remainders: [Remainder]
    /// The number of rows that the placements occupy.
    let rows: Int

    /// Lays out labels.
    /// - Parameters:
    ///   - items: the items, ascending in `x`.
    ///   - chipWidth: returns the width of a chip for this many items, in pixels.
    init(
        _ items: [Item], within bounds: ClosedRange<Double>, maximumRows: Int, chipWidth: (Int) -> Double
    ) {
        func arrangement(of indices: [Int]) -> [Placement]? {
            LabelArrangement(indices, of: items, within: bounds).placements(maximumRows: maximumRows)
        }

        // The attempt is skipped if the text exceeds the area.
        let area = (bounds.upperBound - bounds.lowerBound) * Double(maximumRows)
        let mayFit = items.reduce(0) { $0 + $1.width } <= area
        var best = mayFit ? arrangement(of: Array(items.indices)) : nil
        if best == nil {
            // Not all labels fit, so they are tried one by one. They are tried in order of priority, and at the same
            // priority in halving order, so that the labels that are kept are spread over the whole width.
            var kept: [Int] = []
            let order = Self.halvingOrder(items.count).stablySorted {
                items[$0].priority > items[$1].priority
            }
            for index in order {
                let position = kept.firstIndex { $0 > index } ?? kept.count
                var more = kept
                more.insert(index, at: position)
                if let found = arrangement(of: more) {
                    best = found
                    kept = more
                }
            }
        }
        placements = best ?? []
        rows = placements.reduce(0) { max($0, $1.row + 1) }

        let shown = Set(placements.map(\.item))
        let left = items.indices.filter { !shown.contains($0) }
        remainders = ChipLayout.chips(for: left.map { items[$0].x...items[$0].x }, within: bounds) {
            chipWidth($0.count)
        }.map { chip in
            Remainder(items: Array(left[chip.members]), extent: chip.extent, box: chip.box)
        }
    }

    /// Returns 0..<count, beginning with the middle, then the middles of the two halves, and so on.
    static func halvingOrder(_ count: Int) -> [Int] {
        var order: [Int] = []
        var ranges = [0..<count]
        while !ranges.isEmpty {
            var halves: [Range<Int>] = []
            for range in ranges where !range.isEmpty {
                let middle = (range.lowerBound + range.upperBound) / 2
                order.append(middle)
                halves += [range.lowerBound..<middle, (middle + 1)..<range.upperBound]
            }
            ranges = halves
        }
        return order
    }
}

extension Sequence {
    /// Sorts stably, which `sorted` does not guarantee, because the same input must give the same picture everywhere.
    func stablySorted(by areInIncreasingOrder: (Element, Element) -> Bool) -> [Element] {
        enumerated().sorted { first, second in
            if areInIncreasingOrder(first.element, second.element) { return true }
            if areInIncreasingOrder(second.element, first.element) { return false }
            return first.offset < second.offset
        }.map(\.element)
    }
}
