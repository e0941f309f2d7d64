import Clocks
import Playback
import Systemd

/// The libraries that are being read. Use it on the control thread only.
///
/// A disk that never answers blocks the thread that reads it. For each path there is only one such thread, even if the
/// library is requested repeatedly.
struct LibraryLoaders {
    private var unfinished: [LibraryLoader] = []
    private let read: (@Sendable (String) -> LibraryLoader.Outcome)?

    /// - Parameter read: Reads a library in tests, or nil to read the disk.
    init(reading read: (@Sendable (String) -> LibraryLoader.Outcome)? = nil) { self.read = read }

    /// Begins to read a library, including all changes up to now.
    /// - Parameters:
    ///   - tracks: The tracks in use, if other tracks may replace them only if they can be played.
    ///   - choice: The name of the choice in progress, or nil if there is none.
    mutating func load(_ path: String?, replacing tracks: [Track]? = nil, choice: String? = nil) -> LibraryLoader {
        unfinished.removeAll(where: \.isFinished)
        if let loader = unfinished.first(where: { $0.path == path }),
            loader.repeatReading(replacing: tracks, choice: choice)
        {
            return loader
        }
        let loader =
            read.map { LibraryLoader(path, replacing: tracks, choice: choice, reading: $0) }
            ?? LibraryLoader(path, replacing: tracks, choice: choice)
        unfinished.append(loader)
        return loader
    }
}

/// Waits for a library in an event loop until this object is released. It owns its source and timer, which do not call
/// back after they are released, so their handlers can refer to it `unowned`.
final class LibraryQuery {
    private let loader: LibraryLoader
    private var source: EventSource?
    private var timer: EventTimer?

    /// - Parameters:
    ///   - timeout: The time to wait, or nil for no limit.
    ///   - then: Called once, with `unanswered` if the disk has not answered in time. It may release the query.
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
