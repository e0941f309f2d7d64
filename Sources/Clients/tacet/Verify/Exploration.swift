import AudioSession
import Configuration
import Signals
import Verification

/// Explores every state of all signals together. If those are too many, it explores each signal, each pair and each
/// combination of three instead. It then explores them again with announcements, one kind at a time, with choices, and
/// with recording. If there are inputs, players or an amplifier, it also explores those.
struct Exploration {
    /// The largest combination of signals that is explored if all together have too many states.
    private static let largestCombination = 3
    /// The largest number of signals for which every state is visited, and not only one of several equivalent states.
    /// This also finds mistakes that depend on facts in which equivalent states differ.
    private static let mostWithEveryState = 3
    /// The largest number of signals that are all explored together even if they are similar.
    private static let mostInFull = 5
    /// The number of similar signals that are explored together if there are more signals.
    private static let mostSimilar = 2

    private(set) var states = 0
    private(set) var transitions = 0
    private(set) var violation: ExplorationReport.Violation?
    private(set) var findings: Findings
    /// The number of signals that were explored together, in every combination.
    private(set) var together: Int
    /// True if some of the signals represented similar ones.
    private var omitsSimilarSignals = false
    /// The larger combinations that were explored, if only some of them were.
    private(set) var partly: (size: Int, explored: Int, of: Int)?
    /// The parts that were not explored and the reasons, one line each.
    private(set) var omissions: [String] = []
    /// The signals that were explored, at least separately.
    private(set) var explored: Set<SignalID> = []
    /// The configuration that the violation applies to. It contains only the signals that were explored together.
    private(set) var configuration: Configuration
    private let budget: ExplorationBudget
    private let kinds: Int
    private let coverage: Explorer.Coverage

    /// - Parameters:
    ///   - limit: the largest number of states of all signals together.
    ///   - share: the part of the budget's time after which it must end, 0…1.
    init(
        _ configuration: Configuration, limit: Int = .max, budget: ExplorationBudget = ExplorationBudget(),
        share: Double = 1, behaviour: SessionBehaviour = SessionBehaviour(),
        outputs: OutputBehaviour = OutputBehaviour()
    ) {
        let signals = configuration.session.signals
        findings = Findings(configuration.session)
        together = signals.count
        kinds = configuration.session.distinctAnnouncements.count
        self.configuration = configuration
        coverage = signals.count > Self.mostWithEveryState ? .oneOfEquivalentStates : .everyState
        self.budget = budget
        exploreSession(limit: limit, share: share, behaviour)
        if violation == nil { exploreSources(of: configuration, share: share, behaviour) }
        if violation == nil { exploreAmplifier(of: configuration, outputs) }
    }

    /// True if all signals were explored together, in every state.
    var isComplete: Bool { omissions.isEmpty }

    /// True if no rule can be broken. Exploring all combinations of three is treated as a proof.
    var isProof: Bool { violation == nil && (isComplete || together == Exploration.largestCombination) }

    private mutating func exploreSession(limit: Int, share: Double, _ behaviour: SessionBehaviour) {
        let signals = configuration.session.signals
        let subject = "\(signals.count > 1 ? "all " : "")\(Exploration.count(signals.count, "signal")) together"
        // This exploration uses half of the time, so that the rest is left for the combinations.
        budget.begin(subject, until: signals.count > 1 ? share / 2 : share)
        let choice = RepresentativeSignals(
            configuration.session, stuck: configuration.signalsThatCanBeStuck,
            most: signals.count > Self.mostInFull ? Self.mostSimilar : Int.max)
        configuration.session.signals = choice.signals
        if explore(limit: limit, behaviour) {
            configuration.session.signals = signals
            findings.share(choice.representatives)
            explored = Set(signals.map(\.id))
            omitsSimilarSignals = !choice.representatives.isEmpty
            return
        }
        guard violation == nil else { return }
        omissions.append("\(subject): \(reason(limit)) after \(Exploration.count(states, "state"))")
        together = 0
        // There are no smaller combinations, so these numbers are the result.
        guard signals.count > 1 else { return }
        (states, transitions) = (0, 0)
        for size in 1...Exploration.largestCombination where size < signals.count {
            guard exploreCombinations(of: size, signals, share: share, behaviour) else { return }
            together = size
        }
    }

    /// - Returns: true if all combinations of this size were explored.
    private mutating func exploreCombinations(
        of size: Int, _ signals: [SignalPolicy], share: Double, _ behaviour: SessionBehaviour
    ) -> Bool {
        let combinations = signals.combinations(of: size)
        var count = 0
        var limit: ExplorationBudget.Limit?
        for (index, combination) in combinations.enumerated() {
            let subject = "combination \(index + 1) of \(combinations.count) of \(Exploration.count(size, "signal"))"
            budget.begin(subject, until: share)
            configuration.session.signals = combination
            if explore(limit: .max, behaviour) {
                count += 1
                explored.formUnion(combination.map(\.id))
            } else {
                guard violation == nil else { return false }
                limit = budget.reached
                // Another combination may need less memory.
                if limit == .time { break }
            }
        }
        guard let limit else { return true }
        if count > 0 { partly = (size, count, combinations.count) }
        omissions.append(
            "\(combinations.count - count) of the \(combinations.count) combinations of "
                + "\(Exploration.count(size, "signal")): \(budget.limits.words(for: limit))")
        return false
    }

    private mutating func exploreSources(of configuration: Configuration, share: Double, _ behaviour: SessionBehaviour)
    {
        guard !configuration.session.inputs.isEmpty || !configuration.session.players.isEmpty else { return }
        let subject = "inputs and players"
        budget.begin(subject, until: share)
        let report = SourceExplorer.explore(
            configuration.session, behaviour: behaviour, shouldStop: budget.isSpent)
        states += report.states
        transitions += report.transitions
        violation = report.violation
        if violation != nil { self.configuration = configuration }
        if !report.isComplete {
            omissions.append("\(subject): \(reason(.max)) after \(Exploration.count(report.states, "state"))")
        }
    }

    private mutating func exploreAmplifier(of configuration: Configuration, _ behaviour: OutputBehaviour) {
        guard configuration.outputs.contains(where: { $0.policy.meaning.lead != nil }) else { return }
        let report = AmplifierExplorer(behaviour: behaviour).explore()
        states += report.states
        transitions += report.transitions
        violation = report.violation(announcing: configuration.session.sounds.first?.id ?? "sound")
        if violation != nil { self.configuration = configuration }
    }

    /// Explores everything but announcements, choices and recording, and then these. Two threads share this work.
    ///
    /// - Returns: true if all states were visited, or false at the first limit that is reached, or the first violation.
    private mutating func explore(limit: Int, _ behaviour: SessionBehaviour) -> Bool {
        let (configuration, budget, coverage) = (configuration, budget, coverage)
        func shouldStop(_ isCancelled: @escaping () -> Bool) -> (Int) -> Bool {
            { isCancelled() || budget.isSpent(states: $0) }
        }
        var explorations: [ConcurrentExplorations.Creation] = [
            {
                Explorer(
                    configuration, coverage: coverage, limit: limit, behaviour: behaviour, shouldStop: shouldStop($0))
            }
        ]
        explorations += configuration.session.distinctAnnouncements.map { announcement in
            {
                Explorer(
                    configuration, announcing: announcement, coverage: coverage, limit: limit, behaviour: behaviour,
                    shouldStop: shouldStop($0))
            }
        }
        let endings = configuration.endingsOfChoices
        if !endings.isEmpty {
            explorations.append {
                Explorer(
                    choosing: endings, under: configuration, coverage: coverage, limit: limit, behaviour: behaviour,
                    shouldStop: shouldStop($0))
            }
        }
        if configuration.session.canRecord {
            explorations.append {
                Explorer(
                    recordingUnder: configuration, coverage: coverage, limit: limit, behaviour: behaviour,
                    shouldStop: shouldStop($0))
            }
        }
        let reports = ConcurrentExplorations.reports(of: explorations)
        for report in reports { add(report) }
        return reports.allSatisfy { $0.isComplete && $0.violation == nil }
    }

    private mutating func add(_ report: ExplorationReport) {
        states += report.states
        transitions += report.transitions
        violation = report.violation
        findings.add(report.findings)
    }

    /// Returns the reason why not all states of all signals together were visited.
    private func reason(_ limit: Int) -> String {
        guard let reached = budget.reached else {
            let most = Explorer.maximumSignals
            return limit < .max ? "there are more than \(limit) states" : "more than \(most) signals are too many"
        }
        // It may use only a part of the time.
        return reached == .time ? "there is no time left for them" : budget.limits.words(for: reached)
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// - Parameter count: the number of signals in the configuration.
    func summary(of count: Int) -> String {
        var scope = ""
        if together < count, together > 0 { scope += ", any \(together) of the \(count) signals at a time" }
        if let partly {
            let signals = Exploration.count(partly.size, "signal")
            scope += ", \(partly.explored) of the \(partly.of) combinations of \(signals)"
        }
        if kinds > 0 { scope += ", announcements of \(Exploration.count(kinds, "kind"))" }
        if !configuration.endingsOfChoices.isEmpty { scope += ", choices" }
        if configuration.session.canRecord { scope += ", recording" }
        if omitsSimilarSignals { scope += ", at most \(Self.mostSimilar) similar signals at a time" }
        let note = coverage == .everyState ? "" : " (equivalent ones count once)"
        return "\(states) states\(note), \(transitions) transitions\(scope): "
            + (isProof ? "all rules hold" : states > 0 ? "no rule is broken in these" : "nothing was explored")
    }
}

extension Array {
    /// Returns all combinations of this many elements, in their order.
    fileprivate func combinations(of size: Int) -> [[Element]] {
        guard size > 0 else { return [[]] }
        return indices.flatMap { first in
            Array(self[(first + 1)...]).combinations(of: size - 1).map { [self[first]] + $0 }
        }
    }
}

extension Explorer {
    /// Creates an explorer of everything that can happen under a configuration, and of nothing else.
    /// - Parameters:
    ///   - commands: the commands that users can send, or nil for all.
    ///   - options: the additional things that it explores.
    init(
        _ configuration: Configuration, commands: [Command]? = nil, options: Options = .chatterOfOne,
        coverage: Coverage, limit: Int = .max, behaviour: SessionBehaviour = SessionBehaviour(),
        shouldStop: @escaping (Int) -> Bool = { _ in false }
    ) {
        self.init(configuration, options, commands, [], limit, behaviour, shouldStop, coverage: coverage)
    }

    /// Creates an explorer of an announcement, which can be requested at any time. No line chatters and there is only
    /// one track, because neither matters to an announcement and each would double the states.
    init(
        _ configuration: Configuration, announcing announcement: Announcement, coverage: Coverage, limit: Int,
        behaviour: SessionBehaviour, shouldStop: @escaping (Int) -> Bool
    ) {
        var configuration = configuration
        configuration.session.repeats = .track
        self.init(
            configuration, [], [.play, .pause, .playPause, .stop], [announcement], limit, behaviour, shouldStop,
            coverage: coverage)
    }

    /// Creates an explorer of recording. No line chatters, and the only playback command is `play`, which drops stuck
    /// signals. Other commands do not affect a recording.
    init(
        recordingUnder configuration: Configuration, coverage: Coverage, limit: Int, behaviour: SessionBehaviour,
        shouldStop: @escaping (Int) -> Bool
    ) {
        var configuration = configuration
        configuration.session.repeats = .track
        self.init(configuration, .recording, [.play], [], limit, behaviour, shouldStop, coverage: coverage)
    }

    /// Creates an explorer of choices, which can be made at any time. No line chatters and the route is never lost,
    /// because neither matters to a choice and each would double the states.
    init(
        choosing endings: [ChoiceRequest.Ending], under configuration: Configuration, coverage: Coverage,
        limit: Int, behaviour: SessionBehaviour, shouldStop: @escaping (Int) -> Bool
    ) {
        let commands: [Command] = [.play, .pause, .stop, .next]
        self.init(
            configuration, .fixedRoute, commands, [], limit, behaviour, shouldStop, coverage: coverage,
            choices: endings)
    }

    private init(
        _ configuration: Configuration, _ options: Options, _ commands: [Command]?, _ announcements: [Announcement],
        _ limit: Int, _ behaviour: SessionBehaviour, _ shouldStop: @escaping (Int) -> Bool,
        coverage: Coverage, choices: [ChoiceRequest.Ending] = []
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
            stuck: configuration.signalsThatCanBeStuck, commands: commands, announcements: announcements,
            choices: choices, coverage: coverage, limit: limit, behaviour: behaviour, shouldStop: shouldStop)
    }
}

extension Configuration {
    fileprivate var signalsThatCanBeStuck: Set<SignalID> { Set(lines.filter { $1.stuckAfter != nil }.keys) }

    /// The different endings of the choices that buttons make.
    fileprivate var endingsOfChoices: [ChoiceRequest.Ending] {
        let commands = buttons.flatMap { [$0.command, $0.longCommand, $0.doubleCommand].compactMap { $0 } }
        let endings = commands.compactMap { command -> ChoiceRequest.Ending? in
            if case .choose(let request) = command { request.then } else { nil }
        }
        return ChoiceRequest.Ending.allCases.filter(endings.contains)
    }

    /// Returns the shortest time for which a signal can be asserted. A signal is deasserted once its line has been
    /// stable for `Debounce` and then for `ReleaseDelay`.
    func shortest(_ signal: SignalID) -> Duration {
        lines[signal].map { $0.debounce + $0.releaseDelay } ?? .zero
    }
}
