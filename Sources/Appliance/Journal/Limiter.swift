/// How often the same may be told: a loose contact is not to fill the journal. Pure, and told the time.
///
/// A few times in a row, then once an hour; after some calm hours, a few times again.
struct Limiter: Hashable, Sendable {
    enum Verdict: Hashable, Sendable {
        case told
        /// Told, and from here on once an hour at most.
        case toldForNow
        /// Told, after so many that were not.
        case toldAfter(Int)
        case untold
    }

    private static let refill = Duration.seconds(3600)

    private let burst: Int
    /// When all of the burst may be told again: each one told puts it off by an hour.
    private var isFullAt: Duration
    private var untold = 0

    init(burst: Int) {
        self.burst = burst
        isFullAt = .zero
    }

    mutating func happens(at now: Duration) -> Verdict {
        let full = max(isFullAt, now)
        guard full - now <= Self.refill * (burst - 1) else {
            untold += 1
            return .untold
        }
        isFullAt = full + Self.refill
        defer { untold = 0 }
        if untold > 0 { return .toldAfter(untold) }
        return isFullAt - now > Self.refill * (burst - 1) ? .toldForNow : .told
    }
}
