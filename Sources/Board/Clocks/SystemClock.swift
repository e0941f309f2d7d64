import Glibc
import Time

/// The system's clocks.
public enum SystemClock: Sendable {
    /// The time since boot, excluding the time during which the system was suspended.
    case monotonic
    /// The time since boot, including the time during which the system was suspended.
    case bootTime

    /// The kernel's number for the clock.
    public var number: clockid_t {
        switch self {
        case .monotonic: CLOCK_MONOTONIC
        case .bootTime: CLOCK_BOOTTIME
        }
    }

    public var now: Duration { Self.read(number) }

    /// The time since 1970 according to the wall clock, which can be changed and can be wrong.
    public static var wallClock: Duration { read(CLOCK_REALTIME) }

    /// Returns the time of the kernel's clock with this number, which must exist.
    public static func read(_ number: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(number, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Returns the time of the wall clock at an instant of `bootTime`, which is the current time minus the time since
    /// that instant. The wall clock may have been set in the meantime.
    public static func wallClock(at instant: Duration) -> Duration { wallClock - (bootTime.now - instant) }

    /// The time for which the system has been suspended since boot, accurate to a millisecond.
    public static var suspendedTime: Duration {
        var difference = Duration.zero
        // Read the clocks again if this thread was interrupted between the two readings.
        for _ in 0..<10 {
            let before = monotonic.now
            difference = bootTime.now - before
            if monotonic.now - before < .milliseconds(1) { break }
        }
        return max(.zero, difference)
    }
}
