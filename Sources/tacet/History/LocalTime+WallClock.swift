import Glibc
import Timeline

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
