import AudioSession
import Testing
import Verification

/// The contract's section 10 in every reachable state, for policies that between them use every key of a signal.
@Suite struct ExplorationTests {
    static let duck = Effect.duck(Level(decibels: -14) ?? .mute)

    static func signals(
        resume: SignalPolicy.Resume = .auto, within: Duration? = nil, isAlert: Bool = false,
        whenStuck: SignalPolicy.WhenStuck
    ) -> [SignalPolicy] {
        [
            SignalPolicy(
                id: "phone-call", effect: .pause, resume: resume, resumeWithin: within, whenStuck: whenStuck),
            SignalPolicy(id: "alarm", effect: duck, isAlert: isAlert, whenStuck: whenStuck),
            SignalPolicy(id: "cover-closed", effect: .muteMicrophone, whenStuck: whenStuck),
        ]
    }

    @Test(arguments: Policy.Category.allCases, SignalPolicy.WhenStuck.allCases)
    func threeSignals(category: Policy.Category, whenStuck: SignalPolicy.WhenStuck) {
        prove(Policy(category: category, signals: Self.signals(whenStuck: whenStuck)))
    }

    @Test func manualResume() {
        prove(Policy(category: .playAndRecord, signals: Self.signals(resume: .manual, whenStuck: .hold)))
    }

    @Test func overriddenMicrophone() {
        prove(
            Policy(
                category: .playAndRecord, options: .overrideMutedMicrophoneInterruption,
                signals: Self.signals(whenStuck: .release)))
    }

    @Test func noAlertsNoInterfaceNoResets() {
        prove(
            Policy(
                category: .record, prefersNoInterruptionsFromSystemAlerts: true, hasPlaybackInterface: false,
                resumesAfterReset: false, pausesOnRouteLoss: false, repeats: .playlist,
                signals: Self.signals(resume: .manual, isAlert: true, whenStuck: .hold)))
    }

    @Test func outlastedInterruptions() {
        prove(
            Policy(
                repeats: .track,
                signals: [
                    SignalPolicy(id: "phone-call", effect: .pause, resumeWithin: .seconds(10)),
                    SignalPolicy(id: "alarm", effect: Self.duck),
                ]),
            .time)
    }

    @Test func speechThatChatters() {
        prove(
            Policy(
                mode: .spokenAudio, resumesAfterReset: false,
                signals: [
                    SignalPolicy(id: "alarm", effect: Self.duck),
                    SignalPolicy(id: "door", effect: Self.duck, resume: .manual, whenStuck: .release),
                ]),
            [.chatter, .volume])
    }

    @Test func signalsWithoutSound() {
        prove(
            Policy(
                signals: [
                    SignalPolicy(id: "ignition", effect: .checkpoint), SignalPolicy(id: "spare", effect: .ignore),
                    SignalPolicy(id: "phone-call", effect: .pause),
                ]),
            .chatter)
    }

    private func prove(_ policy: Policy, _ options: Explorer.Options = []) {
        let report = Explorer(policy: policy, options: options).explore()
        print("explored \(report)")
        #expect(report.violation == nil, "\(report)")
        #expect(report.states > 1_000, "too few states to prove anything")
    }
}
