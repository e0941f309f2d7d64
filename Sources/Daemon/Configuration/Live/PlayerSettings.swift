import AudioSession

/// Another program that plays by itself. It corresponds to a `[Player NAME]` section.
public struct PlayerSettings: Hashable, Sendable {
    /// The way to the program, as it is written.
    public enum Address: Hashable, Sendable {
        /// The end of an MPRIS name, in which * stands for any text.
        case bus(String)
        /// The socket of a Music Player Daemon.
        case mpd(String)
    }

    public var id: PlayerID
    public var address: Address

    public init(_ id: PlayerID, at address: Address) {
        self.id = id
        self.address = address
    }

    /// The MPRIS names that are never players. The first is a proxy for other players, and the second is Tacet itself.
    public static let excludedNames = ["playerctld", "tacet"]
}

/// The address of a Music Player Daemon.
public enum MPDAddress: Hashable, Sendable {
    /// The longest path of a UNIX socket, in bytes.
    private static let longestPath = 107

    case socket(path: String)
    case host(String, port: UInt16)

    /// - Parameter text: an absolute path, or a host and a port. An IPv6 address is written in brackets.
    public init?(_ text: String) {
        if text.hasPrefix("/") {
            guard text.utf8.count <= Self.longestPath else { return nil }
            self = .socket(path: text)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        let isHost = host.utf8.allSatisfy { byte in
            byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "/") && byte != UInt8(ascii: "@")
        }
        guard !host.isEmpty, host.utf8.count <= 253, isHost else { return nil }
        self = .host(String(host), port: port)
    }
}
