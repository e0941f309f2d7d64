/// A day of the Gregorian calendar.
public struct CivilDate: Hashable, Sendable, CustomStringConvertible {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    public let year: Int
    /// The month, from 1 to 12.
    public let month: Int
    public let day: Int

    public init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates a day by its number.
    /// - Parameter number: the days since 1970-01-01.
    public init(number: Int) {
        // Howard Hinnant's algorithm counts from 1 March of year 0. As a result, the leap day is the last day of its
        // year, and all periods of 400 years have the same number of days.
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The days since 1970-01-01. If the month does not have the day, the number continues into the next month.
    public var number: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The date in the form `2026-11-21`.
    public var description: String { "\(year)-\(month.padded(to: 2))-\(day.padded(to: 2))" }
    /// The date in the form `21 Nov`.
    public var short: String { "\(day) \(Self.months[month - 1])" }
    /// The date in the form `21 Nov 2026`.
    public var long: String { "\(short) \(year)" }
}
