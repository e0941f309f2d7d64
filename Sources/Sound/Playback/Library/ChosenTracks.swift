import Synchronization

/// The tracks that a user has chosen to play in place of a library's list. Several threads may use it.
///
/// The tracks of each choice have their own numbers, which differ from those of the library. A number of the previous
/// choice stays valid, because another thread may still report about it.
public final class ChosenTracks: Sendable {
    private struct List {
        let first: Int
        let tracks: [Track]
        let repeats: Bool

        var numbers: Range<Int> { first..<(first + tracks.count) }
    }

    /// The lowest number of a chosen track. A shuffled library has fewer positions in all of its rounds.
    public static let first = 1 << 60
    /// The previous choice, if there is one, and the present one.
    private let lists = Mutex<[List]>([])

    init() {}

    /// Replaces the choice.
    /// - Parameter repeats: true if the first track follows the last one.
    /// - Returns: the numbers of the tracks.
    func replace(with tracks: [Track], repeats: Bool) -> Range<Int> {
        lists.withLock { lists in
            let list = List(first: lists.last?.numbers.upperBound ?? Self.first, tracks: tracks, repeats: repeats)
            lists = lists.suffix(1) + [list]
            return list.numbers
        }
    }

    private func list(with number: Int) -> List? {
        lists.withLock { $0.first { $0.numbers.contains(number) } }
    }

    subscript(number: Int) -> Track? {
        list(with: number).map { $0.tracks[number - $0.first] }
    }

    /// Returns the numbers of the choice to which a track belongs, or nil if it belongs to none.
    func numbers(with number: Int) -> Range<Int>? { list(with: number)?.numbers }

    /// Returns the number of tracks of the choice to which a track belongs.
    func count(with number: Int) -> Int { numbers(with: number)?.count ?? 0 }

    /// Returns the number of the track that is one step forwards or backwards, or nil past either end of a choice that
    /// does not repeat.
    /// - Parameter step: 1 or −1.
    func neighbour(of number: Int, _ step: Int) -> Int? {
        guard let list = list(with: number) else { return nil }
        if list.numbers.contains(number + step) { return number + step }
        guard list.repeats else { return nil }
        return step > 0 ? list.first : list.numbers.upperBound - 1
    }
}
