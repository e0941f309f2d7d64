/// The limits on the amount of a library that is read. The author of a disk determines what is on it, and no content
/// may exhaust the memory or the stack. A reload also holds the tracks of the former library. Both together need less
/// than half of the memory that the unit allows the daemon.
struct LibraryLimits: Sendable {
    /// The number of tracks.
    var files = 250_000
    /// The number of names read in folders.
    var names = 500_000
    /// The length of the paths of all tracks and folders together, in bytes.
    var paths = 32 << 20
    /// The number of names among which a playlist's entries are searched for in other spellings. Each name takes 300
    /// bytes.
    var searched = 200_000
    /// The total length of the paths of all folders that are searched for these entries, in bytes. Each part of an
    /// entry is a folder, and the system takes longer for a longer path.
    var searchedPaths = 256 << 20
    /// The number of folders in which a file can be nested.
    var depth = 64
    /// The length of a playlist, in bytes.
    var playlist = 4 << 20
    /// The length of a playlist's line, in bytes. It is equal to `PATH_MAX`.
    var line = 4096
    /// The number of playlists that can be nested in each other.
    var nesting = 8
    /// The length of all playlists together, in bytes.
    var playlists = 16 << 20
    /// The number of folders in which new files are detected at once.
    var watches = 4096
    /// The number of errors that are kept.
    var errors = 1000

    /// The reason why a part is omitted.
    var pathWords: String { "the paths of its files are longer than \(paths >> 20) MiB together" }
}

/// The amount of a library that has been read.
struct LibraryUsage: Sendable {
    var files = 0
    var names = 0
    /// The length of the paths, in bytes.
    var paths = 0
}
