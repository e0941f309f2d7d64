import Glibc

/// Collects the audio files below a folder.
struct FolderWalk {
    private(set) var tracks: [String] = []
    private(set) var unreadable: [LibraryError] = []
    private var visited: Set<FileIdentity> = []

    /// Walks `folder` itself.
    /// - Throws: when `folder` cannot be read; a folder below it that cannot be read is noted and passed over.
    mutating func walk(_ folder: String, identity: FileIdentity) throws(LibraryError) {
        // Each folder once, whatever links lead to it: a loop of links ends here.
        guard visited.insert(identity).inserted else { return }
        // In order, so that of two ways to one folder it is always the same one that counts.
        for name in try Self.names(in: folder).sorted(by: { NaturalOrder($0) < NaturalOrder($1) }) {
            let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            guard let kind = try? FileKind.of(path) else {
                // A dangling link named like a track is for the decoder to complain of.
                if AudioExtension.matches(path) { tracks.append(path) }
                continue
            }
            switch kind {
            case .folder(let identity):
                do {
                    try walk(path, identity: identity)
                } catch {
                    unreadable.append(error)
                }
            case .regular, .other:
                if AudioExtension.matches(path) { tracks.append(path) }
            }
        }
    }

    /// Names of the entries of a folder that are not hidden.
    private static func names(in folder: String) throws(LibraryError) -> [String] {
        guard let stream = opendir(folder) else {
            throw .system(errno, operation: "read folder", path: folder)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let start = UnsafeRawPointer(entry) + offset
            let name = String(cString: start.assumingMemoryBound(to: CChar.self))
            if !name.hasPrefix(".") { names.append(name) }
        }
        guard errno == 0 else { throw .system(errno, operation: "read folder", path: folder) }
        return names
    }
}
