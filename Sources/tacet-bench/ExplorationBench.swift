import AudioSession
import Verification

/// How long it takes to visit every state of the mission's three signals.
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
    }
}
