import Playback

/// The track that was playing before the power failed. It has to be found again in a library that can have changed.
struct SavedTrackResolver {
    /// For display, like `Track.path`.
    let path: String
    /// Its index in the former order of the tracks.
    let number: Int

    /// - Parameter path: as it was saved; earlier versions saved it without escaping control characters.
    init(path: String, number: Int) {
        self.path = Track(path: path).path
        self.number = number
    }

    /// Its number now, in the same round of a shuffled list if possible.
    func number(in tracks: TrackList) -> Int? {
        if tracks.contains(number), tracks[number].path == path { return number }
        return index(in: tracks.library).flatMap { tracks.number(ofIndex: $0, near: number) }
    }

    /// Its index in a list in its own order: the former one if the path still matches, or else that of the same path, or
    /// else that of the file with the same name in the most similar folder. nil if there is no such file, or if several are
    /// equally similar.
    func index(in tracks: [Track]) -> Int? {
        if tracks.indices.contains(number), tracks[number].path == path { return number }
        return tracks.firstIndex { $0.path == path } ?? lookalike(in: tracks)
    }

    /// After a disk was mounted elsewhere or a folder was renamed, the end of the path is still the same.
    private func lookalike(in tracks: [Track]) -> Int? {
        var best: (index: Int, likeness: Int)?
        var isAmbiguous = false
        for (index, track) in tracks.enumerated() where track.path.utf8.last == path.utf8.last {
            let likeness = likeness(to: track.path)
            guard likeness > 0, likeness >= best?.likeness ?? 0 else { continue }
            // A playlist can contain the same file twice.
            isAmbiguous = likeness == best?.likeness && best.map { tracks[$0.index].path } != track.path
            if likeness > best?.likeness ?? 0 { best = (index, likeness) }
        }
        return isAmbiguous ? nil : best?.index
    }

    /// How many components the two paths have in common, counted from the end.
    private func likeness(to other: String) -> Int {
        zip(path.utf8.split(separator: 0x2f).reversed(), other.utf8.split(separator: 0x2f).reversed())
            .prefix { $0.elementsEqual($1) }.count
    }
}
