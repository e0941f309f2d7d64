/// Time spans in the format of systemd (systemd.time(7)), such as `30ms`, `5.25s`, `1min 30s` or `2h`. A number without
/// a unit is in seconds.
public enum TimeSpan {
    /// Parses a time span.
    /// - Returns: nil if the text is not a time span, is `infinity` (which only some settings allow), or is longer than
    ///   10¹¹ s, about 3,000 years.
    public static func parse(_ text: String) -> Duration? {
        var rest = Substring(text).withoutLeadingBlanks
        guard !rest.isEmpty else { return nil }
        var total = Duration.zero
        while !rest.isEmpty {
            let number = rest.prefix { $0 == "." || $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(number.count).withoutLeadingBlanks
            let name = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(name.count).withoutLeadingBlanks
            guard let number = DecimalNumber(number), let unit = unit(named: name) else { return nil }
            total += number.times(unit)
            guard total <= .seconds(100_000_000_000) else { return nil }
        }
        return total
    }

    /// Parses a position in a track, which is a time span or a number of minutes and seconds such as `1:30`, also with
    /// hours and decimals: `1:02:03.5`. Only the first part may have fewer or more than two digits, or exceed 59.
    ///
    /// - Returns: nil for anything else.
    public static func parsePosition(_ text: String) -> Duration? {
        guard text.contains(":") else { return parse(text) }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 3, parts[0].utf8.count <= 4 else { return nil }
        var total = Duration.zero
        for (index, part) in parts.enumerated() {
            let digits = part.prefix { $0 != "." }.utf8.count
            let isLast = index == parts.count - 1
            guard let number = DecimalNumber(part), isLast || part.utf8.count == digits,
                index == 0 || digits == 2 && number.whole < 60
            else { return nil }
            total = total * 60 + number.times(.seconds(1))
        }
        return total
    }

    /// Returns the text that `parse` reads, such as `30ms`, `1min 30s` or `0s`. It is exact to the attosecond.
    public static func format(_ span: Duration) -> String {
        if span < .zero { return "-" + format(.zero - span) }
        let (seconds, attoseconds) = span.components
        let microsecond: Int64 = 1_000_000_000_000
        var parts: [String] = []
        func show(_ count: Int64, _ unit: String) { if count > 0 { parts.append("\(count)\(unit)") } }
        show(seconds / 86_400, "d")
        show(seconds / 3_600 % 24, "h")
        show(seconds / 60 % 60, "min")
        show(seconds % 60, "s")
        show(attoseconds / microsecond / 1000, "ms")
        show(attoseconds / microsecond % 1000, "us")
        if attoseconds % microsecond > 0 {
            parts.append("\((attoseconds % microsecond).decimal(places: 12))us")
        }
        return parts.isEmpty ? "0s" : parts.joined(separator: " ")
    }

    private static func unit(named name: Substring) -> Duration? {
        switch name {
        case "us", "usec", "µs", "μs": .microseconds(1)
        case "ms", "msec": .milliseconds(1)
        case "s", "sec", "second", "seconds", "": .seconds(1)
        case "min", "m", "minute", "minutes": .seconds(60)
        case "h", "hr", "hour", "hours": .seconds(3_600)
        case "d", "day", "days": .seconds(86_400)
        case "w", "week", "weeks": .seconds(604_800)
        // A month is a twelfth of a year, which the manual page rounds to 30.44 days.
        case "M", "month", "months": .seconds(2_629_800)
        case "y", "year", "years": .seconds(31_557_600)
        default: nil
        }
    }
}

extension Substring {
    fileprivate var withoutLeadingBlanks: Substring { drop { $0 == " " || $0 == "\t" } }
}
