/// The format of what a server sends. This type is pure.
public enum StreamKind: Hashable, Sendable {
    case mp3, vorbis, opus, flac, oggFLAC, aac
    case playlist
    /// Something that cannot be played, in words that follow “the server sends”.
    case other(String)

    /// The number of bytes by which the format is recognised.
    public static let headLength = 64

    /// - Parameters:
    ///   - type: the value of the header `Content-Type`.
    ///   - head: the first bytes, at most `headLength`.
    public init(type: String, head: [UInt8]) {
        let type = type.prefix { $0 != ";" && $0 != " " }.lowercased()
        self =
            Self.marked(head) ?? Self.refused(type) ?? Self.document(head) ?? Self.typed(type) ?? Self.synchronised(
                head)
            ?? .other("data of an unknown format" + (type.isEmpty ? "" : " (\(StreamText.limited(type)))"))
    }

    /// Returns the format that the beginning states.
    private static func marked(_ head: [UInt8]) -> StreamKind? {
        func has(_ text: String, at offset: Int = 0) -> Bool {
            head.count >= offset && head[offset...].starts(with: Array(text.utf8))
        }
        if has("fLaC") { return .flac }
        if has("OggS") {
            // The first packet follows the header of the first page, which has one segment.
            if has("OpusHead", at: 28) { return .opus }
            if has("\u{1}vorbis", at: 28) { return .vorbis }
            if has("\u{7f}FLAC", at: 28) { return .oggFLAC }
            return .other("an Ogg stream that contains neither Vorbis, Opus nor FLAC")
        }
        let text = String(decoding: head.prefix(32), as: UTF8.self).lowercased().drop { $0.isWhitespace }
        if text.hasPrefix("#extm3u") || text.hasPrefix("[playlist]") { return .playlist }
        return nil
    }

    /// Returns the type of something that is not audio.
    private static func refused(_ type: String) -> StreamKind? {
        switch type {
        case "text/html", "application/xhtml+xml": .other("a web page (\(type)) instead of audio")
        case _ where type.hasPrefix("text/") || type.hasPrefix("image/") || type.hasPrefix("video/"):
            .other("\(StreamText.limited(type)) instead of audio")
        default: nil
        }
    }

    /// Returns a page, such as the one on which users of a network must log in.
    private static func document(_ head: [UInt8]) -> StreamKind? {
        let text = String(decoding: head.prefix(32), as: UTF8.self).drop { $0.isWhitespace }
        return text.hasPrefix("<") ? .other("a page or document instead of audio") : nil
    }

    private static func typed(_ type: String) -> StreamKind? {
        switch type {
        case "audio/mpeg", "audio/mp3", "audio/x-mp3", "audio/mpeg3": .mp3
        case "audio/aac", "audio/aacp", "audio/x-aac": .aac
        case "audio/x-mpegurl", "audio/mpegurl", "application/mpegurl", "application/x-mpegurl", "audio/x-scpls",
            "audio/scpls", "application/vnd.apple.mpegurl", "application/pls+xml":
            .playlist
        default: nil
        }
    }

    /// Returns the format of frames at the beginning.
    private static func synchronised(_ head: [UInt8]) -> StreamKind? {
        if head.starts(with: Array("ID3".utf8)) { return .mp3 }
        guard head.count >= 2, head[0] == 0xff, head[1] & 0xe0 == 0xe0 else { return nil }
        return head[1] & 0xf6 == 0xf0 ? .aac : head[1] & 0x06 != 0 ? .mp3 : nil
    }
}
