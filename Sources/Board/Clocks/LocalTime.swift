import Glibc
import Time

/// Conversions that use the time zone of this machine.
extension CivilTime {
    /// Creates the local time at an instant.
    ///
    /// - Parameter time: the time since 1970. Fractions of a second are dropped.
    public init(local time: Duration) { self.init(utc: time + Self.zoneOffset(at: time)) }

    /// The time since 1970, if this value is a local time, or nil if this local time does not exist.
    public var localSinceEpoch: Duration? {
        guard let year = CInt(exactly: date.year - 1900) else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year, CInt(date.month - 1), CInt(date.day))
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (CInt(hour), CInt(minute), CInt(second))
        // A negative value makes mktime determine whether daylight saving time is in effect.
        parts.tm_isdst = -1
        let seconds = mktime(&parts)
        return seconds == -1 ? nil : .seconds(seconds)
    }

    /// Returns the time by which local time is ahead of UTC at a time since 1970. It is negative west of Greenwich.
    public static func zoneOffset(at time: Duration) -> Duration {
        var seconds = time_t(time.components.seconds)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return .seconds(parts.tm_gmtoff)
    }
}
