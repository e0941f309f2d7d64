/// Bounds what a flood of messages can do: those that come too fast are ignored, only so many requests are executed in an
/// hour, and the journal has only the first entries of each kind, one by one. The others are counted, and their numbers are
/// reported once a minute at most. Pure.
struct FloodLimit: Hashable {
    private static let pause = Duration.seconds(60)
    /// How long the first that is counted waits for others.
    private static let patience = Duration.seconds(1)

    /// How many commands, and how many announcements, are executed in any hour after a burst: each makes this program and
    /// Tacet write to a disk, and flash memory wears out.
    static let mostPerHour = 600
    private static let longTerm = RateLimit(burst: 100, perSecond: Double(mostPerHour) / 3600)

    private var messages = RateLimit(burst: 100, perSecond: 20)
    private var commands = FloodLimit.longTerm
    private var announcements = FloodLimit.longTerm
    private var executions = RateLimit(burst: 60, perSecond: 0.1)
    private var rejections = RateLimit(burst: 20, perSecond: 0.2)
    private var signals = RateLimit(burst: 60, perSecond: 1)
    private var connections = RateLimit(burst: 20, perSecond: 0.1)
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

    /// Returns true if a command may be executed; then it counts.
    mutating func admitsCommand(at now: Duration) -> Bool { commands.passes(at: now) }

    /// Returns true if an announcement may be executed; then it counts.
    mutating func admitsAnnouncement(at now: Duration) -> Bool { announcements.passes(at: now) }

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
        case .obeyed: if executions.passes(at: now) { return true }
        case .connected, .disconnected: if connections.passes(at: now) { return true }
        case .flood, .losesConnections: return true
        }
        unlogged += 1
        schedule(at: now)
        return false
    }

    private mutating func schedule(at now: Duration) {
        deadline = deadline ?? max(now + FloodLimit.patience, earliest)
    }

    /// The numbers, if they are due.
    private mutating func takeSummary(at now: Duration) -> FleetNews? {
        guard let deadline, deadline <= now else { return nil }
        defer { (ignored, unlogged, self.deadline, earliest) = (0, 0, nil, now + FloodLimit.pause) }
        return .flood(ignored: ignored, unlogged: unlogged)
    }
}
