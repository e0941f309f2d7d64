import Simulation
import Systemd

/// What the supervisor says is wrong. Pure.
enum HealthReport: Hashable {
    /// What it does, as `systemctl status` shows it.
    case healthy(status: String)
    /// What is wrong: at least one problem.
    case unhealthy([String])
    /// It does not answer: why.
    case notRunning(String)

    /// - Parameter session: the properties of `org.tacet.Session1`.
    init(_ session: [String: BusValue]) {
        guard case .array(_, let problems)? = session["Health"], case .string(let status)? = session["Status"] else {
            self = .notRunning("what answers is no Tacet of this version")
            return
        }
        let words = problems.compactMap { if case .string(let words) = $0 { words } else { nil } }
        self = words.isEmpty ? .healthy(status: status) : .unhealthy(words)
    }

    var exitCode: ExitCode {
        switch self {
        case .healthy: .done
        case .unhealthy: .failed
        case .notRunning: .notRunning
        }
    }

    /// For people and plug-ins.
    var line: String {
        switch self {
        case .healthy(let status): "healthy: \(status)"
        case .unhealthy(let problems): "unhealthy: \(problems.joined(separator: "; "))"
        case .notRunning(let reason): "not running: \(reason.split(separator: "\n").joined(separator: " "))"
        }
    }

    /// For programs.
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
