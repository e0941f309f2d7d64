/// Opens tracks, passing over those that cannot be played.
public final class TrackFinder {
    let tracks: [Track]
    private let order: TrackOrder
    /// Told of every skipped file, once per file.
    private let onSkip: (_ track: Int, _ reason: DecoderError) -> Void
    private var reported: Set<String> = []

    public init(
        tracks: [Track], order: TrackOrder,
        onSkip: @escaping (_ track: Int, _ reason: DecoderError) -> Void
    ) {
        self.tracks = tracks
        self.order = order
        self.onSkip = onSkip
    }

    /// The track asked for at `position`, or, where it cannot be played, the next one in `direction` from its start.
    /// Every track is tried at most once; nil where none can be played.
    func source(for track: Int, at position: Duration, searching direction: SearchDirection) -> TrackSource? {
        search(from: track, at: position, next: direction == .forward ? order.next : order.previous)
    }

    /// What follows a track.
    func source(after track: Int) -> TrackSource? {
        order.successor(track).flatMap { search(from: $0, at: .zero, next: order.next) }
    }

    /// Tells of a track that has broken off, once per file.
    func skip(_ track: Int, _ reason: DecoderError) {
        if reported.insert(tracks[track].path).inserted { onSkip(track, reason) }
    }

    private func search(from first: Int, at position: Duration, next: (Int) -> Int?) -> TrackSource? {
        var candidate = first
        var tried: Set<Int> = []
        while tracks.indices.contains(candidate), tried.insert(candidate).inserted {
            do {
                return try TrackSource(
                    track: candidate, path: tracks[candidate].path, at: candidate == first ? position : .zero)
            } catch {
                skip(candidate, error)
            }
            guard let following = next(candidate) else { return nil }
            candidate = following
        }
        return nil
    }
}
