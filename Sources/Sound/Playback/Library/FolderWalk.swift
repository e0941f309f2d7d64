import Glibc

/// Collects the audio files below a folder. Names are the bytes on the disk, in any encoding.
struct FolderWalk {
    private(set) var tracks: [Track] = []
    private(set) var unreadable: [LibraryError] = []
    private var visited: Set<FolderIdentity> = []

    /// Walks `folder` itself.
    /// - Throws: if `folder` cannot be read, or the process has too many files open. Subfolders that cannot be read are
    ///   added to `unreadable` and skipped.
    mutating func walk(_ folder: Track, identity: FolderIdentity) throws(LibraryError) {
        // Visit each folder once, even if several links lead to it: a loop of links ends here.
        guard visited.insert(identity).inserted else { return }
        var isIncomplete = false
        // Sort the entries, so that it is always the same one of several paths to a folder that is used.
        for entry in try Self.entries(of: folder).map(NaturalOrder.init).sorted().map(\.track) {
            var kind: FileKind?
            do throws(SystemError) {
                kind = try FileKind.of(entry)
            } catch {
                // Ignore dangling links.
                if error.code != ENOENT, error.code != ELOOP, !isIncomplete {
                    isIncomplete = true
                    unreadable.append(.system(error.code, operation: "read all of folder", path: folder.path))
                }
            }
            if case .folder(let identity)? = kind {
                try enter(entry, identity: identity)
                continue
            }
            // Anything with an audio file's name is a track; if it is something else, the decoder reports it.
            if AudioExtension.matches(entry.path) { tracks.append(entry) }
        }
    }

    private mutating func enter(_ folder: Track, identity: FolderIdentity) throws(LibraryError) {
        do {
            try walk(folder, identity: identity)
        } catch {
            // This is not the folder's fault.
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
