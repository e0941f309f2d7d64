import Systemd

/// Waits in an event loop for a library, until it is let go of.
final class LibraryQuery {
    private let loader: LibraryLoader
    private var source: EventSource?
    private var timer: EventTimer?

    /// - Parameters:
    ///   - patience: after which it has not answered; nil: for ever.
    ///   - then: called once, with nil where it has not answered. The query is over, and may be let go of.
    init(
        _ loader: LibraryLoader, patience: Duration? = nil, in loop: EventLoop,
        then: @escaping (LibraryLoader.Outcome?) -> Void
    ) throws(SystemdError) {
        self.loader = loader
        source = try loop.whenReadable(loader.descriptor) { [unowned self] in
            guard let outcome = loader.wait(.zero) else { return }
            end()
            then(outcome)
        }
        guard let patience else { return }
        timer = try loop.timer { [unowned self] in
            end()
            then(nil)
        }
        timer?.deadline = EventClock.monotonic.now + patience
    }

    private func end() {
        source = nil
        timer = nil
    }
}
