import CSystemd

/// A timer that calls its action once, at a time that can be set repeatedly.
public final class EventTimer {
    /// The permitted delay in µs, so that several timers can share a wake-up.
    static let accuracy: UInt64 = 100

    private let source: EventSource

    init(_ source: EventSource) {
        self.source = source
    }

    /// The time on the timer's clock at which the timer calls its action next, or nil if it is not set. If the time is
    /// in the past, the timer calls its action at once.
    public var deadline: Duration? {
        didSet {
            guard let deadline else {
                source.isEnabled = false
                return
            }
            sd_event_source_set_time_accuracy(source.handle, EventTimer.accuracy)
            sd_event_source_set_time(source.handle, deadline.microseconds)
            sd_event_source_set_enabled(source.handle, Int32(SD_EVENT_ONESHOT))
        }
    }

    /// Sets the timer to approximately this time on its clock. If another event occurs within the tolerance, both share
    /// a wake-up.
    public func call(around time: Duration, tolerance: Duration) {
        deadline = time - tolerance
        sd_event_source_set_time_accuracy(source.handle, (tolerance * 2).microseconds)
    }
}

extension Duration {
    /// The duration in microseconds, rounded up so that a timer never expires too early.
    var microseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(seconds) &* 1_000_000 &+ UInt64((attoseconds + 999_999_999_999) / 1_000_000_000_000)
    }
}
