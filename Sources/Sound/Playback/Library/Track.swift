/// One audio file of a library. Only its path is known until a `Decoder` opens it.
public struct Track: Sendable, Hashable {
    /// The path of the file, absolute or relative to the working directory, for display: bytes that are not UTF-8 are
    /// replaced by U+FFFD.
    public let path: String
    /// The path in the file system, if it is not UTF-8.
    private let bytes: [UInt8]?
    /// What to read instead of the file; nil for the file itself.
    let content: FileContent?

    public init(path: String) {
        self.path = path
        bytes = nil
        content = nil
    }

    /// - Parameter content: of a file that had this path.
    init(path: String, content: FileContent) {
        self.path = path
        bytes = nil
        self.content = content
    }

    /// - Parameter bytes: the path in the file system, in any encoding.
    public init(bytes: [UInt8]) {
        let text = String(validating: bytes, as: UTF8.self)
        path = text ?? String(decoding: bytes, as: UTF8.self)
        self.bytes = text == nil ? bytes : nil
        content = nil
    }

    /// The path in the file system.
    public var pathBytes: [UInt8] { bytes ?? Array(path.utf8) }

    /// The last component of the path, for display.
    public var name: String {
        path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
    }

    /// Calls `body` with the path as a C string, which ends at the first zero byte.
    func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        guard let bytes else { return path.withCString(body) }
        return (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
            // The buffer is never empty: it contains at least the final zero.
            buffer.baseAddress.map(body) ?? path.withCString(body)
        }
    }
}

/// The file name extensions of tracks: libsndfile's formats that are used for music.
enum AudioExtension {
    private static let known: Set<String> = [
        "wav", "wave", "w64", "rf64", "flac", "ogg", "oga", "opus", "mp3", "aif", "aiff", "aifc", "caf", "au",
    ]

    static func matches(_ path: String) -> Bool {
        known.contains(pathExtension(path))
    }
}

/// The text after the last dot of the last component, in lower case; empty if there is no dot.
func pathExtension(_ path: String) -> String {
    let name = Track(path: path).name
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
}
