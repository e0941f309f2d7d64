/// Detects a silent broker that has requested a longer keep-alive than the settings specify. The library itself then
/// pings the broker only as often as the broker has requested, or never. This is a pure value.
struct SilenceWatch: Hashable {
    enum Verdict: Hashable {
        /// No action is needed.
        case nothing
        /// Send the broker a request that it must answer.
        case ask
        /// The broker has not answered the request in time.
        case isSilent
    }

    private let interval: Duration
    private var next: ContinuousClock.Instant
    private var isAsking = false

    init(_ interval: Duration, from now: ContinuousClock.Instant) {
        self.interval = interval
        next = now + interval
    }

    /// Records that the broker has sent something.
    mutating func hear() { isAsking = false }

    /// Advances to a time and returns the action to take.
    mutating func advance(to now: ContinuousClock.Instant) -> Verdict {
        guard now >= next else { return .nothing }
        guard !isAsking else { return .isSilent }
        next = now + interval
        isAsking = true
        return .ask
    }
}
