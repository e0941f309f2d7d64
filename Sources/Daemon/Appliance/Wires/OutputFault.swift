import AudioSession
import Configuration
import GPIO

/// A missing or lost line of an output. The session handles only signals, so these faults are reported separately.
struct OutputFault: Hashable, Sendable {
    let output: Output
    let problem: GPIOError

    static func all(of lines: OutputLines) -> [OutputFault] {
        lines.missing.compactMap { output in
            lines.problems[output.policy.id].map { OutputFault(output: output, problem: $0) }
        }
    }

    /// Returns true if a technician would consider both faults the same, even if its cause has changed.
    func isLike(_ other: OutputFault) -> Bool { output.policy.id == other.output.policy.id }

    /// The text for the list of problems while the fault is present.
    var advice: String {
        let remedy: String =
            if case .busy(let consumer) = problem.reason {
                "in use by \(consumer.map { "‘\($0)’" } ?? "another program")"
            } else {
                "is Line= right? see ‘tacet lines’"
            }
        return "output \(output.policy.id) is lost (\(remedy))"
    }

    var entry: JournalEntry {
        let reason = "\(problem)"
        return JournalEntry(
            .fault,
            "\(name) cannot be driven: \(reason.asSentenceEnd) Everything else continues, and Tacet keeps trying.",
            priority: .warning
        ).with(fault)
            .with(.reason, reason).with(.outcome, "Tacet keeps trying to drive it")
    }

    var clearedEntry: JournalEntry {
        JournalEntry(.faultCleared, "\(name) is no longer \(fault.kind.participle).")
            .with(fault)
    }

    private var fault: Fault { Fault(output: output.policy.id) }

    private var name: String {
        "The output \(output.policy.id)" + (output.wiring.map { " (\($0))" } ?? "")
    }
}
