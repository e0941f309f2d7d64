import Testing

@testable import Timeline

@Suite struct CurveTests {
    private let scale = TimeScale(start: 0, end: 30, left: 0, right: 600)

    private func points(_ pairs: [(Double, Double)]) -> [Timeline.GainPoint] {
        pairs.map { .init(time: $0.0, gain: $0.1) }
    }

    @Test func gainHasNoRampAcrossAPowerCut() throws {
        let runs = GainRuns.runs(
            points([(0, 1), (22, 0.7), (25, 0), (26, 1)]), on: scale,
            without: [.init(from: 20, to: 24, value: .powerCut)])
        #expect(runs == [points([(0, 1), (20, 1)]), points([(25, 0), (26, 1), (30, 1)])])
    }

    @Test func gainIsClippedAtTheEdges() {
        let runs = GainRuns.runs(points([(-10, 0), (10, 1), (50, 0)]), on: scale, without: [])
        #expect(runs == [points([(0, 0.5), (10, 1), (30, 0.5)])])
    }

    @Test func thinningClampsTheGainAndKeepsPeaks() {
        var dense = (0..<2000).map { (Double($0) * 0.001, 0.5) }
        dense[700].1 = 3
        let runs = GainRuns.runs(points(dense), on: scale, without: [])
        #expect(runs.first?.map(\.gain).max() == 1)
        #expect((runs.first?.count ?? 0) < 200)
    }

    @Test func adjacentPlateausAreJoined() {
        let run = points([(0, 1), (1, 0.2), (2, 0.2), (3, 0.2), (4, 1)])
        #expect(GainRuns.plateaus(run) == [.init(from: 1, to: 3, value: 0.2)])
    }

    @Test func endOfARampDoesNotBelongToThePlateauAfterIt() {
        let run = points([(0, 0.003), (1, 0.002), (2, 0), (5, 0)])
        #expect(GainRuns.plateaus(run) == [.init(from: 2, to: 5, value: 0)])
    }

    @Test func envelopeKeepsTheLoudestPeakOfAColumn() {
        let buckets = (0..<3000).map { (index: Int) -> Timeline.PeakBucket in
            let from = Double(index) * 0.01
            return Timeline.PeakBucket(from: from, to: from + 0.01, peak: index == 1234 ? 0.9 : 0.1)
        }
        let outline = HeardEnvelope(buckets, on: scale).outline(on: scale, base: 100, height: 100)
        #expect((outline.map(\.y).min() ?? 0).rounded() == 10)
        #expect(HeardEnvelope([], on: scale).outline(on: scale, base: 100, height: 100).isEmpty)
    }

    @Test func roomIsTheLongestPartWithoutHighPeaks() {
        let peaks: [(Double, Double, Double)] = [(5, 6, 0.5), (12, 13, 0.5), (20, 21, 0.1)]
        let envelope = HeardEnvelope(peaks.map { .init(from: $0.0, to: $0.1, peak: $0.2) }, on: scale)
        #expect(envelope.room(in: 0...600, above: 0.2) == 260...600)
        #expect(envelope.room(in: 0...600, above: 0.05) == 420...600)
        #expect(envelope.room(in: 0...250, above: 0.05) == 120...240)
        #expect(envelope.room(in: 102...118, above: 0.05) == nil)
        #expect(HeardEnvelope([], on: scale).room(in: 10...20, above: 0) == 10...20)
    }

    private func course(_ spans: [Timeline.PlaybackSpan]) -> PlaybackCourse {
        PlaybackCourse(spans, scale: scale, y: 0...50)
    }

    @Test func positionsAreLabelledWhereItStoppedAndResumed() {
        let course = course([
            .init(from: 0, to: 5, fromPosition: 60, toPosition: 65, track: "a", motion: .playing),
            .init(from: 5, to: 10, fromPosition: 65, toPosition: 65, track: "a", motion: .held),
            .init(from: 10, to: 20, fromPosition: 62, toPosition: 72, track: "a", motion: .playing),
        ])
        #expect(course.labels.map(\.text) == ["1:05", "1:02"])
        #expect(course.labels.map(\.stopped) == [true, false])
        #expect(course.jumps.count == 1)
        #expect(course.tracks.map(\.name) == ["a"])
    }

    @Test func everyTrackStartsAtTheBottom() {
        let course = course([
            .init(from: 0, to: 10, fromPosition: 3000, toPosition: 3010, track: "a", motion: .playing),
            .init(from: 10, to: 20, fromPosition: 0, toPosition: 10, track: "b", motion: .playing),
        ])
        #expect(course.segments.map(\.from.y) == [50, 50])
        #expect(course.segments.map(\.to.y) == [0, 0])
        #expect(course.tracks.map(\.colour) == [0, 1])
        #expect(course.labels.isEmpty)
    }

    @Test func positionsAreNotLabelledAmongManyTracks() {
        func labels(tracks: Int) -> Int {
            course(
                (0..<tracks).flatMap { (index: Int) -> [Timeline.PlaybackSpan] in
                    let (from, length) = (30 * Double(index) / Double(tracks), 30 / Double(tracks))
                    return [
                        .init(
                            from: from, to: from + length / 4, fromPosition: 0, toPosition: 60, track: "\(index)",
                            motion: .playing),
                        .init(
                            from: from + length / 2, to: from + length, fromPosition: 90, toPosition: 99,
                            track: "\(index)", motion: .playing),
                    ]
                }
            ).labels.count
        }
        #expect(labels(tracks: 3) > 3 && labels(tracks: 41) == 0)
    }

    @Test func positionLabelsDoNotOverlap() {
        let spans = (0..<400).map { index in
            let motion: Timeline.PlaybackSpan.Motion = index % 2 == 0 ? .playing : .held
            let from = Double(index) * 0.075
            let position = Double(index * 7 % 90)
            return Timeline.PlaybackSpan(
                from: from, to: from + 0.07, fromPosition: position, toPosition: position, track: "a", motion: motion)
        }
        let labels = course(spans).labels
        #expect(labels.count > 3)
        for (index, one) in labels.enumerated() {
            for other in labels[(index + 1)...] {
                #expect(!one.box.overlaps(other.box) || (one.baseline - other.baseline).magnitude >= 13)
            }
        }
    }

    @Test func hairlinesFollowNotificationsOrElseTheSession() {
        let session: [Timeline.Span<Timeline.SessionState>] = [
            .init(from: 0, to: 3, value: .active), .init(from: 3, to: 6, value: .interrupted("call")),
        ]
        #expect(Hairlines.positions(labelled: [6, 6.1], session: session, on: scale) == [120])
        #expect(Hairlines.positions(labelled: [], session: session, on: scale) == [60])
        #expect(Hairlines.positions(labelled: [1, 2, 3], session: [], on: scale, most: 2).isEmpty)
    }
}
