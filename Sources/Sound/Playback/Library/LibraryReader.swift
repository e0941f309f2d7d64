import Glibc

/// Reads a playlist with the folders and playlists that it names.
struct LibraryReader {
    private(set) var tracks: [Track] = []
    private(set) var unreadable: [LibraryError] = []
    private(set) var unplayable = UnplayableFiles()
    private(set) var missing = 0
    private(set) var addresses = 0
    /// The folders of the playlists and of what they name, as far as they can be watched.
    private(set) var folders: [Track] = []
    private let limits: LibraryLimits
    private var disk: DiskLookup
    private var namesLeft: Int
    private var bytesLeft: Int
    private var isFull = false

    /// A playlist that is being read.
    private struct List {
        let identity: FolderIdentity
        let entries: [Track]
        var next = 0
    }

    init(_ limits: LibraryLimits) {
        self.limits = limits
        disk = DiskLookup(names: limits.names)
        namesLeft = limits.names
        bytesLeft = limits.playlists
    }

    /// Reads a playlist, whose entries keep their order.
    /// - Throws: if it cannot be read, or the process has too many files open.
    mutating func read(_ list: Track, identity: FolderIdentity) throws(LibraryError) {
        // Not recursive, like `FolderWalk`.
        var lists = [try open(list, identity: identity)]
        while let list = lists.last, !isFull {
            guard list.next < list.entries.count else {
                lists.removeLast()
                continue
            }
            lists[lists.count - 1].next += 1
            if let nested = try take(list.entries[list.next], in: lists) { lists.append(nested) }
        }
    }

    private mutating func open(_ list: Track, identity: FolderIdentity) throws(LibraryError) -> List {
        let bytes = try Playlist.bytes(of: list, limit: min(limits.playlist, bytesLeft))
        bytesLeft -= bytes.count
        let folder = Playlist.folder(of: list)
        if folders.count < limits.watches { folders.append(folder.isEmpty ? Track(path: ".") : Track(bytes: folder)) }
        let content = Playlist.content(
            of: bytes, from: folder, longestLine: limits.line, disk: &disk)
        if content.longLines > 0 {
            note(
                .tooLarge(
                    "read all of playlist", list.path,
                    "\(content.longLines) of its lines have more than \(limits.line) bytes, which no path has",
                    advice: "remove them"))
        }
        return List(identity: identity, entries: content.entries)
    }

    /// Takes an entry: a track, or the tracks of a folder.
    /// - Returns: the playlist that it names.
    private mutating func take(_ entry: Track, in lists: [List]) throws(LibraryError) -> List? {
        guard !isForeign(entry.pathBytes) else {
            addresses += 1
            append(entry)
            return nil
        }
        let kind: FileKind
        do throws(SystemError) { kind = try FileKind.of(entry) } catch {
            if error.code == ENOENT || error.code == ENOTDIR { missing += 1 }
            append(entry)
            return nil
        }
        do throws(LibraryError) {
            switch kind {
            case .folder(let identity): try walk(entry, identity: identity)
            case .regular(let identity, _) where Playlist.matches(entry.path):
                return try nested(entry, identity, in: lists)
            case .regular where ForeignPlaylist.format(of: entry.path) != nil:
                throw LibraryError.notALibrary(entry.path)
            case .regular, .other:
                unplayable.note(entry)
                append(entry)
            }
        } catch {
            if error.reason == .tooManyOpenFiles { throw error }
            note(error)
        }
        return nil
    }

    private mutating func nested(
        _ list: Track, _ identity: FolderIdentity, in lists: [List]
    ) throws(LibraryError) -> List {
        if lists.contains(where: { $0.identity == identity }) {
            throw .tooLarge("read playlist", list.path, "it names itself", advice: "remove that entry")
        }
        guard lists.count < limits.nesting else {
            throw .tooLarge(
                "read playlist", list.path, "it is nested in \(lists.count) others",
                advice: "name its files in the first one")
        }
        return try open(list, identity: identity)
    }

    private mutating func walk(_ folder: Track, identity: FolderIdentity) throws(LibraryError) {
        var limits = limits
        limits.files -= tracks.count
        limits.names = namesLeft
        var walk = FolderWalk(limits)
        defer { namesLeft -= walk.names }
        try walk.walk(folder, identity: identity)
        tracks += walk.tracks
        folders += walk.folders.prefix(max(0, limits.watches - folders.count))
        missing += walk.missing
        unplayable.add(walk.unplayable)
        for error in walk.unreadable { note(error) }
    }

    private mutating func append(_ track: Track) {
        guard tracks.count < limits.files else {
            isFull = true
            return note(
                .tooLarge(
                    "read all of the library up to", track.path, "it has more than \(limits.files) files",
                    advice: "use a smaller part of it"))
        }
        tracks.append(track)
    }

    private mutating func note(_ error: LibraryError) {
        if unreadable.count < limits.errors { unreadable.append(error) }
    }
}
