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
