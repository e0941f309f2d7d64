import Configuration
import Simulation
import Verification

/// What `tacet verify` has found out about a configuration.
struct Verdict {
    let files: [String]
    let report: Report
    /// What is worth a second look.
    let warnings: [String]
    /// The shortest scenario that breaks a rule.
    let scenario: String?

    /// - Parameter subject: the session's behaviour; a test puts a broken one in its place.
    init(_ loaded: LoadedConfiguration, subject: Subject = Subject()) {
        files = loaded.files
        report = Explorer(loaded.configuration, subject: subject).explore()
        scenario = report.violation.map { Counterexample($0, of: loaded.configuration).text }
        let oddities = report.violation == nil ? Oddities(loaded.configuration, report.findings).all : []
        warnings = loaded.warnings.map(\.description) + oddities.map { "\(loaded.files.last ?? ""): warning: \($0)" }
    }

    var isGood: Bool { report.violation == nil }

    var complaint: String? {
        report.violation.map { "rule \($0.rule) is broken (\(Report.rules[$0.rule - 1])): \($0.what)" }
    }

    /// For people: the proof, or the scenario.
    var text: [String] {
        if let scenario { return [scenario] }
        return ["\(files.joined(separator: ", ")): \(report)"]
            + Report.rules.enumerated().map { "  \($0 + 1)  \($1)" }
    }

    /// One object, for programs.
    var json: String {
        let violation = report.violation.map { violation in
            JSON.object([
                ("rule", "\(violation.rule)"), ("what", JSON.string(violation.what)),
                ("path", JSON.array(violation.path)), ("scenario", JSON.string(scenario ?? "")),
            ])
        }
        return JSON.object([
            ("files", JSON.array(files)), ("states", "\(report.states)"), ("transitions", "\(report.transitions)"),
            ("proved", "\(isGood)"), ("rules", JSON.array(Report.rules)), ("violation", violation ?? "null"),
            ("warnings", JSON.array(warnings)),
        ])
    }
}
