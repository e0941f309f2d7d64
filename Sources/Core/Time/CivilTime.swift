/// A date of the Gregorian calendar and a time of day, to the second.
public struct CivilTime: Hashable, Sendable, CustomStringConvertible {
    public let date: CivilDate
    public let hour: Int
    public let minute: Int
    public let second: Int

    public init(_ date: CivilDate, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        self.date = date
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// Creates the time in UTC.
    ///
    /// - Parameter time: the time since 1970. Fractions of a second are dropped.
    public init(utc time: Duration) {
        let seconds = time.floorSeconds
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let second = rest < 0 ? rest + 86_400 : rest
        self.init(
            CivilDate(number: rest < 0 ? days - 1 : days), hour: second / 3600, minute: second / 60 % 60,
            second: second % 60)
    }

    /// The time since 1970, if this is a time in UTC.
    public var sinceEpoch: Duration { .seconds(((date.number * 24 + hour) * 60 + minute) * 60 + second) }

    /// The date and time in the form `2026-11-21 14:03:12`.
    public var description: String { "\(date) \(timeOfDay)" }
    /// The time of day in the form `14:03:12`.
    public var timeOfDay: String { "\(hourAndMinute):\(second.padded(to: 2))" }
    /// The time of day in the form `14:03`.
    public var hourAndMinute: String { "\(hour.padded(to: 2)):\(minute.padded(to: 2))" }
}

extension Duration {
    /// The whole seconds, rounded down.
    fileprivate var floorSeconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) - (attoseconds < 0 ? 1 : 0)
    }
}
