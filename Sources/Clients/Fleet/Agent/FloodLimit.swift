/// Limits the effects of a flood of messages. Messages that arrive too fast are ignored. Only a limited number of requests
/// is executed in an hour. Only the first entries of each kind are logged individually. The others are counted, and their
/// numbers are reported at most once a minute. It has no side effects.
struct FloodLimit: Hashable {
    private static let pause = Duration.seconds(60)
    /// The time from the first counted message to the report.
    private static let timeout = Duration.seconds(1)

    /// The maximum number of commands, and of announcements, that are executed in an hour after a burst. Each makes
    /// this program and Tacet write to a disk, and flash memory wears out.
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
    /// The time at which the numbers are reported, or nil if nothing was counted.
    private(set) var deadline: Duration?
    private var earliest = Duration.zero

    /// Returns true if a message may be processed. Otherwise, the message is counted.
    mutating func admitsMessage(at now: Duration) -> Bool {
        if messages.passes(at: now) { return true }
        ignored += 1
        schedule(at: now)
        return false
    }

    /// Returns true if a command may be executed, in which case it is counted.
    mutating func admitsCommand(at now: Duration) -> Bool { commands.passes(at: now) }

    /// Returns true if an announcement may be executed, in which case it is counted.
    mutating func admitsAnnouncement(at now: Duration) -> Bool { announcements.passes(at: now) }

    /// Returns a turn's effects without the news that would fill the journal.
    mutating func limited(_ turn: Turn) -> [FleetEffect] {
        let now = turn.now.monotonic
        let effects = turn.effects.filter { if case .log(let news) = $0 { passes(news, at: now) } else { true } }
        return effects + (takeSummary(at: now).map { [.log($0)] } ?? [])
    }

    /// - Returns: true if the entry is logged now. Otherwise, it is counted.
    private mutating func passes(_ news: FleetNews, at now: Duration) -> Bool {
        switch news {
        case .rejected, .brokerRefused: if rejections.passes(at: now) { return true }
        case .signal: if signals.passes(at: now) { return true }
        case .executed: if executions.passes(at: now) { return true }
        case .connected, .disconnected: if connections.passes(at: now) { return true }
        case .flood, .losesConnections: return true
        }
        unlogged += 1
        schedule(at: now)
        return false
    }

    private mutating func schedule(at now: Duration) {
        deadline = deadline ?? max(now + FloodLimit.timeout, earliest)
    }

    /// Returns the numbers if it is time to report them.
    private mutating func takeSummary(at now: Duration) -> FleetNews? {
        guard let deadline, deadline <= now else { return nil }
        defer { (ignored, unlogged, self.deadline, earliest) = (0, 0, nil, now + FloodLimit.pause) }
        return .flood(ignored: ignored, unlogged: unlogged)
    }
}
