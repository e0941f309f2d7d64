/// How often the same entry is logged, so that a loose contact does not fill the journal. Pure; the time is passed in.
///
/// A few times in a row, then at a slow pace; after a quiet period, a few times again.
struct Limiter: Hashable, Sendable {
    enum Verdict: Hashable, Sendable {
        case logged
        /// Logged; from now on at most at the pace.
        case loggedLast
        /// Logged, after this many that were not.
        case loggedAfter(Int)
        case dropped
    }

    /// The rate after the first few.
    enum Pace: Hashable, Sendable {
        case hourly
        case everySecond

        var words: String { self == .hourly ? "once an hour" : "once a second" }
        fileprivate var time: Duration { self == .hourly ? .seconds(3600) : .seconds(1) }
    }

    let pace: Pace
    private let burst: Int
    /// When the whole burst is available again: each entry postpones it by the pace's time.
    private var isFullAt: Duration
    private var dropped = 0

    init(burst: Int, pace: Pace = .hourly) {
        self.burst = burst
        self.pace = pace
        isFullAt = .zero
    }

    mutating func happens(at now: Duration) -> Verdict {
        let full = max(isFullAt, now)
        guard full - now <= pace.time * (burst - 1) else {
            dropped += 1
            return .dropped
        }
        isFullAt = full + pace.time
        defer { dropped = 0 }
        if dropped > 0 { return .loggedAfter(dropped) }
        return isFullAt - now > pace.time * (burst - 1) ? .loggedLast : .logged
    }
}
