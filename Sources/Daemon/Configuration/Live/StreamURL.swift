/// The URL of a radio stream, such as `https://radio.example/live.mp3`.
///
/// Only its form is checked here. The program that opens it follows the rules of its library.
public struct StreamURL: Hashable, Sendable {
    /// The URL as it is written, which may contain a password.
    public let text: String

    public static let longest = 2000

    /// - Throws: a description of the mistake, which follows the words “the URL”.
    public init(_ text: String) throws(Mistake) {
        guard text.utf8.count <= Self.longest else { throw Mistake("is longer than \(Self.longest) bytes") }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw Mistake("contains a blank or a character beyond ASCII, which must be percent-encoded")
        }
        guard let separator = Self.separator(in: text), ["http", "https"].contains(text[..<separator].lowercased())
        else { throw Mistake("begins with neither http:// nor https://") }
        self.text = text
        let (host, port) = self.host
        let isHost = host.utf8.allSatisfy { !"\"<>\\^`{|}@".utf8.contains($0) }
        guard !host.isEmpty, host.utf8.count <= 253, isHost else { throw Mistake("has no valid host") }
        guard port.isEmpty || UInt16(port).map({ $0 > 0 }) ?? false else {
            throw Mistake("has a port that is not a number from 1 to 65535")
        }
    }

    public struct Mistake: Error, Hashable, Sendable {
        public let words: String
        init(_ words: String) { self.words = words }
    }

    /// The URL without a user, a password, a query and a fragment. It can be shown to everybody.
    public var shown: String {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        let (host, port) = host
        let rest = text.dropFirst(scheme.utf8.count + 3).drop { !Self.endsAuthority($0) }
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        return "\(scheme)://\(host)\(port.isEmpty ? "" : ":\(port)")\(path)"
    }

    /// The host, in brackets if it is an IPv6 address, and the port, which may be empty.
    private var host: (host: Substring, port: Substring) {
        let scheme = Self.separator(in: text) ?? text.startIndex
        let authority = text[scheme...].dropFirst(3).prefix { !Self.endsAuthority($0) }
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        if place.hasPrefix("["), let end = place.firstIndex(of: "]") {
            let rest = place[place.index(after: end)...]
            // Anything but a port behind the bracket makes the host invalid.
            guard rest.isEmpty || rest.hasPrefix(":") else { return ("", "") }
            return (place[...end], rest.dropFirst())
        }
        guard let colon = place.firstIndex(of: ":") else { return (place, "") }
        return (place[..<colon], place[place.index(after: colon)...])
    }

    private static func separator(in text: String) -> String.Index? {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        return colon
    }

    private static func endsAuthority(_ character: Character) -> Bool { "/?#".contains(character) }
}
