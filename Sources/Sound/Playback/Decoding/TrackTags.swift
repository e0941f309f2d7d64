import Spelling

/// The tags of an audio file. Because files are not trusted, texts are limited to `longest` bytes of UTF-8, and their
/// control characters are escaped.
public struct TrackTags: Hashable, Sendable {
    /// The maximum length of a text, in bytes.
    public static let longest = 1024
    /// The maximum number of artists.
    static let mostArtists = 32

    public var title: String? { didSet { title = Self.bounded(title) } }
    /// All artists, in the file's order.
    public private(set) var artists: [String] = []
    public var album: String? { didSet { album = Self.bounded(album) } }
    public var genre: String? { didSet { genre = Self.bounded(genre) } }
    public var comment: String? { didSet { comment = Self.bounded(comment) } }
    public var trackNumber: Int?
    /// The length, or nil if the header does not contain it. It is an estimate for some MP3s.
    public var length: Duration?

    public init() {}

    /// The first artist.
    public var artist: String? {
        get { artists.first }
        set { artists = Self.bounded(newValue).map { [$0] } ?? [] }
    }

    /// Adds an artist, unless it has been added before.
    mutating func add(artist: String) {
        guard artists.count < Self.mostArtists, let artist = Self.bounded(artist), !artists.contains(artist)
        else { return }
        artists.append(artist)
    }

    private static func bounded(_ text: String?) -> String? { text?.visible(limit: longest) }

    /// Returns the number in a text such as "3" or "3/12".
    static func number(_ text: String) -> Int? { Int(text.prefix { $0.isNumber }) }
}
