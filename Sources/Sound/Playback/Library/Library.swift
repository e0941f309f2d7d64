import Glibc

/// The tracks of a folder, a playlist or a single file, in playing order.
public struct Library: Sendable {
    public let tracks: [Track]
    /// Subfolders that could not be read, so that their files are missing from `tracks`.
    public let unreadableFolders: [LibraryError]

    /// Reads a folder and its subfolders, an M3U playlist (`.m3u`, `.m3u8`), or a single audio file. Blocks on the
    /// storage.
    ///
    /// In a folder, audio files are recognised by their extension and sorted naturally ("2 a" before "10 a"); hidden
    /// files are left out. No file is opened, so that a damaged one is detected only when it is about to play. A
    /// playlist keeps its order and its missing entries. An empty folder or playlist yields an empty library.
    /// - Throws: `LibraryError` if `path` does not exist, cannot be read, or is none of these.
    public static func load(_ path: String) throws(LibraryError) -> Library {
        let kind: FileKind
        do {
            kind = try FileKind.of(Track(path: path))
        } catch {
            throw .system(error.code, operation: "open library", path: path)
        }
        switch kind {
        case .folder(let identity):
            var walk = FolderWalk()
            try walk.walk(Track(path: path), identity: identity)
            let sorted = walk.tracks.map(NaturalOrder.init).sorted()
            return Library(tracks: sorted.map(\.track), unreadableFolders: walk.unreadable)
        case .regular where Playlist.matches(path):
            return Library(tracks: try Playlist.load(path), unreadableFolders: [])
        case .regular where AudioExtension.matches(path):
            guard access(path, R_OK) == 0 else {
                throw .system(errno, operation: "open library", path: path)
            }
            return Library(tracks: [Track(path: path)], unreadableFolders: [])
        case .regular, .other:
            throw LibraryError(
                reason: .notALibrary, operation: "open library", path: path,
                message: "it is not a folder, an M3U playlist or an audio file",
                advice: "use a folder of music, or a file with the extension .m3u, .m3u8 or that of an audio format")
        }
    }
}
