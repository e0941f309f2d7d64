import CRealTime
import Glibc

/// Wakes a thread that waits on it; an eventfd.
public final class WakeUp: Sendable {
    /// Readable once it has been rung.
    public let descriptor: Int32

    /// Nothing works without one: where the process has no descriptors left, this is the end.
    public init() {
        descriptor = realtime_doorbell()
        precondition(descriptor >= 0, "no file descriptors left: raise LimitNOFILE")
    }

    deinit {
        close(descriptor)
    }

    /// Never blocks.
    public func ring() {
        realtime_wake(descriptor)
    }

    /// Waits for it, for so long at most.
    /// - Parameter timeout: nil: for ever.
    /// - Returns: whether it has been rung.
    @discardableResult
    public func wait(_ timeout: Duration?) -> Bool {
        realtime_wait(descriptor, timeout.map { Int64($0.wholeNanoseconds) } ?? -1) != 0
    }
}
