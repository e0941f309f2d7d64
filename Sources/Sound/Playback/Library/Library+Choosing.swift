import Glibc

/// The reason why a choice cannot be played, with advice.
public struct ChoiceError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}

extension Library {
    /// Finds the tracks of a choice, which is a track, a folder or a playlist within a library. The call blocks on the
    /// storage.
    ///
    /// The library's own list decides what belongs to it, so that its links can be chosen. Only a playlist in a folder,
    /// and a file that is not yet in the list, are looked up on the disk. There, a link must not lead out of the library.
    /// - Parameters:
    ///   - name: the path, absolute or relative to the library's folder.
    ///   - library: the path of the library.
    ///   - tracks: the library's tracks.
    ///   - limit: the time within which one of the tracks must be found to be playable.
    /// - Returns: the tracks in the order in which they are played, at least one of which can be played.
    public static func choose(
        _ name: String, in library: String, tracks: [Track], within limit: Duration
    ) throws(ChoiceError) -> [Track] {
        let chosen = try find(name, in: library, tracks: tracks)
        guard !chosen.isEmpty else { throw ChoiceError("there is no audio file in it") }
        if let obstacle = Library(tracks: chosen).obstacle(within: limit) { throw ChoiceError(obstacle) }
        return chosen
    }

    private static func find(
        _ name: String, in library: String, tracks: [Track]
    ) throws(ChoiceError) -> [Track] {
        guard (1...Int(PATH_MAX)).contains(name.utf8.count), !name.utf8.contains(0) else {
            throw ChoiceError("a name has 1 to \(PATH_MAX) bytes")
        }
        guard !name.contains("://") else {
            throw ChoiceError("an address cannot be chosen: configure a radio station as [Input NAME]")
        }
        let parts = name.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        guard !parts.contains("..") else { throw ChoiceError("a name with .. could leave the library") }
        let isFolder = isFolder(library)
        let root = isFolder ? library : parent(of: library)
        let relative = parts.filter { $0 != "." }.joined(separator: "/")
        let path = name.hasPrefix("/") ? "/" + relative : relative.isEmpty ? root : "\(root)/\(relative)"
        let listed = tracks.filter { $0.path == path || $0.path.hasPrefix(path + "/") }
        if !listed.isEmpty { return listed }
        guard isFolder else { throw ChoiceError("it is not in the library, which is a playlist") }
        guard let real = resolved(path) else {
            throw ChoiceError("there is no such file in the library")
        }
        guard let realRoot = resolved(root), (real + "/").hasPrefix(realRoot + "/") else {
            throw ChoiceError("it is outside the library \(root)")
        }
        do throws(LibraryError) { return try load(path).tracks } catch { throw ChoiceError("\(error)") }
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    /// Returns the path without links, or nil if it does not exist.
    private static func resolved(_ path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}
