/// What came of looking for a track.
enum TrackSearch {
    case found(TrackSource)
    /// None can be played.
    case none
    /// The storage is gone, and the track with it.
    case storageGone(path: String)

    var source: TrackSource? {
        if case .found(let source) = self { source } else { nil }
    }
}
