import Glibc

/// A failed system call on a file.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A verb: `open`, `read`.
    public let tried: String
    public let path: String
    /// The `errno` code.
    public let code: CInt

    public init(_ tried: String, _ path: String, code: CInt = errno) {
        self.tried = tried
        self.path = path
        self.code = code
    }

    /// The system's message: `No such file or directory`.
    public var words: String { String(errno: code) }

    public var description: String { "cannot \(tried) \(path): \(words)" }
}

extension String {
    /// The system's message for an `errno` code: `No such file or directory`.
    public init(errno code: CInt) { self.init(cString: strerror(code)) }
}
