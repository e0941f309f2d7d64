/// How much of a library is read: whoever writes a disk determines what is on it, and nothing of it may use up memory or
/// the stack. A reload holds the tracks of the former library, too. Both together need less than half of what the unit
/// allows the daemon.
struct LibraryLimits: Sendable {
    /// The number of tracks.
    var files = 250_000
    /// The number of names looked at in folders.
    var names = 500_000
    /// The length of the paths of all tracks and folders together, in bytes.
    var paths = 32 << 20
    /// The number of names among which a playlist's entries are looked for in other spellings; each takes 300 bytes.
    var searched = 200_000
    /// The length of all folders' paths in which they are looked for, in bytes: each part of an entry is one, and the system
    /// takes longer for a longer path.
    var searchedPaths = 256 << 20
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

    /// Why something is left out.
    var pathWords: String { "the paths of its files are longer than \(paths >> 20) MiB together" }
}

/// How much of a library has been read.
struct LibraryUsage: Sendable {
    var files = 0
    var names = 0
    /// The length of the paths, in bytes.
    var paths = 0
}
