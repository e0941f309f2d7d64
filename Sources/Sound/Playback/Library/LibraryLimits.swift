/// The limits on the amount of a library that is read. A disk may contain anything, and its content must not exhaust
/// the memory or the stack. During a reload, the tracks of the old library are also in memory. Both libraries together
/// need less than half of the memory that the systemd unit allows the daemon.
struct LibraryLimits: Sendable {
    /// The number of tracks.
    var files = 250_000
    /// The number of names that are read in folders.
    var names = 500_000
    /// The total length of the paths of all tracks and folders, in bytes.
    var paths = 32 << 20
    /// The number of names that are compared to find a playlist's entries in other spellings. Each name takes 300 bytes
    /// of memory.
    var searched = 200_000
    /// The total length of the paths of all folders that are searched for these entries, in bytes. It is limited
    /// because each component of an entry's path is a folder to search, and longer paths take longer.
    var searchedPaths = 256 << 20
    /// The nesting depth of folders.
    var depth = 64
    /// The length of a playlist, in bytes.
    var playlist = 4 << 20
    /// The length of a playlist's line, in bytes. This is `PATH_MAX`.
    var line = 4096
    /// The nesting depth of playlists.
    var nesting = 8
    /// The total length of all playlists, in bytes.
    var playlists = 16 << 20
    /// The number of folders that are watched for new files.
    var watches = 4096
    /// The number of errors that are kept.
    var errors = 1000

    /// The reason why a part of the library is omitted if the paths are too long.
    var pathWords: String { "the paths of its files are longer than \(paths >> 20) MiB together" }
}

/// The amount of a library that has been read.
struct LibraryUsage: Sendable {
    var files = 0
    var names = 0
    /// The total length of the paths, in bytes.
    var paths = 0
}
