import Glibc
import Synchronization

/// A folder and its modification time before it was read. The modification time changes when names appear or disappear.
struct WatchedFolder: Sendable {
    let track: Track
    private let modified: Duration?

    /// Creates a value for the current state of a folder. The call blocks on the storage.
    init(_ track: Track) {
        self.track = track
        modified = Self.modification(of: track)
    }

    /// True if names have appeared or disappeared since this value was created.
    var hasChanged: Bool { Self.modification(of: track) != modified }

    private static func modification(of folder: Track) -> Duration? {
        var status = stat()
        guard folder.withPath({ stat($0, &status) }) == 0 else { return nil }
        return .seconds(status.st_mtim.tv_sec) + .nanoseconds(status.st_mtim.tv_nsec)
    }
}

/// Detects when files appear, change or disappear in the folders of a library. Some file systems, such as network file
/// systems, do not report changes that other computers make.
public final class LibraryWatch: Sendable {
    /// The descriptor, which is readable when something has changed. It is negative if the system does not allow more
    /// watches.
    public let descriptor: Int32
    private let watches = Mutex<Set<Int32>>([])

    /// The events for complete files and for new or missing names.
    private static let events =
        UInt32(IN_CLOSE_WRITE) | UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO)

    public init() { descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Watches the folders of this library and stops watching all others. The call blocks on the storage.
    /// - Returns: true if a newly watched folder has changed since it was read.
    public func follow(_ library: Library) -> Bool {
        let folders = library.folders.map { (folder: $0, watch: watch($0.track)) }
        let new = Set(folders.map(\.watch)).subtracting([-1])
        let old = watches.withLock { watches in
            defer { watches = new }
            return watches
        }
        for watch in old.subtracting(new) { inotify_rm_watch(descriptor, watch) }
        return folders.contains { $0.watch >= 0 && !old.contains($0.watch) && $0.folder.hasChanged }
    }

    private func watch(_ folder: Track) -> Int32 {
        folder.withPath { inotify_add_watch(descriptor, $0, Self.events) }
    }

    /// Discards the changes that have been detected so far.
    public func forget() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }
}
