import AudioSession
import Verification

/// How long it takes to visit every state of the mission's three signals, and what `tacet verify` takes with a fourth.
enum ExplorationBench {
    static func run() {
        Figures.heading("Every reachable state of phone-call (pause), alarm (duck), cover-closed (mute-microphone)")
        for category in Policy.Category.allCases {
            let policy = Policy(
                category: category,
                signals: [
                    SignalPolicy(id: "phone-call", effect: .pause),
                    SignalPolicy(id: "alarm", effect: .duck(Level(decibels: -14) ?? .mute)),
                    SignalPolicy(id: "cover-closed", effect: .muteMicrophone),
                ])
            var report: Report?
            let seconds = Stopwatch.time { report = Explorer(policy: policy).explore() }
            Figures.row(
                "category \(category.rawValue)", "\(Figures.decimals(seconds)) s: \(report.map(\.description) ?? "")")
        }
        fourSignals()
    }

    /// As they come: one line chatters at a time, and nothing says after what time a signal is stuck.
    private static func fourSignals() {
        let policy = Policy(
            category: .playAndRecord,
            signals: [
                SignalPolicy(id: "phone-call", effect: .pause),
                SignalPolicy(id: "alarm", effect: .duck(Level(decibels: -14) ?? .mute)),
                SignalPolicy(id: "cover-closed", effect: .muteMicrophone),
                SignalPolicy(id: "door-open", effect: .pause, resume: .manual),
            ])
        for (words, stuck) in [("a fourth that pauses", 0), ("the same, one can be stuck", 1)] {
            var report: Report?
            let names = Set(policy.signals.prefix(stuck).map(\.id))
            let seconds = Stopwatch.time {
                report = Explorer(policy: policy, options: .chatterOfOne, stuck: names).explore()
            }
            Figures.row(words, "\(Figures.decimals(seconds)) s: \(report.map(\.description) ?? "")")
        }
    }
}
