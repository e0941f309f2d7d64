import AudioSession
import Verification

/// Measures the time to visit every state of the three signals that an appliance typically has, and of a fourth.
enum ExplorationBench {
    static func run() {
        Figures.heading("Every reachable state of phone-call (pause), alarm (duck), cover-closed (mute-microphone)")
        for category in Policy.Category.allCases {
            let policy = Policy(
                category: category,
                signals: [
                    SignalPolicy(id: "phone-call", effect: .pause),
                    SignalPolicy(id: "alarm", effect: .duck(.defaultDuck)),
                    SignalPolicy(id: "cover-closed", effect: .muteMicrophone),
                ])
            var report: ExplorationReport?
            let seconds = Stopwatch.time { report = Explorer(policy: policy).explore() }
            Figures.row(
                "category \(category.rawValue)", "\(Figures.decimals(seconds)) s: \(report.map(\.description) ?? "")")
        }
        fourSignals()
    }

    /// Explores four signals as `tacet verify` does. One line chatters at a time, and only a signal with `StuckAfter=`
    /// can be stuck.
    private static func fourSignals() {
        row("a fourth that pauses", .playAndRecord, stuck: 0)
        row("the same, one can be stuck", .playAndRecord, stuck: 1)
        row("four, each can be stuck", .playback, stuck: 4)
        row("the same, with a recording session", .playAndRecord, stuck: 4)
    }

    private static func row(_ words: String, _ category: Policy.Category, stuck: Int) {
        let signals = [
            SignalPolicy(id: "phone-call", effect: .pause),
            SignalPolicy(id: "alarm", effect: .duck(.defaultDuck)),
            SignalPolicy(id: "cover-closed", effect: category == .playback ? .pause : .muteMicrophone),
            SignalPolicy(id: "door-open", effect: .pause, resume: .manual),
        ]
        var report: ExplorationReport?
        let seconds = Stopwatch.time {
            report =
                Explorer(
                    policy: Policy(category: category, signals: signals), options: .chatterOfOne,
                    stuck: Set(signals.prefix(stuck).map(\.id))
                ).explore()
        }
        let speed = Double(report?.states ?? 0) / seconds / 1000
        Figures.row(
            words,
            "\(Figures.decimals(seconds)) s: \(report.map(\.description) ?? ""); \(Int(speed)) states per ms")
    }
}
