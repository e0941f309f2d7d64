import Glibc
import Spelling

/// An audio file of a library. Only its path is known until a `Decoder` opens it.
public struct Track: Sendable, Hashable {
    /// The path of the file for display, absolute or relative to the working directory. Bytes that are not UTF-8 are
    /// replaced with U+FFFD. Control characters are escaped, because the names on a disk are not trusted.
    public let path: String
    /// The path in the file system, if it differs from `path`.
    private let bytes: [UInt8]?
    /// The content to read instead of the file, or nil for the file itself.
    let content: FileContent?

    public init(path: String) { self.init(text: path, bytes: nil, content: nil) }

    /// - Parameter content: the content of a file that had this path.
    init(path: String, content: FileContent) { self.init(text: path, bytes: nil, content: content) }

    /// - Parameter bytes: the path in the file system, in any encoding.
    public init(bytes: [UInt8]) {
        if let text = String(validating: bytes, as: UTF8.self) {
            self.init(text: text, bytes: nil, content: nil)
        } else {
            self.init(text: String(decoding: bytes, as: UTF8.self), bytes: bytes, content: nil)
        }
    }

    /// - Parameter address: a URL such as `file:///srv/My%20Music/a.flac`.
    /// - Returns: nil if it is not the URL of a file on this machine.
    public init?(fileURL address: String) {
        guard let bytes = PlaylistEntry.path(ofFileURL: Array(address.utf8)[...]), !bytes.contains(0) else {
            return nil
        }
        self.init(bytes: bytes)
    }

    /// - Parameter bytes: the path in the file system if it differs from the text, or nil.
    private init(text: String, bytes: [UInt8]?, content: FileContent?) {
        path = text.visible
        self.bytes = bytes ?? (path.utf8.count == text.utf8.count ? nil : Array(text.utf8))
        self.content = content
    }

    /// Compares the bytes, because strings that differ only in their Unicode normalisation are equal, but they refer to
    /// different files.
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

    /// True if the file exists and this user can access its folder. Reading the property blocks on the storage.
    public var exists: Bool { withPath { access($0, F_OK) == 0 } }

    /// Calls `body` with the path as a C string, which ends at the first zero byte.
    public func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        guard let bytes else { return path.withCString(body) }
        return (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
            // The buffer is never empty because it contains at least the final zero.
            buffer.baseAddress.map(body) ?? path.withCString(body)
        }
    }
}

/// Returns the text after the last dot of the last component in lower case. It is empty if there is no dot.
func pathExtension(_ path: String) -> String {
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { Substring($0) } ?? path[...]
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
}
