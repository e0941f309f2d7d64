import Glibc

/// Collects the audio files below a folder. Names are bytes in whatever encoding, as they are on the disk.
struct FolderWalk {
    private(set) var tracks: [Track] = []
    private(set) var unreadable: [LibraryError] = []
    private var visited: Set<FileIdentity> = []

    /// Walks `folder` itself.
    /// - Throws: when `folder` cannot be read, or the process has too many files open; a folder below it that cannot be
    ///   read is noted and passed over.
    mutating func walk(_ folder: Track, identity: FileIdentity) throws(LibraryError) {
        // Each folder once, whatever links lead to it: a loop of links ends here.
        guard visited.insert(identity).inserted else { return }
        var isIncomplete = false
        // In order, so that of two ways to one folder it is always the same one that counts.
        for entry in try Self.entries(of: folder).map(NaturalOrder.init).sorted().map(\.track) {
            var kind: FileKind?
            do throws(SystemError) {
                kind = try FileKind.of(entry)
            } catch {
                // A dangling link lacks nothing but itself.
                if error.code != ENOENT, error.code != ELOOP, !isIncomplete {
                    isIncomplete = true
                    unreadable.append(.system(error.code, operation: "read all of folder", path: folder.path))
                }
            }
            if case .folder(let identity)? = kind {
                try enter(entry, identity: identity)
                continue
            }
            // What is named like a track is for the decoder to complain of, if it is none.
            if AudioExtension.matches(entry.path) { tracks.append(entry) }
        }
    }

    private mutating func enter(_ folder: Track, identity: FileIdentity) throws(LibraryError) {
        do {
            try walk(folder, identity: identity)
        } catch {
            // That says nothing of this folder.
            if error.reason == .tooManyOpenFiles { throw error }
            unreadable.append(error)
        }
    }

    /// The entries of a folder that are not hidden.
    private static func entries(of folder: Track) throws(LibraryError) -> [Track] {
        guard let stream = folder.withPath({ opendir($0) }) else {
            throw .system(errno, operation: "read folder", path: folder.path)
        }
        defer { closedir(stream) }
        var start = folder.pathBytes
        if start.last != UInt8(ascii: "/") { start.append(UInt8(ascii: "/")) }
        var entries: [Track] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            guard name.pointee != CChar(bitPattern: UInt8(ascii: ".")) else { continue }
            entries.append(Track(bytes: start + UnsafeRawBufferPointer(start: name, count: strlen(name))))
        }
        guard errno == 0 else { throw .system(errno, operation: "read folder", path: folder.path) }
        return entries
    }
}
