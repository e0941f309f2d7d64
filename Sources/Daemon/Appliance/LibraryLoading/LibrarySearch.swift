import Clocks
import Playback
import Systemd
import Threads

/// Searches for the library of the configuration in use in an event loop, because it may be on a disk that appears late
/// and because its files may change. Use it on the control thread only.
final class LibrarySearch {
    enum News {
        /// The library must be searched for again.
        case due
        case found(LibraryLoader.Outcome)
        /// Files have been copied or removed.
        case changed
    }

    /// The minimum time between two readings at the end of a round, because a round of the list may be short.
    private static let pauseOfRounds = Duration.seconds(60)

    private let loop: EventLoop
    var loaders = LibraryLoaders()
    /// Reports changes in the library in use.
    private var changes: LibraryChanges?
    /// The query, or nil while the library is not being read.
    private var query: LibraryQuery?
    private var timer: EventTimer?
    private var backoff = Backoff(from: .seconds(10), to: .seconds(60))
    /// True if the library has changed since it was read.
    private(set) var isStale = false
    /// True if the list must be created anew from the library.
    var isListStale = false
    private var readAt = SystemClock.monotonic.now
    var onNews: (News) -> Void = { _ in }

    init(in loop: EventLoop) throws(SystemdError) {
        self.loop = loop
        timer = try loop.timer { [unowned self] in onNews(.due) }
        changes = try LibraryChanges(in: loop) { [unowned self] in
            isStale = true
            onNews(.changed)
        }
    }

    /// True if the library is being read.
    var isReading: Bool { query != nil }
    /// True if the library will be searched for again.
    var isScheduled: Bool { timer?.deadline != nil }
    /// True if the library must be read at the end of a round of the list, because not every file system reports
    /// changes.
    var isOld: Bool { SystemClock.monotonic.now - readAt >= Self.pauseOfRounds }

    /// Reports the library as soon as it is available.
    func expect(_ loader: LibraryLoader) throws(SystemdError) {
        isStale = false
        readAt = SystemClock.monotonic.now
        query = try LibraryQuery(loader, in: loop) { [unowned self] outcome in
            query = nil
            onNews(.found(outcome))
        }
    }

    /// Schedules another search.
    func schedule() { timer?.deadline = SystemClock.monotonic.now + backoff.next() }

    /// Stops searching.
    func stop() {
        query = nil
        timer?.deadline = nil
        backoff.restart()
    }

    /// Reports changes in this library from now on.
    func follow(_ library: Library) { changes?.follow(library) }
}
