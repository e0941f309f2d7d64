/// Limits how often the same entry is logged, so that a loose contact does not fill the journal. The type is pure, so
/// the caller passes the time.
///
/// The first few entries in a row are logged, and the following ones at a slow pace. After a quiet period, a few are
/// logged in a row again.
public struct RepetitionLimiter: Hashable, Sendable {
    public enum Verdict: Hashable, Sendable {
        case logged
        /// The entry is logged. From now on, entries are logged only at the slow pace.
        case loggedLast
        /// The entry is logged after this many entries that were not logged.
        case loggedAfter(Int)
        case dropped

        /// Returns the sentence that a logged entry ends with, or nil if there is none.
        public func remark(_ pace: Pace) -> String? {
            switch self {
            case .logged, .dropped: nil
            case .loggedLast: "(Further repeats are logged at most \(pace.words).)"
            case .loggedAfter(let count): "(Repeated \(count) times since the last such entry.)"
            }
        }
    }

    /// The rate at which entries are logged after the first few.
    public enum Pace: Hashable, Sendable {
        case hourly
        case everySecond

        public var words: String { self == .hourly ? "once an hour" : "once a second" }
        fileprivate var time: Duration { self == .hourly ? .seconds(3600) : .seconds(1) }
    }

    public let pace: Pace
    private let burst: Int
    /// The time at which the whole burst is available again. Each entry postpones this time by the interval of the
    /// pace.
    private var isFullAt: Duration
    private var dropped = 0

    public init(burst: Int, pace: Pace = .hourly) {
        self.burst = burst
        self.pace = pace
        isFullAt = .zero
    }

    public mutating func happens(at now: Duration) -> Verdict {
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
