import Spelling

/// The files of a library that are music or films in a format that cannot be played, counted by their suffix.
public struct UnplayableFiles: Sendable, Hashable, CustomStringConvertible {
    /// The number of files for each suffix, without its dot.
    private(set) var counts: [String: Int] = [:]

    public init() {}

    static func matches(_ path: String) -> Bool { ForeignFormat.suffixes.contains(pathExtension(path)) }

    /// Counts a file if it cannot be played.
    mutating func note(_ file: Track) {
        let suffix = pathExtension(file.path)
        if ForeignFormat.suffixes.contains(suffix) { counts[suffix, default: 0] += 1 }
    }

    mutating func add(_ others: UnplayableFiles) { counts.merge(others.counts, uniquingKeysWith: +) }

    public var isEmpty: Bool { counts.isEmpty }

    /// A clause, such as `3 files .m4a cannot be played, so convert them, for example with ffmpeg`.
    public var description: String { "\(counted) cannot be played, so \(advice)" }

    public var advice: String {
        "convert \(counts.values.reduce(0, +) == 1 ? "it" : "them"), for example with ffmpeg"
    }

    /// The counts, such as `3 files .m4a and 1 file .wma`.
    public var counted: String {
        let kinds = counts.sorted { $0.key < $1.key }.map { suffix, count in
            "\(count) \(count == 1 ? "file" : "files") .\(suffix)"
        }
        return kinds.isEmpty ? "no files" : kinds.enumeration
    }
}

/// The playlists in formats other than M3U.
enum ForeignPlaylist {
    static let advice = "save it as an M3U playlist (.m3u8)"

    private static let formats = [
        "pls": "a PLS playlist", "xspf": "an XSPF playlist", "cue": "a cue sheet", "asx": "an ASX playlist",
        "wpl": "a WPL playlist", "zpl": "a ZPL playlist", "b4s": "a B4S playlist", "jspf": "a JSPF playlist",
    ]

    /// Returns the format of a playlist according to its suffix, or nil if it is not the suffix of such a playlist.
    static func format(of path: String) -> String? { formats[pathExtension(path)] }
}
