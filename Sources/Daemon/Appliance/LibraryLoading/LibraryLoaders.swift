import Clocks
import Playback
import Systemd

/// The libraries that are being read. For the control thread.
///
/// A disk that never answers blocks the thread that reads it. There is only one such thread for each path, however often
/// the library is requested.
struct LibraryLoaders {
    private var unfinished: [LibraryLoader] = []
    private let read: (@Sendable (String) -> LibraryLoader.Outcome)?

    /// - Parameter read: for tests; nil: reads the disk.
    init(reading read: (@Sendable (String) -> LibraryLoader.Outcome)? = nil) { self.read = read }

    /// Begins to read a library, as it is from now on.
    /// - Parameter tracks: those in use, if other ones may replace them only if they can be played.
    mutating func load(_ path: String?, replacing tracks: [Track]? = nil) -> LibraryLoader {
        unfinished.removeAll(where: \.isFinished)
        if let loader = unfinished.first(where: { $0.path == path }), loader.repeatReading(replacing: tracks) {
            return loader
        }
        let loader =
            read.map { LibraryLoader(path, replacing: tracks, reading: $0) } ?? LibraryLoader(path, replacing: tracks)
        unfinished.append(loader)
        return loader
    }
}

/// Waits in an event loop for a library, until this object is released. It owns its source and timer, which do not call
/// back once they are released, so their handlers can refer to it `unowned`.
final class LibraryQuery {
    private let loader: LibraryLoader
    private var source: EventSource?
    private var timer: EventTimer?

    /// - Parameters:
    ///   - timeout: how long to wait; nil: without a limit.
    ///   - then: called once; with `unanswered` if the disk has not answered in time. It can release the query.
    init(
        _ loader: LibraryLoader, timeout: Duration? = nil, in loop: EventLoop,
        then: @escaping (LibraryLoader.Outcome) -> Void
    ) throws(SystemdError) {
        self.loader = loader
        source = try loop.whenReadable(loader.descriptor) { [unowned self] in
            guard let outcome = loader.wait(.zero) else { return }
            end()
            then(outcome)
        }
        guard let timeout else { return }
        timer = try loop.timer { [unowned self] in
            end()
            then(.unanswered)
        }
        timer?.deadline = SystemClock.monotonic.now + timeout
    }

    private func end() {
        source = nil
        timer = nil
    }
}
