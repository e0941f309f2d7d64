import Spelling
import Systemd
import Vocabulary

/// The supervisor's health, as it reports it. It has no side effects.
enum HealthReport: Hashable {
    /// No problem. The value is the status line of `systemctl status`.
    case healthy(status: String)
    /// At least one problem.
    case unhealthy([String])
    /// The supervisor does not answer. The value is the reason.
    case notRunning(String)

    /// - Parameter session: the properties of `org.tacet.Session1`.
    init(_ session: [String: BusValue]) {
        guard case .array(_, let problems)? = session[.health], case .string(let status)? = session[.status] else {
            self = .notRunning(DaemonConnection.Unreachable.otherVersion.description)
            return
        }
        let descriptions = problems.compactMap { if case .string(let text) = $0 { text } else { nil } }
        self = descriptions.isEmpty ? .healthy(status: status) : .unhealthy(descriptions)
    }

    /// Returns the report with additional problems that another program reports.
    func adding(_ others: [String]) -> HealthReport {
        switch self {
        case .healthy where !others.isEmpty: .unhealthy(others)
        case .unhealthy(let problems): .unhealthy(problems + others)
        case .healthy, .notRunning: self
        }
    }

    var exitCode: ExitCode {
        switch self {
        case .healthy: .done
        case .unhealthy: .failed
        case .notRunning: .notRunning
        }
    }

    /// The report for people and plug-ins.
    var line: String {
        switch self {
        case .healthy(let status): "healthy: \(status)"
        case .unhealthy(let problems): "unhealthy: \(problems.joined(separator: "; "))"
        case .notRunning(let reason): "not running: \(reason.split(separator: "\n").joined(separator: " "))"
        }
    }

    /// The report for programs.
    var json: String {
        let (state, status, problems): (String, String?, [String]) =
            switch self {
            case .healthy(let status): ("healthy", status, [])
            case .unhealthy(let problems): ("unhealthy", nil, problems)
            case .notRunning(let reason): ("notRunning", nil, [reason.split(separator: "\n").joined(separator: " ")])
            }
        return JSON.object([
            ("health", JSON.string(state)), ("status", status.map(JSON.string) ?? "null"),
            ("problems", JSON.array(problems)),
        ])
    }
}
