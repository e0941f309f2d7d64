/// Small labels for runs of things, each centred on its run, in one row; where two would meet they become one.
enum ChipLayout {
    struct Chip: Equatable {
        /// Which of the extents it stands for.
        let members: Range<Int>
        /// The pixels of the things themselves.
        let extent: ClosedRange<Double>
        /// The pixels of the label.
        let box: ClosedRange<Double>
    }

    /// Chips for `extents` (ascending), none closer than `gap` to the next and all within `bounds`.
    /// `width` tells the pixels the label of some members needs.
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
