import Glibc

/// What a path leads to, symbolic links followed.
enum FileKind {
    case folder(FileIdentity)
    case regular(bytes: Int)
    /// A pipe, socket or device; opening one could block for ever, or do harm.
    case other

    static func of(_ file: Track) throws(SystemError) -> FileKind {
        var status = stat()
        guard file.withPath({ stat($0, &status) }) == 0 else { throw SystemError(code: errno) }
        return FileKind(status)
    }

    init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFDIR: self = .folder(FileIdentity(device: Int(status.st_dev), node: Int(status.st_ino)))
        case S_IFREG: self = .regular(bytes: Int(status.st_size))
        default: self = .other
        }
    }
}

/// A file or folder whatever it is called: the same one through every symbolic link.
struct FileIdentity: Hashable {
    let device: Int
    let node: Int
}

/// An `errno` code on its way to an error that knows what was tried.
struct SystemError: Error {
    let code: Int32
}
