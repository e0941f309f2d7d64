/// Opens tracks, passing over those that cannot be played.
public final class TrackFinder {
    let tracks: [Track]
    private let order: TrackOrder
    /// Told of every skipped file, once per file.
    private let onSkip: (_ track: Int, _ reason: DecoderError) -> Void
    private var reported: Set<String> = []
    /// Tells whether the storage is gone as a whole, which is waited for; nil: all of its tracks are passed over.
    private let probe: StorageProbe?
    /// Called before each file is opened, as that may take its time.
    var onTry: () -> Void = {}

    public init(
        tracks: [Track], order: TrackOrder, storage probe: StorageProbe? = nil,
        onSkip: @escaping (_ track: Int, _ reason: DecoderError) -> Void
    ) {
        self.tracks = tracks
        self.order = order
        self.probe = probe
        self.onSkip = onSkip
    }

    /// The track asked for at `position`, or, where it cannot be played, the next one in `direction` from its start.
    /// Every track is tried at most once.
    func search(for track: Int, at position: Duration, _ direction: SearchDirection) -> TrackSearch {
        search(from: track, at: position, next: direction == .forward ? order.next : order.previous)
    }

    /// The same, for those who do not wait for a storage.
    func source(for track: Int, at position: Duration, searching direction: SearchDirection) -> TrackSource? {
        search(for: track, at: position, direction).source
    }

    /// What follows a track.
    func search(after track: Int) -> TrackSearch {
        order.successor(track).map { search(from: $0, at: .zero, next: order.next) } ?? .none
    }

    /// Whether the storage is gone as a whole.
    func isStorageGone() -> Bool { probe?.isGone() ?? false }

    /// What to wait for, if a track failed with more than itself; nil: the fault is the file's own.
    func loss(with track: Int, _ error: DecoderError) -> StorageLoss? {
        guard let probe else { return nil }
        if error.reason == .tooManyOpenFiles { return StorageLoss(error) }
        return probe.isGone() ? StorageLoss(path: tracks[track].path) : nil
    }

    /// Tells of a track that has broken off, once per file.
    func skip(_ track: Int, _ reason: DecoderError) {
        if reported.insert(tracks[track].path).inserted { onSkip(track, reason) }
    }

    private func search(from first: Int, at position: Duration, next: (Int) -> Int?) -> TrackSearch {
        var candidate = first
        var tried: Set<Int> = []
        while tracks.indices.contains(candidate), tried.insert(candidate).inserted {
            onTry()
            do {
                return .found(
                    try TrackSource(
                        track: candidate, file: tracks[candidate], at: candidate == first ? position : .zero))
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

/// What came of looking for a track.
enum TrackSearch {
    case found(TrackSource)
    /// None can be played.
    case none
    /// Nothing can be read for the time being.
    case blocked(StorageLoss)

    var source: TrackSource? {
        if case .found(let source) = self { source } else { nil }
    }
}

/// Where to look for another track when the one asked for cannot be played.
public enum SearchDirection: Sendable, Hashable {
    case forward
    case backward
}

/// Which track comes after which, by index; nil where there is none.
public struct TrackOrder {
    /// What follows when a track has ended by itself.
    public var successor: (Int) -> Int?
    /// The neighbours, which are tried instead of a track that cannot be played.
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
