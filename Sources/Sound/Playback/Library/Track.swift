/// One audio file of a library. Nothing is known of it but where it is until a `Decoder` opens it.
public struct Track: Sendable, Hashable {
    /// Path of the file, absolute or relative to the working directory, for people: a byte that is not UTF-8 shows as
    /// U+FFFD.
    public let path: String
    /// The path as the system knows it, if it is not UTF-8.
    private let bytes: [UInt8]?

    public init(path: String) {
        self.path = path
        bytes = nil
    }

    /// - Parameter bytes: the path as the system knows it, in whatever encoding.
    public init(bytes: [UInt8]) {
        let text = String(validating: bytes, as: UTF8.self)
        path = text ?? String(decoding: bytes, as: UTF8.self)
        self.bytes = text == nil ? bytes : nil
    }

    /// The path as the system knows it.
    public var pathBytes: [UInt8] { bytes ?? Array(path.utf8) }

    /// Last component of the path, for people.
    public var name: String {
        path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
    }

    /// The path as system calls take it. A zero byte within ends it, as in every C string.
    func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        guard let bytes else { return path.withCString(body) }
        return (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
            // It has at least the zero at its end.
            buffer.baseAddress.map(body) ?? path.withCString(body)
        }
    }
}

/// Name endings of the files taken for tracks: the containers libsndfile reads that people keep music in.
enum AudioExtension {
    private static let known: Set<String> = [
        "wav", "wave", "w64", "rf64", "flac", "ogg", "oga", "opus", "mp3", "aif", "aiff", "aifc", "caf", "au",
    ]

    static func matches(_ path: String) -> Bool {
        known.contains(pathExtension(path))
    }
}

/// What follows the last dot of the last component, in lower case; empty without one.
func pathExtension(_ path: String) -> String {
    let name = Track(path: path).name
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
}
