/// The tracks around the current one in the order in which they are played, by number.
public struct ListedTracks: Hashable, Sendable {
    /// The most tracks in one list.
    public static let most = 100

    public let numbers: Range<Int>
    private let tracks: [Track]

    /// Creates an empty list.
    public init() { self.init(from: 0, []) }

    /// - Parameter first: The number of the first track.
    public init(from first: Int, _ tracks: [Track]) {
        numbers = first..<(first + tracks.count)
        self.tracks = tracks
    }

    public subscript(number: Int) -> Track? { numbers.contains(number) ? tracks[number - numbers.lowerBound] : nil }
}

extension TrackList {
    /// Returns at most `ListedTracks.most` tracks around one of this list. They belong to the same choice, or to the same
    /// round of the library, so that the order of no other round must be drawn. Of a longer list, the same part is
    /// returned for 50 tracks in a row, at least 25 of which precede and follow each of them.
    public func listed(around number: Int) -> ListedTracks {
        guard contains(number), let all = part(with: number) else { return ListedTracks() }
        let most = ListedTracks.most
        let index = number - all.lowerBound
        let start = all.lowerBound + index / (most / 2) * (most / 2) - most / 4
        let first = max(all.lowerBound, min(start, all.upperBound - most))
        return ListedTracks(from: first, tracks(in: first..<min(first + most, all.upperBound)))
    }
}
