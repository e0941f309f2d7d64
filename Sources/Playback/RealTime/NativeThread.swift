import CRealTime
import Glibc

/// A thread of the system's own, with a name that `top -H` shows.
final class NativeThread: @unchecked Sendable {
    private var handle: pthread_t

    /// - Parameters:
    ///   - name: 15 bytes at most.
    ///   - body: what it does.
    /// - Returns: nil where the system has no more threads.
    init?(_ name: String, _ body: @escaping @Sendable () -> Void) {
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
            return nil
        }
    }

    /// Waits for its end.
    /// - Returns: false where it has not come after that time; the thread is left to itself then.
    func join(within timeout: Duration) -> Bool {
        if realtime_join(handle, Int64(timeout / .nanoseconds(1))) == 0 { return true }
        pthread_detach(handle)
        return false
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
