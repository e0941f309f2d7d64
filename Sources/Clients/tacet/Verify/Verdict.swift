import Configuration
import Spelling
import Verification

/// The result of `tacet verify`.
struct Verdict {
    let files: [String]
    let exploration: Exploration
    private let signals: Int
    /// The rules that apply to the configuration.
    private let rules: [(number: Int, text: String)]
    /// The time until each signal that changes what is played takes effect.
    let bounds: [StatedBound]
    /// The times until sounds are played, and their delays.
    let sounds: StatedSounds
    /// The configuration's own warnings, and likely mistakes.
    let warnings: [String]
    /// The shortest scenario that breaks a rule.
    let scenario: String?
    /// The parts that were not explored and the reasons, one line each.
    let omissions: [String]

    /// - Parameter behaviour: the session's behaviour, which a test replaces with a broken one.
    init(
        _ loaded: LoadedConfiguration, limit: Int = .max, budget: ExplorationBudget = ExplorationBudget(),
        behaviour: SessionBehaviour = SessionBehaviour()
    ) {
        let configuration = loaded.configuration
        files = loaded.files
        signals = loaded.configuration.session.signals.count
        rules = ExplorationReport.rules(under: configuration.session)
        bounds = loaded.configuration.session.signals.compactMap { StatedBound($0.id, loaded.configuration) }
        sounds = StatedSounds(configuration)
        exploration = Exploration(
            configuration, limit: limit, budget: budget,
            share: LikelyMistakes.canBeSilentForGood(configuration) ? 0.75 : 1, behaviour: behaviour)
        scenario = exploration.violation.map { [exploration] in
            Counterexample($0, of: exploration.configuration).text
        }
        let likely = exploration.violation == nil ? LikelyMistakes(configuration, exploration) : nil
        let silences = likely?.silences(budget)
        let mistakes = (likely?.all ?? []) + (silences ?? [])
        let isUnknown = likely != nil && silences == nil
        let limit = budget.reached.map(budget.limits.words) ?? "there are too many signals"
        omissions = exploration.omissions + (isUnknown ? ["silences that nothing ends: \(limit)"] : [])
        warnings = loaded.warnings.map(\.description) + mistakes.map { "\(loaded.files.last ?? ""): warning: \($0)" }
    }

    var isGood: Bool { exploration.violation == nil }

    /// The rule that is broken, and the way in which it is broken.
    var brokenRule: String? {
        exploration.violation.map { violation in
            let text = ExplorationReport.text(ofRule: violation.rule, under: exploration.configuration.session)
            return "rule \(violation.rule) is broken (\(text)): \(violation.what)"
        }
    }

    /// The result for people, which is the rules that hold or the scenario that breaks one.
    var text: [String] {
        if let scenario { return scenario.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
        return ["\(files.joined(separator: ", ")): \(exploration.summary(of: signals))"]
            + omissions.map { "not explored: \($0)" }
            + rules.map { "  \($0.number < 10 ? " " : "")\($0.number)  \($0.text)" }
            + bounds.map(\.text) + sounds.lines
    }

    /// The result as one object, for programs.
    var json: String {
        let violation = exploration.violation.map { violation in
            JSON.object([
                ("rule", "\(violation.rule)"), ("what", JSON.string(violation.what)),
                ("path", JSON.array(violation.path)), ("scenario", JSON.string(scenario ?? "")),
            ])
        }
        return JSON.object(
            [
                ("files", JSON.array(files)), ("states", "\(exploration.states)"),
                ("transitions", "\(exploration.transitions)"), ("signals_together", "\(exploration.together)"),
                ("proved", "\(exploration.isProof)"), ("not_explored", JSON.array(omissions)),
                ("rules", JSON.array(rules.map(\.text))),
                ("violation", violation ?? "null"),
                ("bounds", "[" + bounds.map(\.json).joined(separator: ",") + "]"),
            ] + sounds.json + [("warnings", JSON.array(warnings))])
    }
}
