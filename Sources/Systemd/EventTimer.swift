import CSystemd

/// Calls once, at a time that can be set again and again.
public final class EventTimer {
    /// How late it may be, in µs, for others to be called in the same wake-up.
    static let accuracy: UInt64 = 100

    private let source: EventSource

    init(_ source: EventSource) {
        self.source = source
    }

    /// When it calls next, on its clock; nil: never. A time that is over: at once.
    public var deadline: Duration? {
        didSet {
            guard let deadline else {
                source.isEnabled = false
                return
            }
            sd_event_source_set_time(source.handle, deadline.microseconds)
            sd_event_source_set_enabled(source.handle, Int32(SD_EVENT_ONESHOT))
        }
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
