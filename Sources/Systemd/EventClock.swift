import Glibc

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
