import CRealTime
import Files
import Glibc
import Time

/// A POSIX thread with a name that `top -H` shows.
// The conformance is unchecked because this class has variables. This is safe because they change only in `init` and in
// `join`, which only one thread may call.
public final class NativeThread: @unchecked Sendable {
    private var handle: pthread_t
    private var isJoined = false

    /// Starts a thread.
    /// - Parameters:
    ///   - name: the name, of at most 15 bytes.
    ///   - body: runs on the thread.
    /// - Returns: nil if the system cannot start another thread.
    public init?(_ name: String, _ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        // The default stack of 8 MB would be locked into memory.
        pthread_attr_setstacksize(&attributes, 512 << 10)
        let box = Unmanaged.passRetained(ThreadBody(name, body))
        handle = pthread_t()
        let code = pthread_create(
            &handle, &attributes,
            { argument in
                guard let argument else { return nil }
                let box = Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue()
                realtime_name_thread(box.name)
                box.body()
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            box.release()
            // `deinit` still runs, and must not detach a thread that does not exist.
            isJoined = true
            return nil
        }
    }

    deinit {
        // Detach the thread, so that its resources are released when it ends.
        if !isJoined { pthread_detach(handle) }
    }

    /// Gives the calling thread a priority under SCHED_FIFO.
    /// - Returns: the reason why the thread does not have the priority, and the remedy, or nil on success.
    package static func becomeRealTime(priority: Int32) -> String? {
        var parameters = sched_param(sched_priority: priority)
        let code = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
        return code == 0 ? nil : "there is no real-time priority (\(String(errno: code))), so raise LimitRTPRIO="
    }

    /// Waits for the thread to end. Only one thread may call this.
    /// - Returns: true if the thread has ended. Otherwise, this can be called again.
    public func join(within timeout: Duration) -> Bool {
        if !isJoined { isJoined = realtime_join(handle, Int64(timeout.wholeNanoseconds)) == 0 }
        return isJoined
    }
}

private final class ThreadBody: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}
