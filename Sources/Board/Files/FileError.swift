import Glibc

/// What the system would not do with a file.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A verb: `open`, `read`.
    public let tried: String
    public let path: String
    /// As `errno` has it.
    public let code: CInt

    public init(_ tried: String, _ path: String, code: CInt = errno) {
        self.tried = tried
        self.path = path
        self.code = code
    }

    /// The system's own: `No such file or directory`.
    public var words: String { String(cString: strerror(code)) }

    public var description: String { "cannot \(tried) \(path): \(words)" }
}
