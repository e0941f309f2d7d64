import AudioSession
import Effort
import Testing
import Verification

/// The rules in every reachable state, for policies that together use every property of a signal.
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

    static let patient = Announcement("gong", id: 0, expire: .never)
    static let impatient = Announcement("gong", id: 1, expire: .after(.zero))

    /// Returns the policy with a cue for its last signal and a sound to announce.
    static func withSounds(_ policy: Policy, gong: SoundPolicy.Effect = .pause, repeats: Bool = false) -> Policy {
        var policy = policy
        policy.sounds = [SoundPolicy(id: "siren", repeats: repeats), SoundPolicy(id: "gong", effect: gong)]
        let alarm = policy.signals.firstIndex { $0.id == "alarm" } ?? policy.signals.count - 1
        policy.signals[alarm].cue = "siren"
        policy.signals[alarm].priority = 90
        return policy
    }

    /// A session does not distinguish `playAndRecord` from `record` (see `exploresTheExpectedNumberOfStates`).
    @Test(
        arguments: Effort.casesInTurn([
            (Policy.Category.playback, SignalPolicy.WhenStuck.hold), (.record, .hold), (.record, .release),
            (.playback, .release),
        ]))
    func rulesHoldForThreeSignals(category: Policy.Category, whenStuck: SignalPolicy.WhenStuck) {
        prove(Policy(category: category, signals: Self.signals(whenStuck: whenStuck)))
    }

    @Test(.enabled(if: Effort.isDue(1))) func rulesHoldWithManualResume() {
        prove(Policy(category: .playAndRecord, signals: Self.signals(resume: .manual, whenStuck: .hold)))
    }

    @Test(.enabled(if: Effort.isDue(2))) func rulesHoldWithOverriddenMutedMicrophone() {
        prove(
            Policy(
                category: .playAndRecord, options: .overrideMutedMicrophoneInterruption,
                signals: Self.signals(whenStuck: .release)))
    }

    @Test(.enabled(if: Effort.isDue(0))) func rulesHoldWithoutAlertsInterfaceAndResumingAfterResets() {
        prove(
            Policy(
                category: .record, prefersNoInterruptionsFromSystemAlerts: true, hasPlaybackInterface: false,
                resumesAfterReset: false, pausesOnRouteLoss: false, repeats: .playlist,
                signals: Self.signals(resume: .manual, isAlert: true, whenStuck: .hold)))
    }

    @Test(arguments: SignalPolicy.Resume.allCases, Effort.casesInTurn([true, false]))
    func rulesHoldForRecording(resume: SignalPolicy.Resume, resumesAfterReset: Bool) {
        proveRecording(
            Policy(
                category: .record, resumesAfterReset: resumesAfterReset, recorder: RecorderPolicy(autoRecord: true),
                signals: Self.signals(resume: resume, whenStuck: .release)))
    }

    /// No sound affects a recording, and no recording affects a sound.
    @Test(.enabled(if: Effort.isDue(1))) func rulesHoldForRecordingWithSounds() {
        prove(
            Policy(
                category: .playAndRecord, recorder: RecorderPolicy(autoRecord: true),
                signals: Self.signals(resume: .manual, whenStuck: .release)),
            .recording, commands: Self.commandsForRecording)
    }

    /// The three endings differ only after the last track, and together they have three times as many states.
    @Test(arguments: Effort.casesInTurn(ChoiceRequest.Ending.allCases), Effort.cases([true, false]))
    func rulesHoldForChoices(then: ChoiceRequest.Ending, resumesAfterReset: Bool) {
        let policy = Policy(
            resumesAfterReset: resumesAfterReset, signals: Self.signals(resume: .manual, whenStuck: .hold))
        let report = Explorer(policy: policy, options: .fixedRoute, choices: [then]).explore()
        #expect(report.violation == nil && report.isComplete, "\(report)")
        #expect(report.states > 20_000, "\(report)")
    }

    @Test func rulesHoldForRecordingWithDelayOverrideAndWithoutControls() {
        proveRecording(
            Policy(
                category: .record, options: .overrideMutedMicrophoneInterruption, hasPlaybackInterface: false,
                resumeDelay: .seconds(3), recorder: RecorderPolicy(),
                signals: Self.signals(resume: .manual, whenStuck: .hold)))
    }

    @Test(arguments: Effort.cases([true, false]))
    func rulesHoldForRecordingDuringInterruptions(resumesAfterReset: Bool) {
        proveRecording(
            Policy(
                category: .playAndRecord, resumesAfterReset: resumesAfterReset, resumeDelay: .seconds(3),
                recorder: RecorderPolicy(during: .interruptions),
                signals: Self.signals(resume: .manual, whenStuck: .release)))
    }

    @Test func rulesOfRecordingFollowThePolicy() {
        var policy = Policy(category: .record, recorder: RecorderPolicy(), signals: [])
        func texts() -> [String] { [4, 13, 14].map { ExplorationReport.text(ofRule: $0, under: policy) } }
        let usual = texts()
        #expect(usual == ExplorationReport.rules.filter { [4, 13, 14].contains($0.number) }.map(\.text))
        policy.recorder?.during = .interruptions
        #expect(Set(texts()).isDisjoint(with: usual))
        #expect(texts()[1].contains("During=interruptions") && !texts()[2].contains("recording"))
        // A category that does not record has no such recording.
        policy.category = .playback
        #expect(texts() == usual)
    }

    @Test func rulesHoldWithOutlastedResumeWithin() {
        prove(
            Policy(
                repeats: .track,
                signals: [
                    SignalPolicy(id: "phone-call", effect: .pause, resumeWithin: .seconds(10)),
                    SignalPolicy(id: "alarm", effect: Self.duck),
                ]),
            .time)
    }

    /// Sounds and lines that chatter are explored separately. Together, they have more than twice as many states.
    @Test(.enabled(if: Effort.isDue(1)), arguments: SignalPolicy.Resume.allCases, [true, false])
    func rulesHoldWithResumeDelay(resume: SignalPolicy.Resume, hasSounds: Bool) throws {
        let low = try #require(Level(decibels: -30))
        prove(
            Policy(
                category: .record, resumesAfterReset: false, resumeDelay: .seconds(3),
                signals: [
                    SignalPolicy(id: "phone-call", effect: .pause, resume: resume, whenStuck: .release),
                    SignalPolicy(id: "alarm", effect: Self.duck), SignalPolicy(id: "door", effect: .duck(low)),
                ]),
            hasSounds ? [] : .chatterOfOne, hasSounds: hasSounds)
    }

    @Test func rulesHoldForSpeechWithChatter() {
        prove(
            Policy(
                mode: .spokenAudio, resumesAfterReset: false,
                signals: [
                    SignalPolicy(id: "alarm", effect: Self.duck),
                    SignalPolicy(id: "door", effect: Self.duck, resume: .manual, whenStuck: .release),
                ]),
            .chatter)
    }

    @Test func rulesHoldForSpeechWithResumeDelayAndVolume() {
        prove(
            Policy(
                mode: .spokenAudio, resumeDelay: .seconds(3),
                signals: [
                    SignalPolicy(id: "phone-call", effect: .pause), SignalPolicy(id: "alarm", effect: Self.duck),
                ]),
            .volume)
    }

    @Test func alertWithoutEffectIsNotSuppressed() {
        let signals = [Effect.checkpoint, .ignore, .pause].enumerated().map { number, effect in
            SignalPolicy(id: SignalID("s\(number)"), effect: effect, isAlert: true)
        }
        let policy = Policy(prefersNoInterruptionsFromSystemAlerts: true, signals: signals)
        let report = Explorer(policy: policy, stuck: []).explore()
        #expect(report.violation == nil, "\(report)")
        #expect(report.findings.signals.map(\.isEverActive) == [true, true, false])
    }

    @Test func rulesHoldForSignalsWithoutEffectOnTheMusic() {
        prove(
            Policy(
                signals: [
                    SignalPolicy(id: "ignition", effect: .checkpoint), SignalPolicy(id: "spare", effect: .ignore),
                    SignalPolicy(id: "phone-call", effect: .pause),
                ]),
            .chatterOfOne)
    }

    /// Other numbers mean that the reachable states have changed.
    @Test(
        .enabled(if: Effort.isExhaustive),
        arguments: Effort.casesInTurn([
            (Policy.Category.playback, 10_881, 181_904), (.record, 20_641, 344_736), (.playAndRecord, 20_641, 344_736),
        ]))
    func exploresTheExpectedNumberOfStates(category: Policy.Category, states: Int, transitions: Int) {
        let report = Explorer(policy: Policy(category: category, signals: Self.signals(whenStuck: .hold))).explore()
        #expect(report.states == states && report.transitions == transitions, "\(report)")
    }

    @Test(.enabled(if: Effort.isDue(2))) func rulesHoldForFourSignalsWithChatterOfOne() {
        let fourth = SignalPolicy(id: "door-open", effect: .pause, resume: .manual)
        let policy = Policy(category: .playAndRecord, signals: Self.signals(whenStuck: .hold) + [fourth])
        let report = Explorer(policy: policy, options: .chatterOfOne, stuck: []).explore()
        #expect(report.violation == nil && report.isComplete, "\(report)")
        #expect(report.states == 73_281 && report.transitions == 1_413_824, "\(report)")
        #expect(report.findings.signals.map(\.isEverActive) == [true, true, true, true])
        #expect(report.findings.signals.map(\.changesSound) == [true, true, true, true])
    }

    @Test(
        .enabled(if: Effort.isExhaustive),
        arguments: Effort.casesInTurn([
            (SoundPolicy.Effect.duck(Level(decibels: -20) ?? .mute), false), (.pause, true), (.mix, false),
        ]))
    func rulesHoldForEveryEffectOfAnAnnouncement(effect: SoundPolicy.Effect, cueRepeats: Bool) {
        let signals = Self.signals(whenStuck: .release).dropLast()
        let policy = Self.withSounds(Policy(signals: Array(signals)), gong: effect, repeats: cueRepeats)
        let report = Explorer(policy: policy, announcements: [Self.patient, Self.impatient]).explore()
        #expect(report.violation == nil && report.isComplete, "\(report)")
        #expect(report.states > 1_000, "too few states to prove anything")
    }

    @Test(arguments: SoundPolicy.Again.allCases, [true, false])
    func rulesHoldForRepeatedRequestsAndContinuedSounds(again: SoundPolicy.Again, continues: Bool) {
        let signals = Self.signals(whenStuck: .release).dropLast()
        var policy = Self.withSounds(Policy(signals: Array(signals)))
        for sound in policy.sounds.indices {
            policy.sounds[sound].again = again
            policy.sounds[sound].continues = continues
            // Every other case also has `Once=`.
            policy.sounds[sound].once = continues ? .zero : .seconds(30)
        }
        let report = Explorer(
            policy: policy, options: continues ? [] : .time, stuck: [], commands: [.play, .pause],
            announcements: [Self.patient, Self.impatient]
        ).explore()
        #expect(report.violation == nil && report.isComplete, "\(report)")
        #expect(report.states > 300, "too few states to prove anything: \(report)")
    }

    @Test func tooManySignalsAreReportedAsIncomplete() {
        let signals = (0...Explorer.maximumSignals).map { SignalPolicy(id: SignalID("s\($0)"), effect: .pause) }
        let explorer = Explorer(policy: Policy(signals: signals))
        #expect(!explorer.explore().isComplete && explorer.silences() == nil)
    }

    @Test func explorationStopsOnRequest() throws {
        let policy = Policy(hasPlaybackInterface: false, signals: Self.signals(whenStuck: .hold))
        var questions = 0
        let explorer = Explorer(
            policy: policy,
            shouldStop: { states in
                questions += 1
                return states > 1_000
            })
        let report = explorer.explore()
        #expect(!report.isComplete && report.violation == nil)
        // One state has no more than about ten successors, so the exploration ends soon after the limit.
        #expect((1_001..<20_000).contains(report.states), "\(report.states)")
        #expect(questions > 1)
        #expect(explorer.silences() == nil)
    }

    /// After the last state, there are still passes over all transitions.
    @Test func searchForSilencesStopsOnRequestAfterTheLastState() {
        let policy = Policy(hasPlaybackInterface: false, signals: Array(Self.signals(whenStuck: .hold).prefix(1)))
        var questions = 0
        var most = Int.max
        let explorer = Explorer(
            policy: policy,
            shouldStop: { _ in
                questions += 1
                return questions > most
            })
        let report = explorer.explore()
        #expect(report.isComplete)
        let asked = questions
        questions = 0
        #expect(explorer.silences() != nil && questions > asked)
        (most, questions) = (asked, 0)
        #expect(explorer.silences() == nil)
    }

    /// Commands that change the track do not affect a recording.
    private static let commandsForRecording: [Command] = [.play, .pause, .playPause, .stop]

    /// Explores recording without sounds.
    private func proveRecording(_ policy: Policy) {
        prove(policy, .recording, commands: Self.commandsForRecording, hasSounds: false)
    }

    /// Explores a policy, usually with an alarm's cue and with an announcement that can expire at any time. This has
    /// several times as many states, so a debug build tries it only with two signals.
    private func prove(
        _ policy: Policy, _ options: Explorer.Options = [], commands: [Command]? = nil, hasSounds: Bool = true
    ) {
        let hasSounds = hasSounds && (Effort.isExhaustive || policy.signals.count < 3 && options.isEmpty)
        let report = Explorer(
            policy: hasSounds ? Self.withSounds(policy) : policy, options: options, commands: commands,
            announcements: hasSounds ? [Self.impatient] : []
        ).explore()
        print("explored \(report)")
        #expect(report.violation == nil && report.isComplete, "\(report)")
        #expect(report.states > 1_000, "too few states to prove anything")
    }
}
