import CSystemd
import Glibc

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

/// What a timer's times are on.
public enum EventClock: Sendable {
    /// Time since the boot, without that during which the system was suspended.
    case monotonic
    /// Time since the boot.
    case bootTime

    var rawValue: Int32 {
        switch self {
        case .monotonic: CLOCK_MONOTONIC
        case .bootTime: CLOCK_BOOTTIME
        }
    }

    public var now: Duration {
        var time = timespec()
        clock_gettime(rawValue, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Since 1970 by the wall clock, which can be set, and need not be right.
    public static var wallClock: Duration {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The wall clock's time at an instant of the monotonic clock. It may have been set since: how long ago that was is
    /// known for sure.
    public static func wallClock(at instant: Duration) -> Duration { wallClock - (monotonic.now - instant) }
}
