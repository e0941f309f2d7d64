import Configuration
import Glibc
import Timeline

/// Instants as people say and read them, by the clock on the wall.
enum LocalTime {
    /// `2026-11-21 14:03`, `14:03:12` (today), `today`, `yesterday`, `now`, `-2h`, `2h ago`.
    ///
    /// - Parameter now: in µs since 1970.
    /// - Returns: in µs since 1970; nil if it is no time.
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

    /// `2026-11-21 14:03:12`
    static func format(_ time: Int64) -> String {
        var parts = components(time)
        return format(&parts, "%Y-%m-%d %H:%M:%S")
    }

    /// `2026-11-21T13:03:12.250000Z`, for programs.
    static func universal(_ time: Int64) -> String {
        var seconds = time_t(floorSeconds(time))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let digits = String(fraction(time) + 1_000_000).dropFirst()
        return format(&parts, "%Y-%m-%dT%H:%M:%S") + ".\(digits)Z"
    }

    private static func before(_ now: Int64, _ span: Substring) -> Int64? {
        guard let span = TimeSpan.parse(String(span)) else { return nil }
        return now.subtracting(Int64(span / .microseconds(1)))
    }

    private static func clock(_ words: [String], now: Int64) -> Int64? {
        guard (1...2).contains(words.count) else { return nil }
        var parts = components(now)
        parts.tm_sec = 0
        parts.tm_min = 0
        parts.tm_hour = 0
        var rest = words[...]
        if let date = rest.first.flatMap({ numbers($0, "-", counts: 3...3) }) {
            guard (1970...9999).contains(date[0]), (1...12).contains(date[1]), (1...31).contains(date[2]) else {
                return nil
            }
            (parts.tm_year, parts.tm_mon, parts.tm_mday) = (date[0] - 1900, date[1] - 1, date[2])
            rest = rest.dropFirst()
        }
        if let word = rest.popFirst() {
            guard let time = numbers(word, ":", counts: 2...3), (0...23).contains(time[0]), (0...59).contains(time[1]),
                time.count == 2 || (0...59).contains(time[2])
            else { return nil }
            (parts.tm_hour, parts.tm_min, parts.tm_sec) = (time[0], time[1], time.count == 3 ? time[2] : 0)
        }
        return rest.isEmpty ? instant(&parts) : nil
    }

    private static func numbers(_ text: String, _ separator: Character, counts: ClosedRange<Int>) -> [CInt]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.allSatisfy(\.isNumber) ? CInt($0) : nil }
        return counts.contains(parts.count) && numbers.count == parts.count ? numbers : nil
    }

    private static func midnight(_ now: Int64, days: CInt) -> Int64? {
        var parts = components(now)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (0, 0, 0)
        parts.tm_mday += days
        return instant(&parts)
    }

    private static func instant(_ parts: inout tm) -> Int64? {
        // The zone's rules say whether it is summer then.
        parts.tm_isdst = -1
        let seconds = mktime(&parts)
        let (time, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000)
        return seconds == -1 || overflow ? nil : time
    }

    private static func components(_ time: Int64) -> tm {
        var seconds = time_t(floorSeconds(time))
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }

    static func floorSeconds(_ time: Int64) -> Int64 { time / 1_000_000 - (time % 1_000_000 < 0 ? 1 : 0) }

    /// The µs since the second that `floorSeconds` returns.
    static func fraction(_ time: Int64) -> Int64 {
        let rest = time % 1_000_000
        return rest < 0 ? rest + 1_000_000 : rest
    }

    private static func format(_ parts: inout tm, _ pattern: String) -> String {
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, pattern, &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension LocalTime {
    /// The clock on the wall from `since` (the timeline's 0) to `until`, both in µs since 1970: with each change between
    /// summer and winter time.
    static func clock(from since: Int64, to until: Int64) -> Timeline.WallClock {
        let first = floorSeconds(since)
        let last = max(first, floorSeconds(until))
        var offsets = [Timeline.WallClock.Offset(from: 0, ahead: ahead(first))]
        // No zone changes twice in a week; a span of thousands of years is a damaged journal's.
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

    /// The first second with another offset.
    private static func change(after start: Int64, until end: Int64) -> Int64 {
        var (before, after) = (start, end)
        let old = ahead(start)
        while after - before > 1 {
            let middle = before + (after - before) / 2
            if ahead(middle) == old { before = middle } else { after = middle }
        }
        return after
    }

    /// By how many seconds local time is ahead of UTC.
    private static func ahead(_ seconds: Int64) -> Int {
        var seconds = time_t(seconds)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts.tm_gmtoff
    }
}
