import Spelling

/// A playlist that a server sends instead of audio, which names the address of the station. This type is pure.
public enum RadioPlaylist {
    /// The longest playlist, in bytes.
    public static let longest = 65_536
    /// The number of playlists that may refer to each other.
    public static let depth = 2
    /// The longest address, in bytes.
    private static let longestLine = 2000

    /// The reason why a playlist cannot be used.
    public enum Problem: Error, Sendable, Hashable {
        case empty
        /// The list names the parts of a stream (HTTP Live Streaming).
        case parts
    }

    /// Returns the first address of an M3U or PLS playlist, which may be relative.
    public static func address(in bytes: [UInt8]) throws(Problem) -> String {
        let text = StreamText.decode(bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...])
        let lines = text.split { $0.isNewline }.lazy.map(\.trimmed).filter { !$0.isEmpty }
        let isPLS = lines.first.map { $0.lowercased() == "[playlist]" } ?? false
        for line in lines {
            if line.hasPrefix("#EXT-X-") { throw .parts }
            if let address = isPLS ? entry(in: line) : line.hasPrefix("#") ? nil : line,
                (1...longestLine).contains(address.utf8.count)
            {
                return String(address)
            }
        }
        throw .empty
    }

    /// Returns the value of a line such as `File1=http://radio.example/`.
    private static func entry(in line: Substring) -> Substring? {
        guard let equals = line.firstIndex(of: "=") else { return nil }
        let key = line[..<equals].trimmed.lowercased()
        guard key.hasPrefix("file"), !key.dropFirst(4).isEmpty, key.dropFirst(4).allSatisfy(\.isNumber) else {
            return nil
        }
        return line[line.index(after: equals)...].trimmed
    }
}
