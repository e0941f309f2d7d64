/// How often the same may be told: a loose contact is not to fill the journal. Pure, and told the time.
///
/// A few times in a row, then at a slow pace; after some calm, a few times again.
struct Limiter: Hashable, Sendable {
    enum Verdict: Hashable, Sendable {
        case told
        /// Told, and from here on at the pace at most.
        case toldForNow
        /// Told, after so many that were not.
        case toldAfter(Int)
        case untold
    }

    /// Once in which time, after the first few.
    enum Pace: Hashable, Sendable {
        case hourly
        case everySecond

        var words: String { self == .hourly ? "once an hour" : "once a second" }
        fileprivate var time: Duration { self == .hourly ? .seconds(3600) : .seconds(1) }
    }

    let pace: Pace
    private let burst: Int
    /// When all of the burst may be told again: each one told puts it off by the pace's time.
    private var isFullAt: Duration
    private var untold = 0

    init(burst: Int, pace: Pace = .hourly) {
        self.burst = burst
        self.pace = pace
        isFullAt = .zero
    }

    mutating func happens(at now: Duration) -> Verdict {
        let full = max(isFullAt, now)
        guard full - now <= pace.time * (burst - 1) else {
            untold += 1
            return .untold
        }
        isFullAt = full + pace.time
        defer { untold = 0 }
        if untold > 0 { return .toldAfter(untold) }
        return isFullAt - now > pace.time * (burst - 1) ? .toldForNow : .told
    }
}
