/// How much of a library is read: whoever writes a disk determines what is on it, and nothing of it may use up memory or
/// the stack.
struct LibraryLimits: Sendable {
    /// The number of tracks.
    var files = 1_000_000
    /// The number of names looked at in folders.
    var names = 4_000_000
    /// How many folders a file can be nested in.
    var depth = 64
    /// The length of a playlist, in bytes.
    var playlist = 4 << 20
    /// The length of a playlist's line, in bytes: `PATH_MAX`.
    var line = 4096
    /// How many playlists can be nested in each other.
    var nesting = 8
    /// The length of all playlists together, in bytes.
    var playlists = 16 << 20
    /// The number of folders in which new files are noticed at once.
    var watches = 4096
    /// The number of errors that are kept.
    var errors = 1000
}
