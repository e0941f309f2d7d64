/// Opens tracks and skips the ones that cannot be played. Use it on one thread only. Its calls block on the storage.
public final class TrackFinder {
    let tracks: TrackList
    private let order: TrackOrder
    /// Called once for each file that is skipped, and once for the first gap of a file.
    private let onSkip: (_ track: Int, _ reason: DecoderError) -> Void
    /// The files that have been reported because they cannot be played, and the files that have been reported because
    /// of a gap.
    private var skipped: Set<Track> = []
    private var gapped: Set<Track> = []
    /// Detects lost storage, so that playback waits for it. If this is nil, the tracks on lost storage are skipped.
    private let probe: StorageProbe?
    private let readsAhead: Bool
    private let shortest: Duration
    /// Called before each file is opened and during a long seek, because both can take a long time. Only the storage
    /// thread sets it.
    var onTry: () -> Void = {}

    /// - Parameters:
    ///   - tracks: the library, in the order in which it is played.
    ///   - order: the order in which tracks follow each other.
    ///   - probe: detects lost storage, so that playback waits for it. If this is nil, the tracks on lost storage are
    ///     skipped.
    ///   - readsAhead: true to decode on a separate thread, for a caller whose own thread must not be busy with
    ///     decoding.
    ///   - shortest: the minimum duration of a file. Shorter files are treated as empty.
    ///   - onSkip: called on the calling thread, once for each file that is skipped and once for the first gap of a
    ///     file.
    public init(
        tracks: TrackList, order: TrackOrder, storage probe: StorageProbe? = nil, readsAhead: Bool = false,
        shortest: Duration = TrackSource.shortest,
        onSkip: @escaping (_ track: Int, _ reason: DecoderError) -> Void
    ) {
        self.tracks = tracks
        self.order = order
        self.probe = probe
        self.readsAhead = readsAhead
        self.shortest = shortest
        self.onSkip = onSkip
    }

    /// Opens the requested track at `position` or, if it cannot be played, the next one in `direction` at its start.
    /// The search tries every track at most once.
    func search(for track: Int, at position: Duration, _ direction: SearchDirection) -> TrackSearch {
        search(from: track, at: position, next: direction == .forward ? order.next : order.previous)
    }

    /// Does the same as `search` for callers that do not wait for lost storage. Returns nil if no track is found.
    func source(for track: Int, at position: Duration, searching direction: SearchDirection) -> TrackSource? {
        search(for: track, at: position, direction).source
    }

    /// Opens the track that follows a track.
    func search(after track: Int) -> TrackSearch {
        order.successor(track).map { search(from: $0, at: .zero, next: order.next) } ?? .none
    }

    /// True if the whole storage is lost.
    func isStorageGone() -> Bool { probe?.isGone() ?? false }

    /// Returns the loss to wait for after a track has failed, or nil if only its file is faulty.
    func loss(with track: Int, _ error: DecoderError) -> StorageLoss? {
        guard let probe else { return nil }
        if error.reason == .tooManyOpenFiles { return StorageLoss(error) }
        return probe.isGone() ? StorageLoss(path: tracks[track].path) : nil
    }

    /// Reports a track that cannot be played or has broken off, once for each file. If a gap in a file has been
    /// reported, a later error that ends the file is also reported.
    func skip(_ track: Int, _ reason: DecoderError) {
        let file = tracks[track]
        guard !skipped.contains(file), reason.reason != .gap || !gapped.contains(file) else { return }
        if reason.reason == .gap { gapped.insert(file) } else { skipped.insert(file) }
        onSkip(track, reason)
    }

    private func search(from first: Int, at position: Duration, next: (Int) -> Int?) -> TrackSearch {
        var candidate = first
        // Try each track once. In a shuffled list, this may continue into the next round.
        var tried: Set<Int> = []
        let count = tracks.searchedCount(for: first)
        for _ in 0..<(2 * count) {
            guard tracks.contains(candidate), tried.count < count else { return .none }
            guard tried.insert(tracks.index(of: candidate)).inserted else {
                guard let following = next(candidate) else { return .none }
                candidate = following
                continue
            }
            onTry()
            do {
                return .found(
                    try TrackSource(
                        track: candidate, file: tracks[candidate], at: candidate == first ? position : .zero,
                        readsAhead: readsAhead, shortest: shortest, onProgress: onTry))
            } catch {
                if let loss = loss(with: candidate, error) { return .blocked(loss) }
                skip(candidate, error)
            }
            guard let following = next(candidate) else { return .none }
            candidate = following
        }
        return .none
    }
}

/// The result of a search for a track.
enum TrackSearch {
    case found(TrackSource)
    /// No track can be played.
    case none
    /// The storage cannot be read at the moment.
    case blocked(StorageLoss)

    var source: TrackSource? {
        if case .found(let source) = self { source } else { nil }
    }
}

/// The direction in which to search for another track if the requested one cannot be played.
public enum SearchDirection: Sendable, Hashable {
    case forward
    case backward
}

/// The order of the tracks. Each function takes a number in the `TrackList` and returns another number, or nil if there
/// is none.
public struct TrackOrder {
    /// Returns the track that follows after a track has ended.
    public var successor: (Int) -> Int?
    /// Return the neighbours of a track, which are tried if the track itself cannot be played.
    public var next: (Int) -> Int?
    public var previous: (Int) -> Int?

    public init(
        successor: @escaping (Int) -> Int?, next: @escaping (Int) -> Int?, previous: @escaping (Int) -> Int?
    ) {
        self.successor = successor
        self.next = next
        self.previous = previous
    }
}
