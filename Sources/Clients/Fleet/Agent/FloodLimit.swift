/// Bounds what a flood of messages can do: those that come too fast are ignored, and the journal has only the first that are
/// rejected and the first changes of signals, one by one. The others are counted, and their numbers are reported once a
/// minute at most. Pure.
struct FloodLimit: Hashable {
    private static let pause = Duration.seconds(60)
    /// How long the first that is counted waits for others.
    private static let timeout = Duration.seconds(1)

    private var messages = RateLimit(burst: 100, perSecond: 20)
    private var rejections = RateLimit(burst: 20, perSecond: 0.2)
    private var signals = RateLimit(burst: 60, perSecond: 1)
    private var ignored = 0
    private var unlogged = 0
    /// When the numbers are due; nil if nothing was counted.
    private(set) var deadline: Duration?
    private var earliest = Duration.zero

    /// Returns true if a message is to be read; if not, it is counted.
    mutating func admitsMessage(at now: Duration) -> Bool {
        if messages.passes(at: now) { return true }
        ignored += 1
        schedule(at: now)
        return false
    }

    /// Returns a turn's effects without the news that would fill the journal.
    mutating func limited(_ turn: Turn) -> [FleetEffect] {
        let now = turn.now.monotonic
        let effects = turn.effects.filter { if case .log(let news) = $0 { passes(news, at: now) } else { true } }
        return effects + (takeSummary(at: now).map { [.log($0)] } ?? [])
    }

    /// - Returns: whether to report this now; if not, it is counted.
    private mutating func passes(_ news: FleetNews, at now: Duration) -> Bool {
        switch news {
        case .rejected, .brokerRefused: if rejections.passes(at: now) { return true }
        case .signal: if signals.passes(at: now) { return true }
        case .connected, .disconnected, .executed, .flood, .losesConnections: return true
        }
        unlogged += 1
        schedule(at: now)
        return false
    }

    private mutating func schedule(at now: Duration) {
        deadline = deadline ?? max(now + FloodLimit.timeout, earliest)
    }

    /// The numbers, if they are due.
    private mutating func takeSummary(at now: Duration) -> FleetNews? {
        guard let deadline, deadline <= now else { return nil }
        defer { (ignored, unlogged, self.deadline, earliest) = (0, 0, nil, now + FloodLimit.pause) }
        return .flood(ignored: ignored, unlogged: unlogged)
    }
}
