/// Opens tracks, and skips those that cannot be played. Use it on one thread only; its calls block on the storage.
public final class TrackFinder {
    let tracks: TrackList
    private let order: TrackOrder
    /// Called once for each file that is skipped, and once for its first gap.
    private let onSkip: (_ track: Int, _ reason: DecoderError) -> Void
    /// The files that have been reported: those that broke off, and those with a gap.
    private var skipped: Set<Track> = []
    private var gapped: Set<Track> = []
    /// Detects lost storage, for which playback waits; nil to skip its tracks instead.
    private let probe: StorageProbe?
    private let readsAhead: Bool
    private let shortest: Duration
    /// Called before opening each file and during a long seek, because that can take long. Settable, as only the storage thread needs it.
    var onTry: () -> Void = {}

    /// - Parameters:
    ///   - tracks: the library, in the order in which it is played.
    ///   - order: which track follows which.
    ///   - probe: detects lost storage, for which playback waits; nil to skip its tracks instead.
    ///   - readsAhead: decode on a thread of its own, for a caller that is not one itself.
    ///   - shortest: a shorter file counts as empty.
    ///   - onSkip: called once for each file that is skipped, and once for its first gap, on the calling thread.
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
    /// Tries every track at most once.
    func search(for track: Int, at position: Duration, _ direction: SearchDirection) -> TrackSearch {
        search(from: track, at: position, next: direction == .forward ? order.next : order.previous)
    }

    /// The same, for callers that do not wait for lost storage; nil if no track is found.
    func source(for track: Int, at position: Duration, searching direction: SearchDirection) -> TrackSource? {
        search(for: track, at: position, direction).source
    }

    /// Opens the track that follows a track.
    func search(after track: Int) -> TrackSearch {
        order.successor(track).map { search(from: $0, at: .zero, next: order.next) } ?? .none
    }

    /// Whether the whole storage is lost.
    func isStorageGone() -> Bool { probe?.isGone() ?? false }

    /// What to wait for after a track has failed; nil if the fault is only in its file.
    func loss(with track: Int, _ error: DecoderError) -> StorageLoss? {
        guard let probe else { return nil }
        if error.reason == .tooManyOpenFiles { return StorageLoss(error) }
        return probe.isGone() ? StorageLoss(path: tracks[track].path) : nil
    }

    /// Reports a track that cannot be played or has broken off, once for each file. A gap was reported as one whose rest
    /// is played, so what ends that file later is reported, too.
    func skip(_ track: Int, _ reason: DecoderError) {
        let file = tracks[track]
        guard !skipped.contains(file), reason.reason != .gap || !gapped.contains(file) else { return }
        if reason.reason == .gap { gapped.insert(file) } else { skipped.insert(file) }
        onSkip(track, reason)
    }

    private func search(from first: Int, at position: Duration, next: (Int) -> Int?) -> TrackSearch {
        var candidate = first
        // Each track once: in a shuffled list, a whole round of them can begin in the next one.
        var tried: Set<Int> = []
        for _ in 0..<(2 * tracks.library.count) {
            guard tracks.contains(candidate), tried.count < tracks.library.count else { return .none }
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

/// Where to search for another track if the requested one cannot be played.
public enum SearchDirection: Sendable, Hashable {
    case forward
    case backward
}

/// The order of the tracks: each function takes and returns a number of the `TrackList`, or returns nil if there is none.
public struct TrackOrder {
    /// The track that follows when a track has ended.
    public var successor: (Int) -> Int?
    /// The neighbours, to try instead of a track that cannot be played.
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
