/// Opens tracks, passing over those that cannot be played.
public final class TrackFinder {
    let tracks: [Track]
    private let order: TrackOrder
    /// Told of every skipped file, once per file.
    private let onSkip: (_ track: Int, _ reason: DecoderError) -> Void
    private var reported: Set<String> = []
    /// Whether a storage that is gone as a whole is waited for, rather than all of its tracks passed over.
    private let waitsForStorage: Bool
    /// Called before each file is opened, as that may take its time.
    var onTry: () -> Void = {}

    public init(
        tracks: [Track], order: TrackOrder, waitsForStorage: Bool = false,
        onSkip: @escaping (_ track: Int, _ reason: DecoderError) -> Void
    ) {
        self.tracks = tracks
        self.order = order
        self.waitsForStorage = waitsForStorage
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

    /// Whether a track that has failed did so with all of its storage, which is worth waiting for.
    func isStorageGone(with track: Int) -> Bool {
        waitsForStorage && StorageProbe.isGone(tracks[track].path)
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
                        track: candidate, path: tracks[candidate].path, at: candidate == first ? position : .zero))
            } catch {
                if isStorageGone(with: candidate) { return .storageGone(path: tracks[candidate].path) }
                skip(candidate, error)
            }
            guard let following = next(candidate) else { return .none }
            candidate = following
        }
        return .none
    }
}
