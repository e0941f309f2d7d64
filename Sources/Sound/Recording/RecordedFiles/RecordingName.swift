import Time

/// The name of a recording, which is the time at which its first frame was captured, in UTC, such as
/// `2026-11-22T14-03-12Z.flac`.
///
/// A comparison byte by byte sorts names in the order in which the files were begun. If the clock has been set back, or
/// if two files begin in the same second, the new file gets the time of the newest file followed by the next number,
/// such as `2026-11-22T14-03-12Z_0001.flac`. The tags of such a file contain the true time. If a clock that was once
/// wrong has caused a name far in the future, this name is ignored, because otherwise all later files would be named
/// after it.
struct RecordingName: Hashable, Comparable {
    /// The number of seconds since 1970.
    private let second: Int
    /// The number after the time, or 0 if there is none.
    private let number: Int

    /// The name without the extension.
    var stem: String {
        let time = Timestamp.format(.seconds(second), decimals: 0).split(separator: ":").joined(separator: "-")
        return number == 0 ? time : "\(time)_\(number.padded(to: 4))"
    }

    private init(second: Int, number: Int) {
        self.second = second
        self.number = number
    }

    /// - Parameter wallClock: the time since 1970, which is limited to the year 9999.
    init(at wallClock: Duration) {
        self.init(second: min(max(Int(wallClock.components.seconds), 0), 253_402_300_799), number: 0)
    }

    /// - Parameter file: a file's name with its extension.
    /// - Returns: nil if the file's name is not that of a recording.
    init?(of file: String) {
        guard let dot = file.lastIndex(of: "."),
            RecordingFileType(rawValue: String(file[file.index(after: dot)...])) != nil
        else { return nil }
        let stem = file[..<dot]
        let parts = stem.split(separator: "_", maxSplits: 1)
        let words = parts.first?.split(separator: "-", maxSplits: 4) ?? []
        let timestamp = words.prefix(3).joined(separator: "-") + ":" + words.dropFirst(3).joined(separator: ":")
        guard let time = Timestamp.parse(timestamp), let number = parts.count == 1 ? 0 : Int(parts[1]),
            (0...9999).contains(number)
        else { return nil }
        self.init(second: Int(time.components.seconds), number: number)
        // Accept only the canonical spelling of the name.
        guard self.stem == stem else { return nil }
    }

    static func < (left: RecordingName, right: RecordingName) -> Bool {
        (left.second, left.number) < (right.second, right.number)
    }

    /// The first name after this one. After 9999 names in one second, it is in the next second.
    var next: RecordingName {
        if number < 9999 { return RecordingName(second: second, number: number + 1) }
        return RecordingName(at: .seconds(second + 1))
    }

    /// The earliest plausible time, 2026-01-01. An earlier time means that the clock has not been set since the board
    /// was switched on.
    private static let plausible = Duration.seconds(1_767_225_600)
    /// The maximum time by which a clock may be set back without changing the order of names.
    private static let longestSetback = Duration.seconds(31 * 86_400)

    /// Returns the name of a file that begins now, in a folder with other names.
    static func following(_ names: [RecordingName], at wallClock: Duration) -> RecordingName {
        let name = RecordingName(at: wallClock)
        let latest = RecordingName(at: wallClock + longestSetback)
        let newest = names.filter { wallClock < plausible || $0 <= latest }.max()
        guard let newest, newest >= name else { return name }
        return newest.next
    }
}
