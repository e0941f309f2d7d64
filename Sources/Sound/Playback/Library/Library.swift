import Glibc

/// The tracks of a folder, a playlist or a single file, in playing order.
public struct Library: Sendable {
    public let tracks: [Track]
    /// The tracks of the choice that is in progress, which the caller has found in the library.
    public var chosen: [Track] = []
    /// The playlists, which the caller has found.
    public var playlists = LibraryPlaylists()
    /// The folders and playlists that could not be read completely, so that files are missing from `tracks`. The list
    /// contains at most a thousand of them.
    public let unreadable: [LibraryError]
    /// The files of kinds that cannot be played. If a playlist contains such files, they are also in `tracks`.
    public let unplayable: UnplayableFiles
    /// The number of tracks that did not exist when the library was read, the number of tracks that are network
    /// addresses, and the number of tracks that are paths on Windows drives.
    public let missing: Int
    public let addresses: Int
    public let drivePaths: Int

    /// The folders from which the library was read. `LibraryWatch` detects changes in them.
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

    /// Reads a folder and its subfolders, an M3U playlist (`.m3u`, `.m3u8`), or a single audio file. The call blocks on
    /// the storage.
    ///
    /// In a folder, audio files are recognised by their extension and sorted naturally ("2 a" before "10 a"). Hidden
    /// files and the files that operating systems leave on disks are omitted. No file is opened, so a damaged file is
    /// detected only when it is about to be played. A playlist keeps its order and its missing entries. Folders and
    /// playlists in a playlist are replaced with their tracks. An empty folder or playlist yields an empty library.
    /// `LibraryLimits` limits the amount that is read.
    /// - Throws: `LibraryError` if `path` does not exist, cannot be read, or is neither a folder, a playlist nor an
    ///   audio file.
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
            // A network address has been converted to a path relative to the configuration's folder, and this path does
            // not exist.
            let parts = file.pathBytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            let isAddress = parts.contains { part in
                // A scheme of a single letter is a Windows drive.
                part.count > 2 && part.last == UInt8(ascii: ":") && isForeign(part + Array("//".utf8))
            }
            if error.code == ENOENT || error.code == ENOTDIR, isAddress { throw .networkAddress(file) }
            throw .system(error.code, .file, operation: "open library", file)
        }
    }
}
