import Playback

/// A track that was played before the power went, to be found in a library that may be another by now.
struct FormerTrack {
    let path: String
    /// Where it was in the order of the tracks.
    let number: Int

    /// Where it is now: where it was, or wherever its path is; or else the one file of its name, in the most similar
    /// folder. nil where there is none, or several that might be it.
    func index(in tracks: [Track]) -> Int? {
        if tracks.indices.contains(number), tracks[number].path == path { return number }
        return tracks.firstIndex { $0.path == path } ?? lookalike(in: tracks)
    }

    /// A disk that is mounted elsewhere, a folder that got another name: the end of the path is the same.
    private func lookalike(in tracks: [Track]) -> Int? {
        var best: (index: Int, likeness: Int)?
        var isAmbiguous = false
        for (index, track) in tracks.enumerated() where track.path.utf8.last == path.utf8.last {
            let likeness = likeness(to: track.path)
            guard likeness > 0, likeness >= best?.likeness ?? 0 else { continue }
            // A list may have it twice: that is the same file.
            isAmbiguous = likeness == best?.likeness && best.map { tracks[$0.index].path } != track.path
            if likeness > best?.likeness ?? 0 { best = (index, likeness) }
        }
        return isAmbiguous ? nil : best?.index
    }

    /// How many names the two paths have in common, counted from the file's own.
    private func likeness(to other: String) -> Int {
        zip(path.utf8.split(separator: 0x2f).reversed(), other.utf8.split(separator: 0x2f).reversed())
            .prefix { $0.elementsEqual($1) }.count
    }
}
