import AudioSession
import Configuration
import Signals
import Verification

/// Every state of all signals together, or, where those are too many, of any three of them.
struct Exploration {
    /// Some ten seconds, and some 500 MB.
    static let limit = 4_000_000

    private(set) var states = 0
    private(set) var transitions = 0
    private(set) var violation: Report.Violation?
    private(set) var findings: Findings
    /// How many of the signals were looked at together.
    private(set) var together: Int
    /// What the violation is one of: with no more signals than were looked at together.
    private(set) var configuration: Configuration

    init(_ configuration: Configuration, limit: Int = Exploration.limit, subject: Subject = Subject()) {
        let signals = configuration.session.signals
        findings = Findings(configuration.session)
        together = signals.count
        self.configuration = configuration
        let whole = Explorer(configuration, limit: limit, subject: subject).explore()
        guard !whole.isComplete, whole.violation == nil, signals.count > 3 else {
            add(whole)
            return
        }
        together = 3
        for triple in Exploration.triples(signals) where violation == nil {
            var part = configuration
            part.session.signals = triple
            self.configuration = part
            add(Explorer(part, subject: subject).explore())
        }
    }

    private mutating func add(_ report: Report) {
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

    /// Of so many signals, as far as they were looked at.
    func summary(of count: Int) -> String {
        let scope = together < count ? " of any \(together) of the \(count) signals together" : ""
        return "\(states) states, \(transitions) transitions\(scope): all rules hold"
    }
}

extension Explorer {
    /// An explorer of what can happen under a configuration, and of nothing that cannot.
    /// - Parameter commands: what users can ask for; nil: everything.
    init(
        _ configuration: Configuration, commands: [Command]? = nil, limit: Int = .max, subject: Subject = Subject()
    ) {
        var policy = configuration.session
        for index in policy.signals.indices {
            let signal = policy.signals[index]
            guard let limit = signal.resumeWithin, limit < configuration.shortest(signal.id) else { continue }
            // Every interruption outlasts it.
            policy.signals[index].resumeWithin = .nanoseconds(-1)
        }
        let hasLimit = policy.signals.contains { $0.resume == .auto && $0.resumeWithin ?? .zero > .zero }
        self.init(
            policy: policy, options: hasLimit ? [.chatterOfOne, .time] : .chatterOfOne,
            stuck: Set(configuration.lines.filter { $1.stuckAfter != nil }.keys), commands: commands,
            limit: limit, subject: subject)
    }
}

extension Configuration {
    /// How long a signal is asserted at least: it lets go when its line has been quiet for `Debounce` and then for
    /// `ReleaseDelay`.
    func shortest(_ signal: SignalID) -> Duration {
        lines[signal].map { $0.debounce + $0.releaseDelay } ?? .zero
    }
}
