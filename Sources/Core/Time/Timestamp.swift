/// Times since 1970 in the format of RFC 3339.
public enum Timestamp {
    /// Returns the time in the form `2026-11-25T13:03:12.250Z`.
    ///
    /// - Parameter decimals: the decimals of the second. Further ones are dropped.
    public static func format(_ time: Duration, decimals: Int) -> String {
        let civil = CivilTime(utc: time)
        let nanoseconds = (time - civil.sinceEpoch).wholeNanoseconds
        let fraction = decimals > 0 ? "." + nanoseconds.padded(to: 9).prefix(decimals) : ""
        return "\(civil.date)T\(civil.timeOfDay)\(fraction)Z"
    }

    /// Parses `2026-11-25T13:03:12Z` or `2026-11-25T14:03:12.5+01:00`.
    ///
    /// - Returns: nil if it is not a time in the years 1970 to 9999.
    public static func parse(_ text: some StringProtocol) -> Duration? {
        let bytes = Array(text.utf8)
        let separators: [(Int, String)] = [(4, "-"), (7, "-"), (10, "Tt "), (13, ":"), (16, ":")]
        guard bytes.count >= 20, separators.allSatisfy({ $1.utf8.contains(bytes[$0]) }),
            let year = number(bytes[0..<4], 1970...9999), let month = number(bytes[5..<7], 1...12),
            let day = number(bytes[8..<10], 1...31), let hour = number(bytes[11..<13], 0...23),
            let minute = number(bytes[14..<16], 0...59), let second = number(bytes[17..<19], 0...60)
        else { return nil }
        var rest = bytes[19...]
        var nanoseconds = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (48...57).contains($0) }
            guard digits.count <= 9, let fraction = number(digits, 0...999_999_999) else { return nil }
            nanoseconds = (digits.count..<9).reduce(fraction) { value, _ in value * 10 }
            rest = rest.dropFirst(1 + digits.count)
        }
        let date = CivilDate(year: year, month: month, day: day)
        guard let offset = offset(Array(rest)), CivilDate(number: date.number) == date else { return nil }
        let time = CivilTime(date, hour: hour, minute: minute, second: second)
        return time.sinceEpoch - .seconds(offset) + .nanoseconds(nanoseconds)
    }

    /// Returns `Z` or an offset such as `+01:00`, in seconds.
    private static func offset(_ text: [UInt8]) -> Int? {
        if text.count == 1, "Zz".utf8.contains(text[0]) { return 0 }
        guard text.count == 6, "+-".utf8.contains(text[0]), text[3] == UInt8(ascii: ":"),
            let hours = number(text[1..<3], 0...23), let minutes = number(text[4..<6], 0...59)
        else { return nil }
        return (text[0] == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    private static func number(_ digits: ArraySlice<UInt8>, _ range: ClosedRange<Int>) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - 48) }
        return range.contains(number) ? number : nil
    }
}
