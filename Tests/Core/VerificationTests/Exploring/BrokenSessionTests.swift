import AudioSession
import Testing
import Verification

/// Sessions that are broken on purpose, for which the exploration must find a shortest path to a violation.
@Suite struct BrokenSessionTests {
    private static let phone = SignalID("phone-call")
    private static let alarm = SignalID("alarm")
    private static let policy = Policy(signals: [
        SignalPolicy(id: phone, effect: .pause), SignalPolicy(id: alarm, effect: ExplorationTests.duck),
    ])

    @Test func catchesPlayingDuringACallThatBeganWithoutADevice() {
        let report = explore { session, event, now in
            // This faulty version ignores a signal that begins while the device is lost.
            if case .edge(Edge(Self.phone, asserted: true)) = event, !session.servicesAvailable { return [] }
            return session.handle(event, at: now)
        }
        expect(report, breaks: [1, 5], path: ["boot", "device lost", "assert phone-call"])
    }

    @Test func catchesPlayingAboveTheDuckLevel() {
        let report = explore { session, event, now in
            // This faulty version ignores a duck that begins while the user has paused.
            if case .edge(Edge(Self.alarm, asserted: true)) = event, session.intent == .paused { return [] }
            return session.handle(event, at: now)
        }
        #expect(report.violation?.rule == 2)
        #expect(report.violation?.path.count == 4, "\(report)")
    }

    @Test func catchesAVolumeAboveItsMaximum() {
        var policy = Self.policy
        policy.maximumVolume = Level(decibels: -14) ?? .mute
        let report = explore(policy) { session, event, now in
            // This faulty version limits the volume only while music plays.
            guard event == .command(.volume(.full)), session.directive == .silent else {
                return session.handle(event, at: now)
            }
            var unlimited = session.policy
            unlimited.maximumVolume = .full
            return (session.adopt(unlimited, at: now) ?? []) + session.handle(event, at: now)
        }
        #expect(report.violation?.rule == 2 && report.violation?.what.contains("maximum") == true, "\(report)")
        #expect(Explorer(policy: policy).explore().violation == nil)
    }

    @Test func catchesOverridingTheUser() {
        let report = explore { session, event, now in
            let wasInterrupted = session.isInterrupted
            var actions = session.handle(event, at: now)
            if wasInterrupted, !session.isInterrupted, case .edge = event {
                actions += session.handle(.command(.play), at: now)
            }
            return actions
        }
        expect(
            report, breaks: [3], path: ["assert phone-call", "boot", "command pause", "deassert phone-call"])
    }

    @Test func catchesStayingSilentAfterAReset() {
        let report = explore { session, event, now in
            event == .mediaServicesReset ? [] : session.handle(event, at: now)
        }
        #expect(report.violation?.rule == 4)
    }

    @Test func catchesASecondBegin() {
        let report = explore { session, event, now in
            let actions = session.handle(event, at: now)
            if event == .command(.next), session.isInterrupted { return actions + [.post(.began(.default))] }
            return actions
        }
        #expect(report.violation?.rule == 5)
        #expect(report.violation?.what == "began twice")
    }

    @Test func catchesForgettingDroppedSignalsAtABoot() {
        let report = explore { session, event, now in
            guard case .boot(var boot) = event else { return session.handle(event, at: now) }
            boot.saved?.held = []
            return session.handle(.boot(boot), at: now)
        }
        #expect(report.violation?.rule == 6 || report.violation?.rule == 5, "\(report)")
    }

    @Test func catchesResumingWithoutRecommendation() {
        let manual = Policy(signals: [SignalPolicy(id: Self.phone, effect: .pause, resume: .manual)])
        let report = explore(manual) { session, event, now in
            var actions = session.handle(event, at: now)
            if actions.contains(.post(.ended([]))), session.episode == nil {
                actions += session.handle(.command(.play), at: now)
            }
            return actions
        }
        expect(report, breaks: [14], path: ["assert phone-call", "boot", "deassert phone-call"])
    }

    @Test func catchesPlayingDuringAResumeDelay() {
        let report = explore(delayed) { session, event, now in
            let actions = session.handle(event, at: now)
            guard case .edge(Edge(Self.phone, asserted: false)) = event else { return actions }
            return actions + session.handle(.delayElapsed(.episode), at: now)
        }
        expect(report, breaks: [1], path: ["assert phone-call", "boot", "deassert phone-call"])
    }

    @Test func catchesForgettingAHeldDuck() {
        let report = explore(delayed) { session, event, now in
            let actions = session.handle(event, at: now)
            return actions + (session.isInterrupted ? [] : session.handle(.delayElapsed(.duck), at: now))
        }
        expect(report, breaks: [2], path: ["assert alarm", "boot", "deassert alarm"])
    }

    @Test func catchesADelayedEpisodeThatNeverEnds() {
        let report = explore(delayed) { session, event, now in
            event == .delayElapsed(.episode) ? [] : session.handle(event, at: now)
        }
        #expect(report.violation?.rule == 4, "\(report)")
    }

    private var delayed: Policy {
        var policy = Self.policy
        policy.resumeDelay = .seconds(3)
        return policy
    }

    @Test func catchesACommandThatIsNotSaved() {
        let report = explore { session, event, now in
            let actions = session.handle(event, at: now)
            return event == .command(.pause) ? Self.withoutSaves(actions) : actions
        }
        expect(report, breaks: [6], path: ["boot", "command pause"])
    }

    @Test func catchesABootThatIsNotSaved() {
        let report = explore { session, event, now in
            let actions = session.handle(event, at: now)
            if case .boot = event { return Self.withoutSaves(actions) }
            return actions
        }
        expect(report, breaks: [6], path: ["boot"])
    }

    // MARK: Choices

    private func exploreChoices(
        then ending: ChoiceRequest.Ending, _ handle: @escaping (inout Session, Event, Duration) -> [Action]
    ) -> ExplorationReport {
        Explorer(policy: Self.policy, choices: [ending], behaviour: SessionBehaviour(handle: handle)).explore()
    }

    @Test func catchesTheEndOfAChoiceThatIsNotSaved() {
        let report = exploreChoices(then: .continue) { session, event, now in
            let actions = session.handle(event, at: now)
            return event == .choiceEnded ? Self.withoutSaves(actions) : actions
        }
        expect(report, breaks: [6], path: ["boot", "command play choice", "track ended"])
    }

    @Test func catchesAChoiceThatEndsInSilence() {
        let report = exploreChoices(then: .repeat) { session, event, now in
            // This faulty version loses the tracks together with the choice.
            let actions = session.handle(event, at: now)
            return event == .choiceLost ? actions + session.handle(.tracksAvailable(0), at: now) : actions
        }
        #expect(report.violation?.rule == 4 && report.violation?.path.last == "choice lost", "\(report)")
    }

    @Test func catchesAChoiceThatIsHeardDuringACall() {
        let report = exploreChoices(then: .stop) { session, event, now in
            // This faulty version lets a choice end the call.
            var actions = session.handle(event, at: now)
            if case .command(.choose) = event, session.isInterrupted {
                actions += session.handle(.edge(Edge(Self.phone, asserted: false)), at: now)
            }
            return actions
        }
        #expect(
            [1, 5].contains(report.violation?.rule) && report.violation?.path.last == "command play choice --then stop")
    }

    // MARK: Recording

    private func exploreRecording(
        manual: Bool = false, during: RecorderPolicy.During = .active, announcements: [Announcement] = [],
        _ handle: @escaping (inout Session, Event, Duration) -> [Action]
    ) -> ExplorationReport {
        var policy = Policy(
            category: .record, recorder: RecorderPolicy(during: during),
            signals: Self.policy.signals + [SignalPolicy(id: "cover-closed", effect: .muteMicrophone)])
        if manual { policy.signals[0].resume = .manual }
        if !announcements.isEmpty { policy = ExplorationTests.withSounds(policy) }
        return Explorer(
            policy: policy, options: .recording, announcements: announcements,
            behaviour: SessionBehaviour(handle: handle)
        ).explore()
    }

    @Test func catchesARecordingThatContinuesDuringACall() {
        let report = exploreRecording { session, event, now in
            // This faulty version ignores a signal that begins while it records.
            if case .edge(Edge(Self.phone, asserted: true)) = event, session.isRecording { return [] }
            return session.handle(event, at: now)
        }
        #expect(report.violation?.rule == 13, "\(report)")
        #expect(report.violation?.path == ["boot", "command record", "assert phone-call"])
    }

    @Test func catchesAMicrophoneThatIsNotMuted() {
        let report = exploreRecording { session, event, now in
            if case .edge(Edge("cover-closed", asserted: true)) = event { return [] }
            return session.handle(event, at: now)
        }
        expect(report, breaks: [13], path: ["boot", "assert cover-closed"])
    }

    @Test func catchesARecordingThatOverridesTheUser() {
        let report = exploreRecording { session, event, now in
            var actions = session.handle(event, at: now)
            if event == .captureReturned { actions += session.handle(.command(.record), at: now) }
            return actions
        }
        #expect(report.violation?.rule == 3, "\(report)")
    }

    @Test func catchesASoundThatStartsARecording() {
        let report = exploreRecording(announcements: [ExplorationTests.patient]) { session, event, now in
            session.handle(event, at: now) + (event == .soundEnded ? session.handle(.command(.record), at: now) : [])
        }
        expect(report, breaks: [3], path: ["assert alarm", "boot", "sound ended"])
    }

    @Test func catchesARecordingThatDoesNotContinue() {
        let report = exploreRecording { session, event, now in
            event == .captureReturned ? [] : session.handle(event, at: now)
        }
        #expect(report.violation?.rule == 4, "\(report)")
    }

    @Test func catchesARecordingThatIsLostAtBoot() {
        let report = exploreRecording { session, event, now in
            guard case .boot(var boot) = event else { return session.handle(event, at: now) }
            boot.saved?.wantsRecording = nil
            return session.handle(.boot(boot), at: now)
        }
        #expect(report.violation?.rule == 6, "\(report)")
    }

    @Test func catchesRecordingWithoutRecommendation() {
        let report = exploreRecording(manual: true) { session, event, now in
            let wanted = session.isRecordingWanted
            var actions = session.handle(event, at: now)
            if actions.contains(.post(.ended([]))), wanted {
                actions += session.handle(.command(.record), at: now)
            }
            return actions
        }
        #expect([3, 14].contains(report.violation?.rule), "\(report)")
    }

    @Test func catchesABlackBoxThatPausesDuringACall() {
        let report = exploreRecording(during: .interruptions) { session, event, now in
            let actions = session.handle(event, at: now)
            guard case .boot = event else { return actions }
            var policy = session.policy
            policy.recorder?.during = .active
            return actions + (session.adopt(policy, at: now) ?? [])
        }
        #expect(report.violation?.rule == 4, "\(report)")
        #expect(report.violation?.path.count == 3, "\(report)")
    }

    @Test func catchesABlackBoxThatAnInterruptionEnds() {
        let report = exploreRecording(manual: true, during: .interruptions) { session, event, now in
            let actions = session.handle(event, at: now)
            guard actions.contains(.post(.ended([]))) else { return actions }
            return actions + session.handle(.command(.stopRecording), at: now)
        }
        #expect(report.violation?.rule == 4, "\(report)")
        #expect(report.violation?.what == "recording is no longer wanted, although the user did not stop it")
    }

    @Test func catchesABlackBoxThatABootEnds() {
        let report = exploreRecording(manual: true, during: .interruptions) { session, event, now in
            let actions = session.handle(event, at: now)
            guard case .boot = event, actions.contains(.post(.ended([]))) else { return actions }
            return actions + session.handle(.command(.stopRecording), at: now)
        }
        #expect(report.violation?.rule == 4, "\(report)")
        #expect(report.violation?.path.last == "boot", "\(report)")
    }

    @Test func catchesABlackBoxThatIsNotMuted() {
        let report = exploreRecording(during: .interruptions) { session, event, now in
            if case .edge(Edge("cover-closed", asserted: true)) = event { return [] }
            return session.handle(event, at: now)
        }
        expect(report, breaks: [13], path: ["boot", "assert cover-closed"])
    }

    // MARK: Sounds

    /// The explorer judges by `withSounds`, whereas the session uses the policy that `change` makes of it.
    private func exploreSounds(changing change: @escaping (inout Policy) -> Void) -> ExplorationReport {
        exploreSounds { session, event, now in
            var actions = session.handle(event, at: now)
            if case .boot = event {
                var policy = session.policy
                change(&policy)
                actions += session.adopt(policy, at: now) ?? []
            }
            return actions
        }
    }

    private func exploreSounds(
        _ handle: @escaping (inout Session, Event, Duration) -> [Action]
    ) -> ExplorationReport {
        Explorer(
            policy: ExplorationTests.withSounds(Self.policy),
            announcements: [ExplorationTests.patient, ExplorationTests.impatient],
            behaviour: SessionBehaviour(handle: handle)
        ).explore()
    }

    @Test func catchesAnAnnouncementDuringACall() {
        let report = exploreSounds { $0.signals[0].priority = 0 }
        #expect(report.violation?.rule == 8, "\(report)")
        #expect(report.violation?.path.count == 3)
    }

    @Test func catchesMusicThatIsNotLoweredForASound() {
        let report = exploreSounds { $0.sounds[1].effect = .mix }
        expect(report, breaks: [9], path: ["boot", "command announce gong"])
    }

    @Test func catchesAnAlarmWithoutItsCue() {
        expect(exploreSounds { $0.signals[1].cue = nil }, breaks: [10], path: ["assert alarm", "boot"])
    }

    @Test func catchesACueThatIsNeverDone() {
        let report = exploreSounds { $0.sounds[0].repeats = true }
        #expect(report.violation?.rule == 10, "\(report)")
    }

    @Test func catchesAnAnnouncementThatIsHeardTwice() {
        let report = exploreSounds { session, event, now in
            let due = session.dueSound
            var actions = session.handle(event, at: now)
            if event == .soundEnded, let due, due.isAnnouncement {
                actions += session.handle(.command(.announce(ExplorationTests.patient)), at: now)
            }
            return actions
        }
        #expect(report.violation?.rule == 11, "\(report)")
    }

    @Test func catchesAnAnnouncementThatOutlivesItsExpire() {
        let report = exploreSounds { session, event, now in
            event == .announcementExpired ? [] : session.handle(event, at: now)
        }
        #expect(report.violation?.rule == 11, "\(report)")
    }

    @Test func catchesAnAnnouncementThatIsForgotten() {
        let report = exploreSounds { session, event, now in
            var actions = session.handle(event, at: now)
            if event == .mediaServicesLost { actions += session.handle(.command(.hush), at: now) }
            return actions
        }
        #expect(report.violation?.rule == 11, "\(report)")
    }

    /// The explorer judges by one policy of the gong, whereas the session uses another.
    private func exploreGong(
        _ required: (inout SoundPolicy) -> Void, but actual: @escaping (inout SoundPolicy) -> Void
    ) -> ExplorationReport {
        var policy = ExplorationTests.withSounds(Self.policy)
        required(&policy.sounds[1])
        return Explorer(
            policy: policy, commands: [.play], announcements: [ExplorationTests.patient, ExplorationTests.impatient],
            behaviour: SessionBehaviour(handle: { session, event, now in
                var actions = session.handle(event, at: now)
                if case .boot = event {
                    var policy = session.policy
                    actual(&policy.sounds[1])
                    actions += session.adopt(policy, at: now) ?? []
                }
                return actions
            })
        ).explore()
    }

    @Test func catchesARequestThatIsNotIgnored() {
        for report in [
            exploreGong({ $0.again = .ignore }, but: { $0.again = .queue }),
            exploreGong({ $0.once = .seconds(30) }, but: { $0.once = .zero }),
        ] {
            #expect(report.violation?.rule == 11, "\(report)")
            #expect(report.violation?.path == ["boot", "command announce gong", "command announce gong"])
        }
    }

    @Test func catchesAContinuedAnnouncementThatExpires() {
        let report = exploreGong({ $0.continues = true }, but: { $0.continues = false })
        #expect(report.violation?.rule == 11, "\(report)")
        #expect(report.violation?.what == "an announcement is lost")
    }

    private static func withoutSaves(_ actions: [Action]) -> [Action] {
        actions.filter { if case .save = $0 { false } else { true } }
    }

    @Test func catchesDependenceOnTheOrderOfReading() {
        let manual = Policy(signals: [
            SignalPolicy(id: Self.phone, effect: .pause, resume: .manual),
            SignalPolicy(id: "cover-closed", effect: .pause),
        ])
        let report = Explorer(policy: manual, behaviour: SessionBehaviour(order: { $0 })).explore()
        #expect(report.violation?.rule == 7, "\(report)")
    }

    private func explore(
        _ policy: Policy = policy, _ handle: @escaping (inout Session, Event, Duration) -> [Action]
    ) -> ExplorationReport {
        let report = Explorer(policy: policy, behaviour: SessionBehaviour(handle: handle)).explore()
        print("caught: \(report)")
        return report
    }

    private func expect(_ report: ExplorationReport, breaks rules: Set<Int>, path: [String]) {
        guard let violation = report.violation else {
            Issue.record("no violation was found: \(report)")
            return
        }
        #expect(rules.contains(violation.rule), "\(report)")
        #expect(Set(violation.path) == Set(path) && violation.path.count == path.count, "\(report)")
    }
}
