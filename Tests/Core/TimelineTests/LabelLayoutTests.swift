import Testing

@testable import Timeline

@Suite struct LabelLayoutTests {
    private let bounds = 0.0...700.0

    private func layout(_ items: [LabelLayout.Item], rows: Int = 6) -> LabelLayout {
        LabelLayout(items, within: bounds, maximumRows: rows) { 20 + Double(String($0).count) * 8 }
    }

    private func expectClean(_ layout: LabelLayout, _ items: [LabelLayout.Item]) {
        for (index, one) in layout.placements.enumerated() {
            #expect(bounds.contains(one.box.lowerBound) && bounds.contains(one.box.upperBound))
            for other in layout.placements[(index + 1)...] {
                #expect(one.row != other.row || !one.box.overlaps(other.box), "\(one) on \(other)")
                // A leader runs from the line to its own row, past every row above it.
                #expect(one.row > other.row || !one.box.contains(other.leader), "\(other) through \(one)")
                #expect(other.row > one.row || !other.box.contains(one.leader), "\(one) through \(other)")
            }
        }
        for (one, other) in zip(layout.remainders, layout.remainders.dropFirst()) {
            #expect(one.box.upperBound < other.box.lowerBound)
            #expect(one.extent.upperBound <= other.extent.lowerBound)
        }
        let all = layout.placements.map(\.item) + layout.remainders.flatMap(\.items)
        #expect(all.sorted() == Array(items.indices))
    }

    @Test(arguments: [1, 2, 5, 20, 60, 200, 500], [20.0, 90, 240])
    func labelsAndLeadersNeverOverlap(_ count: Int, _ width: Double) {
        var state: UInt64 = 7
        let positions = (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 40) / Double(1 << 24) * 700
        }
        let items = positions.sorted().enumerated().map {
            LabelLayout.Item(x: $1, width: width + Double($0 % 7) * 5, priority: $0 % 3)
        }
        expectClean(layout(items), items)
    }

    @Test func singleLabelIsInTheFirstRowRightOfItsInstant() throws {
        let placement = try #require(layout([.init(x: 100, width: 50, priority: 0)]).placements.first)
        #expect(placement.row == 0)
        #expect(placement.box.lowerBound > 100)
    }

    @Test func labelAtTheRightEdgeFlipsToTheLeft() throws {
        let placement = try #require(layout([.init(x: 690, width: 50, priority: 0)]).placements.first)
        #expect(placement.box.upperBound < 690)
    }

    @Test func labelsOfOneInstantAreStackedInOrder() {
        let items = (0..<4).map { _ in LabelLayout.Item(x: 300, width: 80, priority: 0) }
        #expect(layout(items).placements.map(\.row) == [0, 1, 2, 3])
    }

    @Test func labelsOfOneInstantAtTheEdgesAreAllKept() {
        for x in [0.0, 700] {
            let items = (0..<5).map { _ in LabelLayout.Item(x: x, width: 80, priority: 0) }
            let layout = layout(items)
            #expect(layout.placements.count == 5)
            expectClean(layout, items)
        }
    }

    @Test func earlierLabelIsPlacedBelowALaterLeader() {
        let items = [LabelLayout.Item(x: 100, width: 80, priority: 0), .init(x: 120, width: 80, priority: 0)]
        #expect(layout(items).placements.map(\.row) == [1, 0])
    }

    @Test func labelsOfHighPriorityAreKept() {
        let items = (0..<40).map { LabelLayout.Item(x: 300 + Double($0), width: 100, priority: $0 == 17 ? 2 : 0) }
        let layout = layout(items, rows: 2)
        #expect(layout.placements.contains { $0.item == 17 })
        #expect(!layout.remainders.isEmpty)
        expectClean(layout, items)
    }

    @Test func noLabelsNeedNoRows() {
        let layout = layout([])
        #expect(layout.rows == 0)
        #expect(layout.placements.isEmpty && layout.remainders.isEmpty)
    }

    @Test func halvingOrderIsAPermutation() {
        #expect(LabelLayout.halvingOrder(7) == [3, 1, 5, 0, 2, 4, 6])
        #expect(LabelLayout.halvingOrder(100).sorted() == Array(0..<100))
    }

    @Test func chipsMergeInsteadOfTouching() {
        let extents = [10.0, 12, 40, 300, 690].map { $0...$0 }
        let chips = ChipLayout.chips(for: extents, within: bounds) { _ in 50 }
        #expect(chips.map(\.members) == [0..<3, 3..<4, 4..<5])
        #expect(chips.allSatisfy { $0.box.lowerBound >= 0 && $0.box.upperBound <= 700 })
    }
}
