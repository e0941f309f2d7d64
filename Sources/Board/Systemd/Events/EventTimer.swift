import CSystemd

/// A timer that calls once, at a time that can be set repeatedly.
public final class EventTimer {
    /// The delay in µs that is permitted, so that several timers can share a wake-up.
    static let accuracy: UInt64 = 100

    private let source: EventSource

    init(_ source: EventSource) {
        self.source = source
    }

    /// The time at which the timer calls next, on its clock, or nil for never. If the time is in the past, it calls at
    /// once.
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

    /// Calls once, at about this time on its clock. If another event comes within the tolerance, both happen together.
    public func call(around time: Duration, tolerance: Duration) {
        deadline = time - tolerance
        sd_event_source_set_time_accuracy(source.handle, (tolerance * 2).microseconds)
    }
}

extension Duration {
    /// The duration in microseconds, rounded up, so that nothing happens too early.
    var microseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(seconds) &* 1_000_000 &+ UInt64((attoseconds + 999_999_999_999) / 1_000_000_000_000)
    }
}
