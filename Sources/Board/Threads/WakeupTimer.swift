import CAlarm
import Glibc

/// A bell that other threads ring, and an alarm that its owner sets, combined in one descriptor.
public final class WakeupTimer: Sendable {
    /// Readable once the bell has been rung or the alarm has gone off.
    public let descriptor: Int32
    private let bell: WakeUp
    private let alarm: Int32

    /// Creates a timer. If no descriptor is left, this ends the process, because nothing works without the timer.
    public init(_ bell: WakeUp) {
        self.bell = bell
        alarm = calarm_make()
        descriptor = calarm_either(bell.descriptor, alarm)
        precondition(alarm >= 0 && descriptor >= 0, "no file descriptors left: raise LimitNOFILE")
    }

    deinit {
        close(descriptor)
        close(alarm)
    }

    /// Replaces the alarm.
    /// - Parameter nanoseconds: the time until the alarm, or nil to cancel it.
    public func setAlarm(after nanoseconds: Int?) {
        calarm_set(alarm, Int64(nanoseconds.map { max(1, $0) } ?? 0))
    }

    /// Makes the descriptor unreadable again.
    /// - Returns: two values, which are true if the bell had been rung and if the alarm had gone off, respectively.
    public func clear() -> (hasRung: Bool, hasGoneOff: Bool) {
        (bell.wait(.zero), calarm_clear(alarm) != 0)
    }
}
