import Configuration
import Simulation
import Verification

/// What `tacet verify` has found out about a configuration.
struct Verdict {
    let files: [String]
    let exploration: Exploration
    private let signals: Int
    /// How soon each signal that changes what is heard takes effect.
    let bounds: [StatedBound]
    /// What is worth a second look.
    let warnings: [String]
    /// The shortest scenario that breaks a rule.
    let scenario: String?

    /// - Parameter subject: the session's behaviour; a test puts a broken one in its place.
    init(_ loaded: LoadedConfiguration, limit: Int = Exploration.limit, subject: Subject = Subject()) {
        files = loaded.files
        signals = loaded.configuration.session.signals.count
        bounds = loaded.configuration.session.signals.compactMap { StatedBound($0.id, loaded.configuration) }
        exploration = Exploration(loaded.configuration, limit: limit, subject: subject)
        scenario = exploration.violation.map { [exploration] in
            Counterexample($0, of: exploration.configuration).text
        }
        let isSound = exploration.violation == nil
        let oddities = isSound ? Oddities(loaded.configuration, exploration.findings).all : []
        warnings = loaded.warnings.map(\.description) + oddities.map { "\(loaded.files.last ?? ""): warning: \($0)" }
    }

    var isGood: Bool { exploration.violation == nil }

    var complaint: String? {
        exploration.violation.map { "rule \($0.rule) is broken (\(Report.text(ofRule: $0.rule))): \($0.what)" }
    }

    /// For people: the proof, or the scenario.
    var text: [String] {
        if let scenario { return scenario.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
        return ["\(files.joined(separator: ", ")): \(exploration.summary(of: signals))"]
            + Report.rules.map { "  \($0.number < 10 ? " " : "")\($0.number)  \($0.text)" } + bounds.map(\.text)
    }

    /// One object, for programs.
    var json: String {
        let violation = exploration.violation.map { violation in
            JSON.object([
                ("rule", "\(violation.rule)"), ("what", JSON.string(violation.what)),
                ("path", JSON.array(violation.path)), ("scenario", JSON.string(scenario ?? "")),
            ])
        }
        return JSON.object([
            ("files", JSON.array(files)), ("states", "\(exploration.states)"),
            ("transitions", "\(exploration.transitions)"), ("signals_together", "\(exploration.together)"),
            ("proved", "\(isGood)"), ("rules", JSON.array(Report.rules.map(\.text))),
            ("violation", violation ?? "null"),
            ("bounds", "[" + bounds.map(\.json).joined(separator: ",") + "]"), ("warnings", JSON.array(warnings)),
        ])
    }
}
