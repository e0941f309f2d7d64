import Testing

@testable import Playback

/// The part of a list that is shown to clients.
@Suite struct ListedTracksTests {
    private func tracks(_ count: Int) -> [Track] { (0..<count).map { Track(path: "/music/\($0)") } }

    @Test func shortListIsCompleteForEachOfItsTracks() {
        let list = TrackList(tracks(100))
        for number in [0, 1, 50, 99] {
            let listed = list.listed(around: number)
            #expect(listed.numbers == 0..<100 && listed[99] == list[99], "\(number)")
        }
        #expect(list.listed(around: 0)[100] == nil && list.listed(around: 0)[-1] == nil)
    }

    @Test func longListShowsTheTracksAroundTheCurrentOne() {
        let list = TrackList(tracks(100_000))
        var parts: Set<Range<Int>> = []
        for number in stride(from: 0, to: list.count, by: 7) {
            let listed = list.listed(around: number)
            #expect(listed.numbers.count == 100 && listed[number] == list[number])
            if number >= 25 { #expect(listed.numbers.contains(number - 25)) }
            if number < list.count - 25 { #expect(listed.numbers.contains(number + 25)) }
            parts.insert(listed.numbers)
        }
        // A client does not receive another list with every track.
        #expect(parts.count == list.count / 50)
        #expect(list.listed(around: 0).numbers == 0..<100)
        #expect(list.listed(around: 99_999).numbers == 99_900..<100_000)
    }

    @Test func shuffledListShowsTheOrderOfItsRound() {
        let list = TrackList(tracks(120), shuffledBy: 7, repeats: true)
        for (number, numbers) in [(0, 0..<100), (119, 20..<120), (120, 120..<220), (4_000_000_119, 0..<0)] {
            let listed = list.listed(around: number)
            if !numbers.isEmpty { #expect(listed.numbers == numbers) }
            for number in listed.numbers { #expect(listed[number] == list[number]) }
        }
        #expect(list.listed(around: 4_000_000_119).numbers.allSatisfy { $0 / 120 == 4_000_000_119 / 120 })
        let before = list.listed(around: 0)
        _ = list.drawAgain()
        #expect(list.listed(around: 0).numbers == before.numbers && list.listed(around: 0) != before)
    }

    @Test func choiceShowsOnlyItsOwnTracks() {
        let list = TrackList(tracks(1000))
        let numbers = list.choose([Track(path: "/a"), Track(path: "/b")], repeats: true)
        #expect(
            list.listed(around: numbers.lowerBound)
                == ListedTracks(from: numbers.lowerBound, [Track(path: "/a"), Track(path: "/b")]))
        let others = list.choose(tracks(300), repeats: false)
        #expect(list.listed(around: others.upperBound - 1).numbers == (others.upperBound - 100)..<others.upperBound)
        #expect(list.listed(around: 5).numbers == 0..<100)
    }

    @Test func unknownNumberShowsNothing() {
        let list = TrackList(tracks(3))
        for number in [-1, 3, .min, .max, ChosenTracks.first] {
            #expect(list.listed(around: number) == ListedTracks(), "\(number)")
        }
        #expect(TrackList([]).listed(around: 0) == ListedTracks())
    }
}
