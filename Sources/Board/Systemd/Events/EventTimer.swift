import CSystemd

/// Calls once, at a time that can be set repeatedly.
public final class EventTimer {
    /// How late it may be, in µs, so that several timers can share a wake-up.
    static let accuracy: UInt64 = 100

    private let source: EventSource

    init(_ source: EventSource) {
        self.source = source
    }

    /// When it calls next, on its clock; nil: never. A time in the past: at once.
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

    /// Calls once, at about this time on its clock: together with another event if one comes within the tolerance.
    public func call(around time: Duration, tolerance: Duration) {
        deadline = time - tolerance
        sd_event_source_set_time_accuracy(source.handle, (tolerance * 2).microseconds)
    }
}

extension Duration {
    /// Rounded up, so that nothing is early.
    var microseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(seconds) &* 1_000_000 &+ UInt64((attoseconds + 999_999_999_999) / 1_000_000_000_000)
    }
}
