import CRealTime
import Glibc

/// A thread of the system's own, with a name that `top -H` shows.
public final class NativeThread: @unchecked Sendable {
    private var handle: pthread_t
    private var isJoined = false

    /// - Parameters:
    ///   - name: 15 bytes at most.
    ///   - body: what it does.
    /// - Returns: nil where the system has no more threads.
    public init?(_ name: String, _ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        // The usual 8 MB would be locked into memory.
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
            // There is nothing for `deinit` to let go of, which runs all the same.
            isJoined = true
            return nil
        }
    }

    deinit {
        // Left to itself, if it still runs.
        if !isJoined { pthread_detach(handle) }
    }

    /// Waits for its end. One thread only may do so.
    /// - Returns: whether it has come within that time; it may be waited for again.
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
