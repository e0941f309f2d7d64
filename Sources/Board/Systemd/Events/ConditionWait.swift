import Clocks

/// Waits in an event loop for a condition that no descriptor reports. It checks the condition every few milliseconds
/// until a deadline, and then calls back once. After this object is released, it no longer calls back.
public final class ConditionWait {
    private static let pace = Duration.milliseconds(5)

    private let deadline: Duration
    private let condition: () -> Bool
    private var timer: EventTimer?
    private var then: (() -> Void)?

    /// Starts to wait. The first check takes place in the next iteration of the loop, unless `look` is called before
    /// that.
    /// - Parameters:
    ///   - deadline: the deadline on CLOCK_MONOTONIC.
    ///   - then: called once and then released, because it can retain the object that waits.
    public init(
        in loop: EventLoop, until condition: @escaping () -> Bool, before deadline: Duration,
        then: @escaping () -> Void
    ) throws(SystemdError) {
        self.condition = condition
        self.deadline = deadline
        self.then = then
        timer = try loop.timer { [unowned self] in look() }
        timer?.deadline = SystemClock.monotonic.now
    }

    /// True if this object has not called back yet.
    public var isPending: Bool { then != nil }

    /// Checks the condition at once, and calls back if the wait is over.
    public func look() {
        guard let then else { return }
        let isOver = condition()
        let now = SystemClock.monotonic.now
        guard isOver || now >= deadline else {
            timer?.deadline = now + Self.pace
            return
        }
        timer = nil
        self.then = nil
        then()
    }
}
