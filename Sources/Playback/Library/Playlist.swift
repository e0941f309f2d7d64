import Glibc

/// An M3U playlist: a path a line, `#` lines and blank ones passed over.
enum Playlist {
    static func matches(_ path: String) -> Bool {
        ["m3u", "m3u8"].contains(pathExtension(path))
    }

    /// Paths of the entries, in order, whether they exist or not.
    static func load(_ path: String) throws(LibraryError) -> [String] {
        let text = decode(try bytes(of: path))
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        return text.split(whereSeparator: \.isNewline).compactMap { line in
            let entry = line.trimmed
            guard !entry.isEmpty, !entry.hasPrefix("#") else { return nil }
            // An address is left as it is, so that the warning shows what the playlist says.
            return entry.hasPrefix("/") || entry.contains("://") ? String(entry) : folder + entry
        }
    }

    /// UTF-8 with or without a byte order mark; Latin-1, which the older players wrote, where it is not UTF-8.
    private static func decode(_ bytes: [UInt8]) -> String {
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        if let text = String(validating: body, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(body.map { Unicode.Scalar($0) }))
    }

    private static func bytes(of path: String) throws(LibraryError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .system(errno, operation: "read playlist", path: path) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(file, &block, block.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw .system(errno, operation: "read playlist", path: path)
            }
            if count == 0 { return bytes }
            bytes.append(contentsOf: block[..<count])
        }
    }
}

extension Substring {
    /// Without the white space at either end.
    fileprivate var trimmed: Substring {
        var rest = drop(while: \.isWhitespace)
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return rest
    }
}
