import Playback

/// Finds the track that was playing before the power failed in a library that may have changed since.
struct SavedTrackResolver {
    /// The path in the form in which it is displayed, like `Track.path`.
    let path: String
    /// The track's index in the former order of the tracks.
    let number: Int

    /// - Parameter path: The path as it was saved. Earlier versions saved it without escaping control characters.
    init(path: String, number: Int) {
        self.path = Track(path: path).path
        self.number = number
    }

    /// Returns the track's current number, in the same round of a shuffled list if possible.
    func number(in tracks: TrackList) -> Int? {
        if tracks.contains(number), tracks[number].path == path { return number }
        return index(in: tracks.library).flatMap { tracks.number(ofIndex: $0, near: number) }
    }

    /// Returns the track's index in a list that is in its original order. This is the former index if the path still
    /// matches, or else the index of the same path, or else the index of the file with the same name in the most
    /// similar folder. Returns nil if there is no such file or if several are equally similar.
    func index(in tracks: [Track]) -> Int? {
        if tracks.indices.contains(number), tracks[number].path == path { return number }
        return tracks.firstIndex { $0.path == path } ?? lookalike(in: tracks)
    }

    /// Returns the index of the track whose path has the most similar end. The end of a path stays the same when a disk
    /// is mounted elsewhere or a folder is renamed.
    private func lookalike(in tracks: [Track]) -> Int? {
        var best: (index: Int, likeness: Int)?
        var isAmbiguous = false
        for (index, track) in tracks.enumerated() where track.path.utf8.last == path.utf8.last {
            let likeness = likeness(to: track.path)
            guard likeness > 0, likeness >= best?.likeness ?? 0 else { continue }
            // A playlist may contain the same file twice.
            isAmbiguous = likeness == best?.likeness && best.map { tracks[$0.index].path } != track.path
            if likeness > best?.likeness ?? 0 { best = (index, likeness) }
        }
        return isAmbiguous ? nil : best?.index
    }

    /// Returns the number of components that the two paths have in common, counted from the end.
    private func likeness(to other: String) -> Int {
        zip(path.utf8.split(separator: 0x2f).reversed(), other.utf8.split(separator: 0x2f).reversed())
            .prefix { $0.elementsEqual($1) }.count
    }
}
