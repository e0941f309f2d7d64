import CAlarm
import Glibc

/// A bell that other threads ring, an alarm that its owner sets, and optionally an alarm that another thread postpones,
/// combined in one descriptor.
public final class WakeupTimer: Sendable {
    /// Readable once the bell has been rung or an alarm has gone off.
    public let descriptor: Int32
    private let bell: WakeUp
    private let alarm = SharedAlarm()
    /// Readable once the bell has been rung or the owner's alarm has gone off.
    private let own: Int32
    private let other: SharedAlarm?

    /// Creates a timer.
    /// - Parameter other: the alarm that another thread postpones. The owner clears it.
    ///
    /// If no descriptor is left, this ends the process, because nothing works without the timer.
    package init(_ bell: WakeUp, or other: SharedAlarm? = nil) {
        self.bell = bell
        self.other = other
        let own = calarm_either(bell.descriptor, alarm.descriptor)
        self.own = own
        descriptor = if let other { calarm_either(own, other.descriptor) } else { own }
        precondition(descriptor >= 0, "no file descriptors left: raise LimitNOFILE")
    }

    deinit {
        if descriptor != own { close(descriptor) }
        close(own)
    }

    /// Replaces the alarm.
    /// - Parameter nanoseconds: the time until the alarm, or nil to cancel it.
    public func setAlarm(after nanoseconds: Int?) { alarm.set(after: nanoseconds) }

    /// Makes the descriptor unreadable again.
    /// - Returns: two values, which are true if the bell had been rung and if the alarm had gone off, respectively.
    public func clear() -> (hasRung: Bool, hasGoneOff: Bool) {
        (bell.wait(.zero), alarm.clear())
    }
}
