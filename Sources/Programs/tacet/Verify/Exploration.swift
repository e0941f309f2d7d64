import AudioSession
import Configuration
import Signals
import Verification

/// Explores every state of all signals together, or, if those are too many, of each combination of three.
struct Exploration {
    /// The most states to visit: about ten seconds and 500 MB.
    static let limit = 4_000_000

    private(set) var states = 0
    private(set) var transitions = 0
    private(set) var violation: ExplorationReport.Violation?
    private(set) var findings: Findings
    /// How many of the signals were explored together.
    private(set) var together: Int
    /// The configuration that the violation applies to: it has only the signals that were explored together.
    private(set) var configuration: Configuration

    init(
        _ configuration: Configuration, limit: Int = Exploration.limit,
        behaviour: SessionBehaviour = SessionBehaviour()
    ) {
        let signals = configuration.session.signals
        findings = Findings(configuration.session)
        together = signals.count
        self.configuration = configuration
        let whole = Explorer(configuration, limit: limit, behaviour: behaviour).explore()
        guard !whole.isComplete, whole.violation == nil, signals.count > 3 else {
            add(whole)
            return
        }
        together = 3
        for triple in Exploration.triples(signals) where violation == nil {
            var part = configuration
            part.session.signals = triple
            self.configuration = part
            add(Explorer(part, behaviour: behaviour).explore())
        }
    }

    private mutating func add(_ report: ExplorationReport) {
        states += report.states
        transitions += report.transitions
        violation = report.violation
        findings.add(report.findings)
    }

    private static func triples(_ signals: [SignalPolicy]) -> [[SignalPolicy]] {
        signals.indices.flatMap { a in
            (a + 1..<max(a + 1, signals.count)).flatMap { b in
                (b + 1..<max(b + 1, signals.count)).map { c in [signals[a], signals[b], signals[c]] }
            }
        }
    }

    /// - Parameter count: the number of signals in the configuration.
    func summary(of count: Int) -> String {
        let scope = together < count ? ", any \(together) of the \(count) signals at a time" : ""
        return "\(states) states, \(transitions) transitions\(scope): all rules hold"
    }
}

extension Explorer {
    /// An explorer of everything that can happen under a configuration, and of nothing else.
    /// - Parameter commands: those that users can send; nil: all.
    init(
        _ configuration: Configuration, commands: [Command]? = nil, limit: Int = .max,
        behaviour: SessionBehaviour = SessionBehaviour()
    ) {
        var policy = configuration.session
        for index in policy.signals.indices {
            let signal = policy.signals[index]
            guard let limit = signal.resumeWithin, limit < configuration.shortest(signal.id) else { continue }
            // Every interruption outlasts this limit.
            policy.signals[index].resumeWithin = .nanoseconds(-1)
        }
        let hasLimit = policy.signals.contains { $0.resume == .auto && $0.resumeWithin ?? .zero > .zero }
        self.init(
            policy: policy, options: hasLimit ? [.chatterOfOne, .time] : .chatterOfOne,
            stuck: Set(configuration.lines.filter { $1.stuckAfter != nil }.keys), commands: commands,
            limit: limit, behaviour: behaviour)
    }
}

extension Configuration {
    /// The shortest time for which a signal can be asserted: it is deasserted once its line has been stable for
    /// `Debounce` and then for `ReleaseDelay`.
    func shortest(_ signal: SignalID) -> Duration {
        lines[signal].map { $0.debounce + $0.releaseDelay } ?? .zero
    }
}
