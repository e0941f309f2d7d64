import CSystemd
import Glibc

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

/// The clock of a timer's deadlines.
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

    /// Time since 1970 by the wall clock, which can be set, and can be wrong.
    public static var wallClock: Duration {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Whether the kernel says that a time server, or another source, keeps the wall clock right. As systemd decides it:
    /// the kernel knows by how much its clock can be wrong at most.
    public static var isWallClockSynchronised: Bool {
        var state = timex()
        return adjtimex(&state) >= 0 && state.maxerror < 16_000_000
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
