import Glibc
import Spelling

/// One audio file of a library. Only its path is known until a `Decoder` opens it.
public struct Track: Sendable, Hashable {
    /// The path of the file, absolute or relative to the working directory, for display: bytes that are not UTF-8 are
    /// replaced by U+FFFD, and control characters are escaped, because whoever writes a disk chooses its names.
    public let path: String
    /// The path in the file system, if it differs.
    private let bytes: [UInt8]?
    /// What to read instead of the file; nil for the file itself.
    let content: FileContent?

    public init(path: String) { self.init(text: path, bytes: nil, content: nil) }

    /// - Parameter content: of a file that had this path.
    init(path: String, content: FileContent) { self.init(text: path, bytes: nil, content: content) }

    /// - Parameter bytes: the path in the file system, in any encoding.
    public init(bytes: [UInt8]) {
        if let text = String(validating: bytes, as: UTF8.self) {
            self.init(text: text, bytes: nil, content: nil)
        } else {
            self.init(text: String(decoding: bytes, as: UTF8.self), bytes: bytes, content: nil)
        }
    }

    /// - Parameter bytes: if they are not those of the text.
    private init(text: String, bytes: [UInt8]?, content: FileContent?) {
        path = text.visible
        self.bytes = bytes ?? (path.utf8.count == text.utf8.count ? nil : Array(text.utf8))
        self.content = content
    }

    /// Compares bytes, because strings are equal if they differ only in their Unicode normalisation, but files are not the
    /// same then.
    public static func == (one: Track, other: Track) -> Bool {
        one.path.utf8.elementsEqual(other.path.utf8) && one.bytes == other.bytes && one.content == other.content
    }

    /// The path in the file system.
    public var pathBytes: [UInt8] { bytes ?? Array(path.utf8) }

    /// The last component of the path, for display, of at most `TrackTags.longest` bytes.
    public var name: String {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { Substring($0) } ?? path[...]
        return name.visible(limit: TrackTags.longest)
    }

    /// Whether the file exists, as far as this user can see. Blocks on the storage.
    public var exists: Bool { withPath { access($0, F_OK) == 0 } }

    /// Calls `body` with the path as a C string, which ends at the first zero byte.
    public func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        guard let bytes else { return path.withCString(body) }
        return (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
            // The buffer is never empty: it contains at least the final zero.
            buffer.baseAddress.map(body) ?? path.withCString(body)
        }
    }
}

/// The text after the last dot of the last component, in lower case; empty if there is no dot.
func pathExtension(_ path: String) -> String {
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { Substring($0) } ?? path[...]
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
}
