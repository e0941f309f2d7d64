import Glibc

/// A failed system call on a file.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A verb, such as `open` or `read`.
    public let tried: String
    public let path: String
    /// The `errno` code.
    public let code: CInt

    public init(_ tried: String, _ path: String, code: CInt = errno) {
        self.tried = tried
        self.path = path
        self.code = code
    }

    /// The system's message, such as `No such file or directory`.
    public var words: String { String(errno: code) }

    public var description: String { "cannot \(tried) \(path): \(words)" }

    /// Makes a system call, and repeats it if a signal interrupts it.
    ///
    /// - Parameter call: returns a negated `errno` code if it fails.
    @discardableResult
    public static func check(_ tried: String, _ path: String, _ call: () -> Int) throws(FileError) -> Int {
        while true {
            let answer = call()
            if answer >= 0 { return answer }
            guard answer == -Int(EINTR) else { throw FileError(tried, path, code: CInt(-answer)) }
        }
    }
}

extension String {
    /// Creates the system's message for an `errno` code, such as `No such file or directory`.
    public init(errno code: CInt) { self.init(cString: strerror(code)) }
}
