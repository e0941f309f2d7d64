import Glibc

/// Which file a path means, whatever it is called: an existing regular file itself, or a name in a folder.
///
/// nil for what is no regular file, such as a device: many may write there.
struct FileIdentity: Hashable {
    private let device: UInt
    private let inode: UInt
    private let name: String?

    init?(_ path: String) {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { return nil }
            name = nil
        } else {
            let slash = path.lastIndex(of: "/")
            let folder = slash.map { String(path[...$0]) } ?? "."
            guard stat(folder, &status) == 0 else { return nil }
            name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }
}
