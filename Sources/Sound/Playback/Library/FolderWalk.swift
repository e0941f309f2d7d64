import Glibc

/// Collects the audio files below a folder. Names are the bytes on the disk, in any encoding.
struct FolderWalk {
    private(set) var tracks: [Track] = []
    private(set) var unplayable = UnplayableFiles()
    /// The number of tracks that are dangling links.
    private(set) var missing = 0
    private(set) var unreadable: [LibraryError] = []
    /// The folders that were read and that can be watched.
    private(set) var folders: [WatchedFolder] = []
    /// The amount of the library that has been read so far, including previous walks.
    private(set) var usage: LibraryUsage
    /// True if a limit has been reached and reading has stopped.
    private(set) var isFull = false
    private let limits: LibraryLimits
    private var visited: Set<FolderIdentity> = []

    private struct Folder {
        let track: Track
        let identity: FolderIdentity
        /// The number of folders above this one in the library.
        let depth: Int
    }

    /// - Parameter usage: the amount of the library that was read before this walk.
    init(_ limits: LibraryLimits, after usage: LibraryUsage = LibraryUsage()) {
        self.limits = limits
        self.usage = usage
    }

    /// Walks `folder`. The tracks are sorted.
    /// - Throws: `LibraryError` if `folder` cannot be read or the process has too many files open. Subfolders that
    ///   cannot be read are added to `unreadable` and skipped.
    mutating func walk(_ folder: Track, identity: FolderIdentity) throws(LibraryError) {
        if KernelFileSystem.contains(folder) {
            throw LibraryError(
                reason: .notALibrary, kind: .folder, operation: "read folder", file: folder,
                message: "the kernel shows its own state there and not music", advice: "use a folder of music")
        }
        // Do not recurse, because the author of the folders determines how deep they are.
        var waiting = [Folder(track: folder, identity: identity, depth: 0)]
        while let next = waiting.popLast(), !isFull {
            // Visit each folder only once, even if several links point to it. This also stops loops of links.
            guard visited.insert(next.identity).inserted else { continue }
            do {
                waiting += try subfolders(of: next).reversed()
            } catch {
                // The folder is not the cause of too many open files.
                if next.depth == 0 || error.reason == .tooManyOpenFiles { throw error }
                if !Omission.isExpected(error, at: next.track) { note(error) }
            }
        }
        tracks = tracks.map(NaturalOrder.init).sorted().map(\.track)
    }

    /// Adds the tracks of a folder.
    /// - Returns: the folders in this folder.
    private mutating func subfolders(of folder: Folder) throws(LibraryError) -> [Folder] {
        var folders: [Folder] = []
        var isIncomplete = false
        if self.folders.count < limits.watches { self.folders.append(WatchedFolder(folder.track)) }
        // Sort the entries, so that if several paths lead to a folder, the same one is always used.
        for entry in try entries(of: folder.track).map(NaturalOrder.init).sorted().map(\.track) {
            var kind: FileKind?
            do throws(SystemError) {
                kind = try FileKind.of(entry)
            } catch {
                // Ignore dangling links.
                let isMissing = error.code == ENOENT || error.code == ELOOP
                if isMissing, AudioExtension.matches(entry.path) { missing += 1 }
                if !isMissing, !isIncomplete {
                    isIncomplete = true
                    note(.system(error.code, .folder, operation: "read all of folder", folder.track))
                }
            }
            if case .folder(let identity)? = kind {
                if accepts(entry, identity: identity, in: folder) {
                    folders.append(Folder(track: entry, identity: identity, depth: folder.depth + 1))
                }
            } else if take(entry, kind) == false {
                return folders
            }
        }
        return folders
    }

    /// Adds a file to the tracks, or counts it if it cannot be played.
    /// - Returns: false if there are too many files.
    private mutating func take(_ file: Track, _ kind: FileKind?) -> Bool {
        // Every file with an audio file's name is a track. If it is something else, the decoder reports this.
        guard AudioExtension.matches(file.path) else {
            if case .regular? = kind { unplayable.note(file) }
            return true
        }
        guard usage.files < limits.files else {
            fill(at: file, .file, "the library has more than \(limits.files) files")
            return false
        }
        tracks.append(file)
        usage.files += 1
        return true
    }

    /// Returns true if the walk should enter a subfolder.
    private mutating func accepts(_ entry: Track, identity: FolderIdentity, in folder: Folder) -> Bool {
        if Omission.isRubbish(entry) { return false }
        if identity.device != folder.identity.device, KernelFileSystem.contains(entry) { return false }
        guard folder.depth < limits.depth else {
            note(
                .tooLarge(
                    "read folder", .folder, entry, "it is nested in more than \(limits.depth) folders",
                    advice: "move its files up"))
            return false
        }
        return true
    }

    private mutating func fill(at file: Track, _ kind: LibraryError.Kind, _ message: String) {
        isFull = true
        note(.tooLarge("read all of the library up to", kind, file, message, advice: "use a smaller part of it"))
    }

    private mutating func note(_ error: LibraryError) {
        if unreadable.count < limits.errors { unreadable.append(error) }
    }

    /// Returns the entries of a folder that are not hidden. They are folders, tracks and unplayable files to count.
    private mutating func entries(of folder: Track) throws(LibraryError) -> [Track] {
        var start = folder.pathBytes
        if start.last != UInt8(ascii: "/") { start.append(UInt8(ascii: "/")) }
        let found: FolderNames
        do throws(SystemError) {
            found = try FolderNames.read(
                folder, limit: limits.names - usage.names, mostBytes: limits.paths - usage.paths, Self.isWanted)
        } catch {
            throw .system(error.code, .folder, operation: "read folder", folder)
        }
        usage.names += found.seen + 1
        var entries: [Track] = []
        for name in found.names where usage.paths <= limits.paths {
            entries.append(Track(bytes: start + name))
            usage.paths += start.count + name.count
        }
        if usage.names >= limits.names {
            fill(at: folder, .folder, "the library has more than \(limits.names) names")
        } else if usage.paths > limits.paths {
            fill(at: folder, .folder, limits.pathWords)
        }
        return entries
    }

    /// Returns true if an entry should be kept. Texts and pictures are skipped to save memory.
    private static func isWanted(_ name: [UInt8], isRegular: Bool) -> Bool {
        guard name.first != UInt8(ascii: ".") else { return false }
        let text = String(decoding: name, as: UTF8.self)
        return !isRegular || AudioExtension.matches(text) || UnplayableFiles.matches(text)
    }
}

/// The folders that operating systems create on a disk with music.
enum Omission {
    /// The folders for deleted files, and other folders that operating systems create. The last three are used by
    /// network storage.
    private static let rubbish: Set<String> = [
        "$recycle.bin", "recycler", "system volume information", "#recycle", "@recycle", "@eadir",
    ]

    static func isRubbish(_ folder: Track) -> Bool { rubbish.contains(folder.name.lowercased()) }

    /// Returns true if this is a folder that only an operating system can read and that does not contain music.
    static func isExpected(_ error: LibraryError, at folder: Track) -> Bool {
        error.reason == .notReadable && folder.name == "lost+found"
    }
}
