/// Checks the URLs in messages from the broker. It has no side effects.
enum AudioURL {
    /// A path that is still encoded after this many passes is refused.
    private static let mostPasses = 4

    /// Returns the reason why a URL must not be downloaded, for people, or nil if it may be downloaded.
    /// - Parameter server: the beginning that every URL must have, or nil if nothing may be downloaded.
    static func problem(with url: String, server: String?) -> String? {
        guard let server, url.utf8.starts(with: server.utf8) else { return "AudioServer= does not allow \(url)" }
        let path = url.utf8.dropFirst(server.utf8.count).prefix { !"?#".utf8.contains($0) }
        return leadsElsewhere(Array(path))
            ? "AudioServer= does not allow \(url), because its path has a segment ‘.’ or ‘..’" : nil
    }

    /// Returns true if a dot segment may lead curl, a proxy or the server out of the folder. The segment may be
    /// percent-encoded once or repeatedly, stand between backslashes, or have parameters (`..;x`).
    private static func leadsElsewhere(_ path: [UInt8]) -> Bool {
        var path = path
        for _ in 0..<mostPasses {
            let segments = path.split(omittingEmptySubsequences: false) { "/\\".utf8.contains($0) }
            let names = segments.map { Array($0.prefix { $0 != UInt8(ascii: ";") }) }
            if names.contains(where: { $0 == Array(".".utf8) || $0 == Array("..".utf8) }) { return true }
            let decoded = decode(path)
            guard decoded != path else { return false }
            path = decoded
        }
        return true
    }

    /// Replaces each escape such as `%41` with its byte.
    private static func decode(_ text: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(isDigit),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
    }
}
