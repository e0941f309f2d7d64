import Glibc

/// The tracks of a folder, a playlist or a single file, in playing order.
public struct Library: Sendable {
    public let tracks: [Track]
    /// Folders and playlists in it of which something could not be read, so that files are missing from `tracks`; at most
    /// a thousand.
    public let unreadable: [LibraryError]
    /// Files of kinds that cannot be played. Those that a playlist names are in `tracks`, too.
    public let unplayable: UnplayableFiles
    /// How many of the tracks did not exist when it was read, how many are network addresses, and how many are paths on
    /// drives of Windows.
    public let missing: Int
    public let addresses: Int
    public let drivePaths: Int

    /// The folders that it was read from, in which `LibraryWatch` notices changes.
    let folders: [WatchedFolder]

    init(
        tracks: [Track], folders: [WatchedFolder] = [], unreadable: [LibraryError] = [],
        unplayable: UnplayableFiles = UnplayableFiles(), missing: Int = 0, addresses: Int = 0, drivePaths: Int = 0
    ) {
        self.tracks = tracks
        self.folders = folders
        self.unreadable = unreadable
        self.unplayable = unplayable
        self.missing = missing
        self.addresses = addresses
        self.drivePaths = drivePaths
    }

    /// Reads a folder and its subfolders, an M3U playlist (`.m3u`, `.m3u8`), or a single audio file. Blocks on the
    /// storage.
    ///
    /// In a folder, audio files are recognised by their extension and sorted naturally ("2 a" before "10 a"); hidden
    /// files, and what systems leave on disks, are left out. No file is opened, so that a damaged one is detected only
    /// when it is about to play. A playlist keeps its order and its missing entries; the folders and playlists that it
    /// names are replaced by their tracks. An empty folder or playlist yields an empty library. `LibraryLimits` says how
    /// much is read.
    /// - Throws: `LibraryError` if `path` does not exist, cannot be read, or is none of these.
    public static func load(_ path: String) throws(LibraryError) -> Library {
        try load(path, limits: LibraryLimits())
    }

    static func load(_ path: String, limits: LibraryLimits) throws(LibraryError) -> Library {
        let file = Track(path: path)
        switch try kind(of: file) {
        case .folder(let identity):
            var walk = FolderWalk(limits)
            try walk.walk(file, identity: identity)
            return Library(
                tracks: walk.tracks, folders: walk.folders, unreadable: walk.unreadable, unplayable: walk.unplayable,
                missing: walk.missing)
        case .regular(let identity, _) where Playlist.matches(path):
            var reader = LibraryReader(limits)
            try reader.read(file, identity: identity)
            return Library(
                tracks: reader.tracks, folders: reader.folders, unreadable: reader.unreadable,
                unplayable: reader.unplayable, missing: reader.missing, addresses: reader.addresses,
                drivePaths: reader.drivePaths)
        case .regular where AudioExtension.matches(path):
            guard access(path, R_OK) == 0 else {
                throw .system(errno, .file, operation: "open library", file)
            }
            return Library(tracks: [file])
        case .regular, .other: throw .notALibrary(file)
        }
    }

    private static func kind(of file: Track) throws(LibraryError) -> FileKind {
        do throws(SystemError) { return try FileKind.of(file) } catch {
            // Relative to the configuration's folder, an address is a path that does not exist.
            let parts = file.pathBytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            let isAddress = parts.contains { part in
                // One letter is a drive of Windows.
                part.count > 2 && part.last == UInt8(ascii: ":") && isForeign(part + Array("//".utf8))
            }
            if error.code == ENOENT || error.code == ENOTDIR, isAddress { throw .networkAddress(file) }
            throw .system(error.code, .file, operation: "open library", file)
        }
    }
}
