/// Notices that a broker has fallen silent which wants to be asked less often than the settings say. The library then asks as
/// seldom as the broker wants, or never. Pure.
struct SilenceWatch: Hashable {
    enum Verdict: Hashable {
        /// Nothing is to be done.
        case nothing
        /// The broker is to be asked for an answer.
        case ask
        case isSilent
    }

    private let interval: Duration
    private var next: ContinuousClock.Instant
    private var isAsking = false

    init(_ interval: Duration, from now: ContinuousClock.Instant) {
        self.interval = interval
        next = now + interval
    }

    /// The broker has sent something.
    mutating func hear() { isAsking = false }

    /// The time has passed.
    mutating func advance(to now: ContinuousClock.Instant) -> Verdict {
        guard now >= next else { return .nothing }
        guard !isAsking else { return .isSilent }
        next = now + interval
        isAsking = true
        return .ask
    }
}
