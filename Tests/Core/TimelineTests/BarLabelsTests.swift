import Testing

@testable import Timeline

@Suite struct BarLabelsTests {
    private func place(
        _ bars: [(ClosedRange<Double>, String?)], on sides: [BarLabels.Side] = [.beside, .strip],
        avoiding gaps: [ClosedRange<Double>] = []
    ) -> [BarLabels.Placement] {
        BarLabels(
            bars.map { .init(extent: $0.0, text: $0.1) }, on: sides, avoiding: gaps, within: 0...700
        ).placements
    }

    @Test func labelIsToTheRightIfThereIsRoom() {
        let width = TextMetrics.width("siren")
        #expect(place([(100...110, "siren")]) == [.init(bar: 0, side: .beside, box: 114...(114 + width))])
    }

    @Test func labelIsToTheLeftIfAnotherBarFollows() throws {
        let placement = try #require(place([(100...110, "siren"), (120...300, nil)]).first)
        #expect(placement.side == .beside && placement.box.upperBound == 96)
    }

    @Test func labelIsInTheStripIfBarsAreOnBothSides() throws {
        let placement = try #require(place([(0...90, nil), (100...110, "siren"), (120...300, nil)]).first)
        #expect(placement.side == .strip && placement.box.contains(105))
        #expect(place([(0...90, nil), (100...110, "siren"), (120...300, nil)], on: [.beside]).isEmpty)
    }

    @Test func labelsAvoidTimesInWhichNothingRan() throws {
        let right = try #require(place([(621...643, "interrupted")], on: [.strip], avoiding: [643...688]).first)
        #expect(right.box.upperBound == 643)
        let beside = try #require(place([(621...643, "call")], avoiding: [643...688]).first)
        #expect(beside.box.upperBound < 621)
    }

    @Test(arguments: [2, 5, 20, 100], [BarLabels.Side.beside, .strip])
    func labelsNeverOverlap(_ count: Int, _ side: BarLabels.Side) {
        let step = 700 / Double(count)
        let bars = (0..<count).map { index -> (ClosedRange<Double>, String?) in
            let left = Double(index) * step
            return (left...(left + step * 0.3), index.isMultiple(of: 2) ? "gong" : "announcement")
        }
        let placements = place(bars, on: [side])
        for (one, other) in zip(placements, placements.dropFirst()) {
            #expect(one.box.upperBound < other.box.lowerBound)
        }
        #expect(placements.allSatisfy { $0.box.lowerBound >= 0 && $0.box.upperBound <= 700 })
    }

    @Test func fewLabelsAmongManyBarsAreLeftOut() {
        let bars = (0..<50).map { number in
            let start = 14 * Double(number)
            return (start...start + 7, Optional("announcement"))
        }
        #expect(place(bars).isEmpty)
    }
}
