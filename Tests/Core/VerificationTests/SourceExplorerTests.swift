import AudioSession
import Testing
import Verification

/// The exploration of inputs and players.
@Suite struct SourceExplorerTests {
    private static let signals = [
        SignalPolicy(id: "page", effect: .duck(Level(decibels: -20) ?? .mute), cue: "desk", input: "desk"),
        SignalPolicy(id: "phone-call", effect: .pause),
        SignalPolicy(id: "alarm", effect: .duck(Level(decibels: -14) ?? .mute)),
    ]
    private static let policy: Policy = {
        var policy = Policy(
            signals: signals,
            inputs: [
                InputPolicy(id: "airplay", player: "shairport"), InputPolicy(id: "radio", role: .automaticProgramme),
                InputPolicy(id: "desk", role: .page),
            ], players: ["shairport", "mpd"])
        policy.autoPlay = true
        return policy
    }()

    @Test func everyRuleHolds() {
        let report = SourceExplorer.explore(Self.policy)
        print(report.states, report.transitions)
        #expect(report.isComplete && report.violation == nil, "\(report)")
    }
}
