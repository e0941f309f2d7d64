/// Lays out small labels in one row, each centred on the extent that it labels. Labels that would touch are merged.
enum ChipLayout {
    struct Chip: Equatable {
        /// The indices of the extents that the chip labels.
        let members: Range<Int>
        /// The horizontal extent from the first to the last of them, in pixels.
        let extent: ClosedRange<Double>
        /// The horizontal extent of the label, in pixels.
        let box: ClosedRange<Double>
    }

    /// Returns chips for `extents` (ascending). None is closer than `gap` to the next, and all are within `bounds`.
    /// `width` returns the width of the label for a range of members, in pixels.
    static func chips(
        for extents: [ClosedRange<Double>], within bounds: ClosedRange<Double>, gap: Double = 6,
        width: (Range<Int>) -> Double
    ) -> [Chip] {
        func chip(_ members: Range<Int>, _ extent: ClosedRange<Double>) -> Chip {
            let needed = min(width(members), bounds.upperBound - bounds.lowerBound)
            let centred = (extent.lowerBound + extent.upperBound - needed) / 2
            let left = max(bounds.lowerBound, min(centred, bounds.upperBound - needed))
            return Chip(members: members, extent: extent, box: left...(left + needed))
        }

        var row: [Chip] = []
        for (index, extent) in extents.enumerated() {
            var next = chip(index..<(index + 1), extent)
            while let last = row.last, last.box.upperBound + gap > next.box.lowerBound {
                row.removeLast()
                let low = min(last.extent.lowerBound, next.extent.lowerBound)
                let high = max(last.extent.upperBound, next.extent.upperBound)
                next = chip(last.members.lowerBound..<next.members.upperBound, low...high)
            }
            row.append(next)
        }
        return row
    }
}
