/// Keeps a flood of messages from filling the journal: the first that are rejected, and the first changes of signals, are
/// reported one by one; further ones are counted, as are messages that came too fast, and their numbers are reported once a
/// minute at most. Pure.
struct NewsLimit: Hashable {
    private static let pause = Duration.seconds(60)
    /// How long the first of them waits for others.
    private static let patience = Duration.seconds(1)

    private var rejections = RateLimit(burst: 20, perSecond: 0.2)
    private var signals = RateLimit(burst: 60, perSecond: 1)
    private var ignored = 0
    private var unlogged = 0
    /// When the numbers are due; nil if nothing was counted.
    private(set) var deadline: Duration?
    private var earliest = Duration.zero

    /// A message came too fast.
    mutating func countIgnored(at now: Duration) {
        ignored += 1
        schedule(at: now)
    }

    /// - Returns: whether to report this now; if not, it is counted.
    mutating func passes(_ news: FleetNews, at now: Duration) -> Bool {
        switch news {
        case .rejected, .brokerRefused: if rejections.passes(at: now) { return true }
        case .signal: if signals.passes(at: now) { return true }
        case .obeyed, .flood, .losesConnections: return true
        }
        unlogged += 1
        schedule(at: now)
        return false
    }

    private mutating func schedule(at now: Duration) {
        deadline = deadline ?? max(now + NewsLimit.patience, earliest)
    }

    /// The numbers, if they are due.
    mutating func takeSummary(at now: Duration) -> FleetNews? {
        guard let deadline, deadline <= now else { return nil }
        defer { (ignored, unlogged, self.deadline, earliest) = (0, 0, nil, now + NewsLimit.pause) }
        return .flood(ignored: ignored, unlogged: unlogged)
    }
}
