import CSystemd
import Clocks
import Glibc

/// Waits for descriptors, timers, folders and UNIX signals, and calls their actions. It uses systemd's `sd-event`.
///
/// The loop and its sources belong to the thread that created the loop. A source is active until it is released.
public final class EventLoop {
    let event: OpaquePointer

    public init() throws(SystemdError) {
        var made: OpaquePointer?
        try check(sd_event_new(&made), "make an event loop")
        guard let made else { throw SystemdError("make an event loop", code: ENOMEM) }
        event = made
    }

    deinit {
        sd_event_unref(event)
    }

    /// Calls the actions of ready sources until `exit` is called.
    /// - Returns: the code given to `exit`.
    public func run() throws(SystemdError) -> Int32 {
        try check(sd_event_loop(event), "run the event loop")
    }

    /// Waits for at most one source and calls its action.
    /// - Parameter timeout: the maximum time to wait, or nil for no limit.
    /// - Returns: true if an action was called.
    @discardableResult
    public func turn(within timeout: Duration?) throws(SystemdError) -> Bool {
        try check(sd_event_run(event, timeout?.microseconds ?? UInt64.max), "run the event loop") > 0
    }

    /// Ends `run` after the current action.
    public func exit(_ code: Int32 = 0) {
        sd_event_exit(event, code)
    }

    /// Calls the action whenever there is something to read, the other end has hung up, or there is an error.
    ///
    /// The source watches a duplicate of the descriptor, so the original may be closed before the source is released.
    /// The file itself stays open until the source is released.
    public func whenReadable(
        _ descriptor: Int32, priority: EventPriority = .normal, _ action: @escaping () -> Void
    ) throws(SystemdError) -> EventSource {
        try watch(descriptor, for: POLLIN, priority, action)
    }

    /// Calls the action whenever there is room to write, the other end has hung up, or there is an error.
    public func whenWritable(
        _ descriptor: Int32, priority: EventPriority = .normal, _ action: @escaping () -> Void
    ) throws(SystemdError) -> EventSource {
        try watch(descriptor, for: POLLOUT, priority, action)
    }

    /// Watches a descriptor.
    /// - Parameter events: the events of poll(2), which have the same numbers as the events of epoll(7). In Swift 6.0,
    ///   the names of the latter are visible in only one module.
    private func watch(
        _ descriptor: Int32, for events: Int32, _ priority: EventPriority, _ action: @escaping () -> Void
    ) throws(SystemdError) -> EventSource {
        let source = EventSource(action)
        // Duplicate the descriptor. While a process that has just been forked has the same file open, epoll reports
        // events even after this process has closed its descriptor, and sd-event would then access a source that no
        // longer exists.
        let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard duplicate >= 0 else { throw SystemdError("watch a descriptor", code: errno) }
        let code = sd_event_add_io(
            event, &source.handle, duplicate, UInt32(events),
            { _, _, _, source in EventSource.call(source) }, source.reference)
        if code < 0 { close(duplicate) }
        try check(code, "watch a descriptor")
        sd_event_source_set_io_fd_own(source.handle, 1)
        source.set(priority)
        return source
    }

    /// Calls the action when the process receives a UNIX signal. The signal then does not have any other effect.
    ///
    /// This must be called before other threads exist, because it blocks the signal in the calling thread and in the
    /// threads that this thread starts.
    public func whenSignalled(
        _ signal: Int32, priority: EventPriority = .normal, _ action: @escaping () -> Void
    ) throws(SystemdError) -> EventSource {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, signal)
        let code = pthread_sigmask(SIG_BLOCK, &signals, nil)
        guard code == 0 else { throw SystemdError("block signal \(signal)", code: code) }
        let source = EventSource(action)
        try check(
            sd_event_add_signal(
                event, &source.handle, signal, { _, _, source in EventSource.call(source) }, source.reference),
            "watch signal \(signal)")
        source.set(priority)
        return source
    }

    /// Calls the action when something appears in a folder, or the attributes of something in it change. Each such
    /// event causes one call.
    public func whenFolderChanges(
        _ path: String, priority: EventPriority = .normal, _ action: @escaping () -> Void
    ) throws(SystemdError) -> EventSource {
        let source = EventSource(action)
        try check(
            sd_event_add_inotify(
                event, &source.handle, path, UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB),
                { _, _, source in EventSource.call(source) }, source.reference),
            "watch \(path)")
        source.set(priority)
        return source
    }

    /// Creates a source that calls its action in the next turn of the loop whenever it is enabled. It is disabled at
    /// first, and the action disables it again. Unlike a timer, it does not make the loop wait.
    public func deferred(_ action: @escaping () -> Void) throws(SystemdError) -> EventSource {
        let source = EventSource(action)
        try check(
            sd_event_add_defer(event, &source.handle, { _, source in EventSource.call(source) }, source.reference),
            "defer an action")
        source.isEnabled = false
        return source
    }

    /// Creates a timer that is not set yet.
    /// - Parameter clock: the clock on which deadlines are set.
    public func timer(
        on clock: SystemClock = .monotonic, priority: EventPriority = .normal, _ action: @escaping () -> Void
    ) throws(SystemdError) -> EventTimer {
        let source = EventSource(action)
        try check(
            sd_event_add_time(
                event, &source.handle, clock.number, 0, EventTimer.accuracy,
                { _, _, source in EventSource.call(source) }, source.reference),
            "make a timer")
        source.set(priority)
        source.isEnabled = false
        return EventTimer(source)
    }
}
