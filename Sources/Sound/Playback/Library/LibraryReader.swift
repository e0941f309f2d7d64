import Glibc

/// Reads a playlist, including the folders and playlists that it contains.
struct LibraryReader {
    private(set) var tracks: [Track] = []
    private(set) var unreadable: [LibraryError] = []
    private(set) var unplayable = UnplayableFiles()
    private(set) var missing = 0
    private(set) var addresses = 0
    private(set) var drivePaths = 0
    /// The folders of the playlists and of their entries that can be watched.
    private(set) var folders: [WatchedFolder] = []
    private let limits: LibraryLimits
    private var disk: DiskLookup
    private var usage = LibraryUsage()
    private var bytesLeft: Int
    private var isFull = false

    /// A playlist that is being read.
    private struct List {
        let file: Track
        let identity: FolderIdentity
        var entries: Playlist.Entries
    }

    init(_ limits: LibraryLimits) {
        self.limits = limits
        disk = DiskLookup(names: limits.searched, paths: limits.searchedPaths)
        bytesLeft = limits.playlists
    }

    /// Reads a playlist, whose entries keep their order.
    /// - Throws: `LibraryError` if the playlist cannot be read or the process has too many files open.
    mutating func read(_ list: Track, identity: FolderIdentity) throws(LibraryError) {
        // Do not recurse, for the same reason as in `FolderWalk`.
        var lists = [try open(list, identity: identity)]
        while !lists.isEmpty, !isFull {
            guard let entry = lists[lists.count - 1].entries.next(&disk) else {
                noteLongLines(of: lists.removeLast())
                continue
            }
            if let nested = try take(entry, in: lists) { lists.append(nested) }
        }
        if disk.isExhausted {
            note(
                .tooLarge(
                    "look for all of", .playlist, list,
                    "the paths of the folders that its entries name are longer than \(limits.searchedPaths) bytes together, "
                        + "so that not all of them were compared in other spellings",
                    advice: "write shorter entries, spelled like the files"))
        }
        if disk.isIncomplete {
            note(
                .tooLarge(
                    "look for all of", .playlist, list,
                    "the folders that it names have more than \(limits.searched) names, so that not all of them were "
                        + "compared in other spellings",
                    advice: "spell its entries like the files"))
        }
    }

    private mutating func open(_ list: Track, identity: FolderIdentity) throws(LibraryError) -> List {
        let folder = Playlist.folder(of: list)
        if folders.count < limits.watches {
            folders.append(WatchedFolder(folder.isEmpty ? Track(path: ".") : Track(bytes: folder)))
        }
        let bytes = try bytes(of: list)
        return List(
            file: list, identity: identity,
            entries: Playlist.Entries(of: bytes, from: folder, longestLine: limits.line))
    }

    private mutating func bytes(of list: Track) throws(LibraryError) -> [UInt8] {
        guard bytesLeft < limits.playlist else {
            let bytes = try Playlist.bytes(
                of: list, limit: limits.playlist, "it is longer than \(limits.playlist >> 20) MiB")
            bytesLeft -= bytes.count
            return bytes
        }
        do throws(LibraryError) {
            let bytes = try Playlist.bytes(
                of: list, limit: bytesLeft, "all playlists together are longer than \(limits.playlists >> 20) MiB")
            bytesLeft -= bytes.count
            return bytes
        } catch {
            if error.reason == .tooLarge { isFull = true }
            throw error
        }
    }

    private mutating func noteLongLines(of list: List) {
        let count = list.entries.longLines
        guard count > 0 else { return }
        note(
            .tooLarge(
                "read all of playlist", .playlist, list.file,
                "\(count) of its lines have more than \(limits.line) bytes, which no path has",
                advice: "remove them"))
    }

    /// Adds an entry if it is a track, or the tracks of the folder if it is a folder.
    /// - Returns: the playlist, if the entry is one, otherwise nil.
    private mutating func take(_ entry: Track, in lists: [List]) throws(LibraryError) -> List? {
        if let foreign = ForeignPath(entry.pathBytes) {
            switch foreign {
            case .address: addresses += 1
            case .drive: drivePaths += 1
            }
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
                throw LibraryError.notALibrary(entry)
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
            throw .tooLarge("read playlist", .playlist, list, "it names itself", advice: "remove that entry")
        }
        guard lists.count < limits.nesting else {
            throw .tooLarge(
                "read playlist", .playlist, list, "it is nested in \(lists.count) others",
                advice: "name its files in the first one")
        }
        return try open(list, identity: identity)
    }

    private mutating func walk(_ folder: Track, identity: FolderIdentity) throws(LibraryError) {
        var walk = FolderWalk(limits, after: usage)
        defer {
            usage = walk.usage
            isFull = isFull || walk.isFull
        }
        try walk.walk(folder, identity: identity)
        tracks += walk.tracks
        folders += walk.folders.prefix(max(0, limits.watches - folders.count))
        missing += walk.missing
        unplayable.add(walk.unplayable)
        for error in walk.unreadable { note(error) }
    }

    private mutating func append(_ track: Track) {
        usage.paths += track.path.utf8.count
        guard usage.files < limits.files, usage.paths <= limits.paths else {
            isFull = true
            let isPaths = usage.files < limits.files
            return note(
                .tooLarge(
                    "read all of the library up to", .file, track,
                    isPaths ? limits.pathWords : "the library has more than \(limits.files) files",
                    advice: "use a smaller part of it"))
        }
        tracks.append(track)
        usage.files += 1
    }

    private mutating func note(_ error: LibraryError) {
        if unreadable.count < limits.errors { unreadable.append(error) }
    }
}
