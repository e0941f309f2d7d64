extension Library {
    /// A part of the names under which tracks can be chosen.
    public struct Names: Hashable, Sendable {
        public var names: [String]
        /// The number of all names that match.
        public var count: Int

        public init(names: [String] = [], count: Int = 0) {
            self.names = names
            self.count = count
        }
    }

    /// The most names in one part, and their most bytes together.
    private static let mostNames = (count: 1000, bytes: 256 << 10)

    /// Lists the names under which tracks can be chosen, which are their paths relative to the library's folder.
    ///
    /// - Parameters:
    ///   - tracks: the library's tracks.
    ///   - library: the path of the library.
    ///   - text: the text that a name must contain, in any case. An empty text matches every name.
    ///   - first: the number of the first name to return, counted from 0 among those that match.
    /// - Returns: at most a thousand names in the library's order, and how many there are in all.
    public static func names(of tracks: [Track], in library: String, matching text: String, from first: Int) -> Names {
        let prefix = library.hasSuffix("/") ? library : library + "/"
        let wanted = text.lowercased()
        var found = Names()
        var bytes = 0
        for track in tracks {
            let name = track.path.hasPrefix(prefix) ? String(track.path.dropFirst(prefix.count)) : track.path
            guard wanted.isEmpty || name.lowercased().contains(wanted) else { continue }
            defer { found.count += 1 }
            guard found.count >= first, found.names.count < mostNames.count, bytes < mostNames.bytes else { continue }
            found.names.append(name)
            bytes += name.utf8.count
        }
        return found
    }
}
