import Clocks
import Configuration
import Time
import Timeline

/// Instants in the form that people write and read, in local time.
enum WrittenTime {
    /// Parses a time, such as `2026-11-21 14:03`, `14:03:12` (today), `today`, `yesterday`, `now`, `-2h` or `2h ago`.
    ///
    /// - Parameter now: the current time in µs since 1970.
    /// - Returns: the time in µs since 1970, or nil if the text is not a time.
    static func parse(_ text: String, now: Int64) -> Int64? {
        let words = text.split(separator: " ").map(String.init)
        switch words.first {
        case "now" where words.count == 1: return now
        case "today" where words.count == 1: return midnight(now, days: 0)
        case "yesterday" where words.count == 1: return midnight(now, days: -1)
        case let word? where word.hasPrefix("-"): return before(now, text.dropFirst())
        case _? where words.last == "ago": return before(now, text.dropLast(3))
        default: return clock(words, now: now)
        }
    }

    /// Formats a time, such as `2026-11-21 14:03:12`.
    static func format(_ time: Int64) -> String { "\(CivilTime(local: .microseconds(time)))" }

    private static func before(_ now: Int64, _ span: Substring) -> Int64? {
        guard let span = TimeSpan.parse(String(span)) else { return nil }
        return now.subtracting(span.wholeMicroseconds)
    }

    private static func clock(_ words: [String], now: Int64) -> Int64? {
        guard (1...2).contains(words.count) else { return nil }
        var date = CivilTime(local: .microseconds(now)).date
        var time = [0, 0, 0]
        var rest = words[...]
        if let day = rest.first.flatMap({ numbers($0, "-", counts: 3...3) }) {
            guard (1970...9999).contains(day[0]), (1...12).contains(day[1]), (1...31).contains(day[2]) else {
                return nil
            }
            date = CivilDate(year: day[0], month: day[1], day: day[2])
            rest = rest.dropFirst()
        }
        if let word = rest.popFirst() {
            guard let clock = numbers(word, ":", counts: 2...3), (0...23).contains(clock[0]),
                clock[1...].allSatisfy((0...59).contains)
            else { return nil }
            time = clock + [0]
        }
        return rest.isEmpty ? instant(CivilTime(date, hour: time[0], minute: time[1], second: time[2])) : nil
    }

    private static func numbers(_ text: String, _ separator: Character, counts: ClosedRange<Int>) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.allSatisfy(\.isNumber) ? Int($0) : nil }
        return counts.contains(parts.count) && numbers.count == parts.count ? numbers : nil
    }

    private static func midnight(_ now: Int64, days: Int) -> Int64? {
        instant(CivilTime(CivilDate(number: CivilTime(local: .microseconds(now)).date.number + days)))
    }

    private static func instant(_ time: CivilTime) -> Int64? {
        guard let seconds = time.localSinceEpoch?.components.seconds else { return nil }
        let (time, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? nil : time
    }

    static func floorSeconds(_ time: Int64) -> Int64 { time / 1_000_000 - (time % 1_000_000 < 0 ? 1 : 0) }

    /// Returns the µs since the second that `floorSeconds` returns.
    static func fraction(_ time: Int64) -> Int64 {
        let rest = time % 1_000_000
        return rest < 0 ? rest + 1_000_000 : rest
    }
}

extension WrittenTime {
    /// Returns local time from `since` (the timeline's 0) to `until`, both in µs since 1970, with each change between
    /// summer and winter time.
    static func clock(from since: Int64, to until: Int64) -> Timeline.WallClock {
        let first = floorSeconds(since)
        let last = max(first, floorSeconds(until))
        var offsets = [Timeline.WallClock.Offset(from: 0, ahead: ahead(first))]
        // No zone changes twice in a week. A span of thousands of years can only come from a damaged journal.
        let step: Int64 = max(7 * 86_400, (last - first) / 10_000)
        var time = first
        while time < last {
            let next = min(time + step, last)
            if ahead(next) != offsets.last?.ahead {
                let change = change(after: time, until: next)
                let from = Double(change - first) - Double(fraction(since)) / 1_000_000
                offsets.append(.init(from: from, ahead: ahead(change)))
            }
            time = next
        }
        return .init(origin: Double(since) / 1_000_000, offsets: offsets)
    }

    /// Returns the first second with another offset.
    private static func change(after start: Int64, until end: Int64) -> Int64 {
        var (before, after) = (start, end)
        let old = ahead(start)
        while after - before > 1 {
            let middle = before + (after - before) / 2
            if ahead(middle) == old { before = middle } else { after = middle }
        }
        return after
    }

    /// Returns the number of seconds by which local time is ahead of UTC.
    private static func ahead(_ seconds: Int64) -> Int {
        Int(CivilTime.zoneOffset(at: .seconds(seconds)).components.seconds)
    }
}
