import Glibc

/// What a path leads to, symbolic links followed.
enum FileKind {
    case folder(FileIdentity)
    case regular(bytes: Int)
    /// A pipe, socket or device; opening one could block for ever.
    case other

    static func of(_ path: String) throws(SystemError) -> FileKind {
        var status = stat()
        guard stat(path, &status) == 0 else { throw SystemError(code: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder(FileIdentity(device: Int(status.st_dev), node: Int(status.st_ino)))
        case S_IFREG: return .regular(bytes: Int(status.st_size))
        default: return .other
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
