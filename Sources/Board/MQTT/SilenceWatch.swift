/// A watch for a broker that falls silent and wants to be asked less often than the settings say, because the library then
/// asks as seldom as the broker wants, or never. It is pure.
struct SilenceWatch: Hashable {
    enum Verdict: Hashable {
        /// Nothing is to be done.
        case nothing
        /// The broker is to be asked for an answer.
        case ask
        /// The broker has not answered.
        case isSilent
    }

    private let interval: Duration
    private var next: ContinuousClock.Instant
    private var isAsking = false

    init(_ interval: Duration, from now: ContinuousClock.Instant) {
        self.interval = interval
        next = now + interval
    }

    /// Notes that the broker has sent something.
    mutating func hear() { isAsking = false }

    /// Advances to a time.
    mutating func advance(to now: ContinuousClock.Instant) -> Verdict {
        guard now >= next else { return .nothing }
        guard !isAsking else { return .isSilent }
        next = now + interval
        isAsking = true
        return .ask
    }
}
