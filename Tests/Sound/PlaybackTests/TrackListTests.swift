import Testing

@testable import Playback

@Suite struct TrackListTests {
    private func list(_ count: Int, seed: UInt64 = 1, repeats: Bool = true) -> TrackList {
        TrackList((0..<count).map { Track(path: "/music/\($0)") }, shuffledBy: seed, repeats: repeats)
    }

    private func round(_ number: Int, of list: TrackList) -> [Int] {
        let count = list.library.count
        return (0..<count).map { list.index(of: number * count + $0) }
    }

    @Test(arguments: [3, 4, 6, 50])
    func eachRoundHasANewOrderAndNoTrackTwiceInARow(count: Int) {
        for seed in 0..<40 as Range<UInt64> {
            let list = list(count, seed: seed)
            let rounds = (0..<12).map { round($0, of: list) }
            for order in rounds { #expect(order.sorted() == Array(0..<count)) }
            for (before, after) in zip(rounds, rounds.dropFirst()) {
                #expect(before != after)
                #expect(before.last != after.first)
            }
        }
    }

    @Test func twoTracksAlternateAndOneRepeats() {
        #expect(Set((0..<8).map { list(2).index(of: $0) % 2 }).count == 2)
        for number in 0..<7 { #expect(list(2).index(of: number) != list(2).index(of: number + 1)) }
        #expect((0..<5).map { list(1).index(of: $0) } == [0, 0, 0, 0, 0])
        #expect(list(0).isEmpty && list(0).count == 0 && !list(0).contains(0))
    }

    /// A saved state contains only the seed and the number, so other rounds that were examined must not matter.
    @Test func anyRoundFollowsFromTheSeedAlone() {
        let one = list(10, seed: 7)
        for number in (0..<20).reversed() { #expect(round(number, of: one) == round(number, of: list(10, seed: 7))) }
        #expect(round(4_000_000_001, of: one) == round(4_000_000_001, of: list(10, seed: 7)))
        #expect(round(0, of: one) != round(0, of: list(10, seed: 8)))
    }

    /// States that were saved before rounds were introduced refer to the first round.
    @Test func firstRoundHasTheOrderOfEarlierVersions() {
        #expect(round(0, of: list(8, seed: 7)) == [3, 1, 7, 5, 0, 4, 6, 2])
    }

    @Test func aListThatDoesNotRepeatHasOneRound() {
        let once = list(5, repeats: false)
        #expect(once.count == 5 && !once.contains(5))
        #expect(round(0, of: once) == round(0, of: list(5)))
        #expect(TrackList(once.library).index(of: 3) == 3 && TrackList(once.library).count == 5)
    }

    @Test(arguments: [2, 3, 20])
    func drawsAnotherOrderForAllCopies(count: Int) {
        let list = list(count, repeats: false)
        let copy = list
        for _ in 0..<10 {
            let before = round(0, of: list)
            guard let seed = list.drawAgain() else {
                Issue.record("it is not shuffled")
                return
            }
            #expect(round(0, of: list) != before && round(0, of: list).sorted() == Array(0..<count))
            #expect(round(0, of: copy) == round(0, of: list))
            #expect(round(0, of: TrackList(list.library, shuffledBy: seed, repeats: false)) == round(0, of: list))
        }
        #expect(TrackList(list.library).drawAgain() == nil && self.list(0, repeats: false).drawAgain() != nil)
    }

    @Test func findsATrackInTheRoundOfAnother() {
        let list = list(6)
        for index in 0..<6 {
            let number = list.number(ofIndex: index, near: 20) ?? 0
            #expect((18..<24).contains(number) && list.index(of: number) == index)
        }
        #expect(list.number(ofIndex: 0, near: -1).map { $0 < 6 } == true)
    }
}
