import CAlarm
import Glibc

/// An alarm that one thread keeps postponing and that wakes another thread if it is not postponed in time. Postponing
/// does not wake any thread, so the thread that waits sleeps as long as the other thread makes progress.
///
/// **Threading.** Any thread can call `set`. The caller of `clear` is the thread that waits for `descriptor`.
package final class SharedAlarm: Sendable {
    /// Readable once the alarm has gone off.
    package var descriptor: Int32 { handle.descriptor }
    /// The alarm for a thread that must not count references. It must not be used after this object is gone.
    package let handle: AlarmHandle

    /// Creates an alarm that is not set. If no descriptor is left, this ends the process, because nothing works without
    /// the alarm.
    package init() {
        handle = AlarmHandle(descriptor: calarm_make())
        precondition(descriptor >= 0, "no file descriptors left: raise LimitNOFILE")
    }

    deinit {
        close(descriptor)
    }

    /// Replaces the alarm.
    /// - Parameter nanoseconds: the time until the alarm, or nil to cancel it.
    package func set(after nanoseconds: Int?) { handle.set(after: nanoseconds.map { max(1, $0) } ?? 0) }

    /// True if the alarm is set and has not gone off.
    package var isSet: Bool { calarm_is_set(descriptor) != 0 }

    /// Makes the descriptor unreadable again.
    /// - Returns: true if the alarm had gone off.
    @discardableResult
    package func clear() -> Bool { calarm_clear(descriptor) != 0 }

    /// Waits until the alarm goes off, and makes the descriptor unreadable again.
    package func wait() {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&entry, 1, -1) < 0 {}
        clear()
    }
}

/// A `SharedAlarm` as a thread sees it that neither locks nor counts references.
package struct AlarmHandle: Sendable {
    let descriptor: Int32

    /// Replaces the alarm.
    /// - Parameter nanoseconds: the time until the alarm, or 0 to cancel it.
    @_noLocks @_noAllocation
    package func set(after nanoseconds: Int) { calarm_set(descriptor, Int64(nanoseconds)) }
}
