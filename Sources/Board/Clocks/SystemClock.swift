import Glibc
import Time

/// The system's clocks.
public enum SystemClock: Sendable {
    /// Time since the boot, without that during which the system was suspended.
    case monotonic
    /// Time since the boot.
    case bootTime

    /// The kernel's number of the clock.
    public var number: clockid_t {
        switch self {
        case .monotonic: CLOCK_MONOTONIC
        case .bootTime: CLOCK_BOOTTIME
        }
    }

    public var now: Duration { Self.read(number) }

    /// Time since 1970 by the wall clock, which can be set, and can be wrong.
    public static var wallClock: Duration { read(CLOCK_REALTIME) }

    /// The time of the kernel's clock with this number, which must exist.
    public static func read(_ number: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(number, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The wall clock's time at an instant of `bootTime`: the present time less the time since. The wall clock may have
    /// been set in the meantime.
    public static func wallClock(at instant: Duration) -> Duration { wallClock - (bootTime.now - instant) }

    /// How long the system has been suspended since the boot; exact to a millisecond.
    public static var suspendedTime: Duration {
        var difference = Duration.zero
        // Again if this thread did not run between the readings.
        for _ in 0..<10 {
            let before = monotonic.now
            difference = bootTime.now - before
            if monotonic.now - before < .milliseconds(1) { break }
        }
        return max(.zero, difference)
    }
}
