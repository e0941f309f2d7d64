/// The name of a recording: when its first frame was captured, in UTC, such as `2026-11-22T14-03-12Z.flac`.
///
/// Names sort in the order in which the files were begun, by any comparison of bytes. If the clock has been set back, or
/// two files begin in one second, the name of the newest file gets a number, or the next one:
/// `2026-11-22T14-03-12Z_0001.flac`. Such a file's true time is in its tags. A name that is far in the future, from a
/// clock that was wrong once, does not count, or it would name all later files.
struct RecordingName: Hashable, Comparable {
    /// Without the number and the extension: 20 characters.
    let time: String
    /// 0: none.
    let number: Int

    /// Without the extension.
    var stem: String {
        if number == 0 { return time }
        let digits = String(number)
        return "\(time)_\(String(repeating: "0", count: max(0, 4 - digits.utf8.count)))\(digits)"
    }

    private init(time: String, number: Int) {
        self.time = time
        self.number = number
    }

    /// - Parameter wallClock: the time since 1970, at most until the year 9999.
    init(at wallClock: Duration) {
        self.init(time: CivilTime(wallClock).text("-"), number: 0)
    }

    /// - Parameter file: a file's name with its extension.
    /// - Returns: nil if it is not the name of a recording.
    init?(of file: String) {
        guard let dot = file.lastIndex(of: "."),
            RecordingFileType(rawValue: String(file[file.index(after: dot)...])) != nil
        else { return nil }
        let stem = Array(file[..<dot].utf8)
        guard stem.count == 20 || stem.count == 25,
            zip(stem, Self.pattern).allSatisfy({ byte, model in
                model == UInt8(ascii: "0") ? Self.isDigit(byte) : byte == model
            })
        else { return nil }
        self.init(
            time: String(decoding: stem[..<20], as: UTF8.self),
            number: stem.count == 20 ? 0 : stem[21...].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
    }

    private static let pattern = Array("0000-00-00T00-00-00Z_0000".utf8)
    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    static func < (left: RecordingName, right: RecordingName) -> Bool {
        left.time == right.time ? left.number < right.number : left.time.utf8.lexicographicallyPrecedes(right.time.utf8)
    }

    /// The first name after this one. After 9999 files of one second it borrows the next second.
    var next: RecordingName {
        if number < 9999 { return RecordingName(time: time, number: number + 1) }
        return RecordingName(at: .seconds(CivilTime.seconds(of: time) + 1))
    }

    /// Before this, a clock has not been set since the board was turned on: 2026-01-01.
    private static let plausible = Duration.seconds(1_767_225_600)
    /// How far a clock is set back at most, for the order of names to stay that of the recordings.
    private static let longestSetback = Duration.seconds(31 * 86_400)

    /// The name of a file that begins now, in a folder with other names.
    static func following(_ names: [RecordingName], at wallClock: Duration) -> RecordingName {
        let name = RecordingName(at: wallClock)
        let latest = RecordingName(at: wallClock + longestSetback)
        let newest = names.filter { wallClock < plausible || $0 <= latest }.max()
        guard let newest, newest >= name else { return name }
        return newest.next
    }
}

/// A time of the Gregorian calendar, in UTC. (glibc's `gmtime` would do, but this depends on nothing.)
struct CivilTime {
    let year, month, day, hour, minute, second: Int

    /// - Parameter wallClock: the time since 1970; limited to the years 1970…9999.
    init(_ wallClock: Duration) {
        let seconds = min(max(Int(wallClock.components.seconds), 0), 253_402_300_799)
        (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60)
        // Howard Hinnant's algorithm: years begin in March, eras of 400 years.
        let days = seconds / 86_400 + 719_468
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
        month = shifted < 10 ? shifted + 3 : shifted - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// - Parameter separator: between hours, minutes and seconds.
    func text(_ separator: String) -> String {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
            + "\(padded(hour, 2))\(separator)\(padded(minute, 2))\(separator)\(padded(second, 2))Z"
    }

    /// The inverse, for a text of 20 characters; its numbers need not be a real date.
    static func seconds(of text: String) -> Int {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1) - 48 } }
        let month = min(max(number(5..<7), 1), 12)
        let year = number(0..<4) - (month <= 2 ? 1 : 0)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + max(number(8..<10), 1) - 1
        let yearOfEra = year % 400
        let days =
            year / 400 * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return days * 86_400 + number(11..<13) * 3600 + number(14..<16) * 60 + number(17..<19)
    }
}
