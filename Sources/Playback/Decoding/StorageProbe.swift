import Glibc

/// Tells a storage that is gone from a file that is.
enum StorageProbe {
    /// What the kernel answers when a disk or a server is not there any more.
    private static let signs = [EIO, ENODEV, ENXIO, ESTALE, ENOTCONN, EREMOTEIO, ETIMEDOUT, EHOSTDOWN]

    /// Whether a file cannot be opened for want of its storage: that does not answer, or the nearest folder above the file
    /// that is there is empty, as a mount point is without its disk. Blocks on the storage.
    static func isGone(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor >= 0 {
            defer { close(descriptor) }
            var byte: UInt8 = 0
            return pread(descriptor, &byte, 1, 0) < 0 && signs.contains(errno)
        }
        let error = errno
        if error == ENOENT || error == ENOTDIR { return isBelowEmptyFolder(path) }
        return signs.contains(error)
    }

    private static func isBelowEmptyFolder(_ path: String) -> Bool {
        var folder = folder(of: path)
        while folder != "/", folder != "." {
            if let isEmpty = isEmpty(folder) { return isEmpty }
            if signs.contains(errno) { return true }
            folder = Self.folder(of: folder)
        }
        return false
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Nil, with `errno`, where it cannot be read.
    private static func isEmpty(_ folder: String) -> Bool? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var entries = 0
        while entries < 3, readdir(stream) != nil { entries += 1 }
        // "." and ".." are always there.
        return entries < 3
    }
}
