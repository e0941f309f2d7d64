import AudioSession
import Configuration
import Signals
import Verification

/// Explores every state of all signals together, or, if those are too many, of each combination of three; then again
/// with announcements, one kind at a time, and with recording. If there is an amplifier, explores it, too.
struct Exploration {
    /// The most states to visit: about 960 MB, and a minute on a busy machine.
    static let limit = 1_600_000

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
        behaviour: SessionBehaviour = SessionBehaviour(), outputs: OutputBehaviour = OutputBehaviour()
    ) {
        let signals = configuration.session.signals
        findings = Findings(configuration.session)
        together = signals.count
        self.configuration = configuration
        exploreSession(limit: limit, behaviour)
        if violation == nil { exploreAmplifier(of: configuration, outputs) }
    }

    private mutating func exploreSession(limit: Int, _ behaviour: SessionBehaviour) {
        let signals = configuration.session.signals
        if explore(limit: limit, behaviour) || violation != nil || signals.count <= 3 { return }
        together = 3
        (states, transitions) = (0, 0)
        for triple in Exploration.triples(signals) where violation == nil {
            self.configuration.session.signals = triple
            _ = explore(limit: .max, behaviour)
        }
    }

    private mutating func exploreAmplifier(of configuration: Configuration, _ behaviour: OutputBehaviour) {
        guard configuration.outputs.contains(where: { $0.policy.meaning.name == "amplifier" }) else { return }
        let report = AmplifierExplorer(behaviour: behaviour).explore()
        states += report.states
        transitions += report.transitions
        violation = report.violation(announcing: configuration.session.sounds.first?.id ?? "sound")
        if violation != nil { self.configuration = configuration }
    }

    /// Explores everything but announcements and recording, then each distinct announcement; recording meanwhile.
    ///
    /// - Returns: whether all states were visited; false at the first limit that is reached, or the first violation.
    private mutating func explore(limit: Int, _ behaviour: SessionBehaviour) -> Bool {
        let recording =
            configuration.session.canRecord
            ? ConcurrentExploration(Explorer(recordingUnder: configuration, limit: limit, behaviour: behaviour)) : nil
        for announcement in [nil] + configuration.session.distinctAnnouncements.map(Optional.some) {
            let explorer =
                announcement.map { Explorer(configuration, announcing: $0, limit: limit, behaviour: behaviour) }
                ?? Explorer(configuration, limit: limit, behaviour: behaviour)
            let report = explorer.explore()
            add(report)
            guard report.isComplete, report.violation == nil else { return false }
        }
        guard let report = recording?.report() else { return true }
        add(report)
        return report.isComplete && report.violation == nil
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
        let kinds = configuration.session.distinctAnnouncements.count
        let scope =
            (together < count ? ", any \(together) of the \(count) signals at a time" : "")
            + (kinds > 0 ? ", announcements of \(kinds) \(kinds == 1 ? "kind" : "kinds")" : "")
            + (configuration.session.canRecord ? ", recording" : "")
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
        self.init(configuration, .chatterOfOne, commands, [], limit, behaviour)
    }

    /// An explorer of an announcement, which can be requested at any time. No line chatters, and there is only one track:
    /// neither matters to an announcement, and each would double the states.
    init(_ configuration: Configuration, announcing announcement: Announcement, limit: Int, behaviour: SessionBehaviour)
    {
        var configuration = configuration
        configuration.session.repeats = .track
        self.init(configuration, [], [.play, .pause, .playPause, .stop], [announcement], limit, behaviour)
    }

    /// An explorer of recording. No line chatters, and `play`, which drops stuck signals, is the only command about
    /// playing: the rest does not matter to a recording.
    init(recordingUnder configuration: Configuration, limit: Int, behaviour: SessionBehaviour) {
        var configuration = configuration
        configuration.session.repeats = .track
        self.init(configuration, .recording, [.play], [], limit, behaviour)
    }

    private init(
        _ configuration: Configuration, _ options: Options, _ commands: [Command]?, _ announcements: [Announcement],
        _ limit: Int, _ behaviour: SessionBehaviour
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
            policy: policy, options: hasLimit ? options.union(.time) : options,
            stuck: Set(configuration.lines.filter { $1.stuckAfter != nil }.keys), commands: commands,
            announcements: announcements, limit: limit, behaviour: behaviour)
    }
}

extension Configuration {
    /// The shortest time for which a signal can be asserted: it is deasserted once its line has been stable for
    /// `Debounce` and then for `ReleaseDelay`.
    func shortest(_ signal: SignalID) -> Duration {
        lines[signal].map { $0.debounce + $0.releaseDelay } ?? .zero
    }
}
