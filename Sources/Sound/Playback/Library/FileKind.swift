import Glibc

/// The kind of the file at a path, after following symbolic links.
enum FileKind {
    case folder(FolderIdentity)
    case regular(FolderIdentity, bytes: Int)
    /// A pipe, socket or device. Opening one could block forever or have side effects.
    case other

    static func of(_ file: Track) throws(SystemError) -> FileKind {
        var status = stat()
        guard file.withPath({ stat($0, &status) }) == 0 else { throw SystemError(code: errno) }
        return FileKind(status)
    }

    init(_ status: stat) {
        let identity = FolderIdentity(device: Int(status.st_dev), node: Int(status.st_ino))
        switch status.st_mode & S_IFMT {
        case S_IFDIR: self = .folder(identity)
        case S_IFREG: self = .regular(identity, bytes: Int(status.st_size))
        default: self = .other
        }
    }
}

/// Identifies a folder or file independently of its path. The identity does not depend on the symbolic links in the
/// path.
struct FolderIdentity: Hashable {
    let device: Int
    let node: Int
}

/// An `errno` code, for a caller that converts it into an error with the operation and the path.
struct SystemError: Error {
    let code: Int32
}
