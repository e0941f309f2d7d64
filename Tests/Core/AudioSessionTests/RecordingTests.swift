import AudioSession
import Testing

/// Recording, as the section Recording of Semantics describes it.
@Suite struct RecordingTests {
    private func recorder(_ change: (inout Policy) -> Void = { _ in }, saved: SavedSession? = nil) -> Fixture {
        Fixture(
            {
                $0.category = .playAndRecord
                $0.recorder = RecorderPolicy()
                change(&$0)
            }, saved: saved)
    }

    @Test func recordsAndStopsOnCommand() {
        var fixture = recorder()
        #expect(fixture.recording == [.off])
        #expect(fixture.command(.record) == .success)
        #expect(fixture.recording == [.on] && fixture.saves == [false])
        #expect(fixture.command(.record) == .success && fixture.recording == [])
        #expect(fixture.command(.stopRecording) == .success && fixture.recording == [.off])
        #expect(fixture.command(.stopRecording) == .noActionableNowPlayingItem)
        #expect(fixture.plays)
    }

    @Test func commandsFailWithoutARecordingCategoryOrRecorder() {
        for category in Policy.Category.allCases {
            for hasRecorder in [false, true] where category == .playback || !hasRecorder {
                var fixture = recorder {
                    $0.category = category
                    if !hasRecorder { $0.recorder = nil }
                }
                #expect(fixture.command(.record)?.name == "commandFailed")
                #expect(fixture.command(.stopRecording)?.name == "commandFailed")
                #expect(!fixture.session.isRecording && fixture.session.saved.wantsRecording == nil)
                fixture.handle(.captureLost)
                #expect(fixture.session.faults == [])
            }
        }
    }

    @Test func interruptionPausesBeforeItIsPosted() throws {
        var fixture = recorder()
        fixture.command(.record)
        #expect(fixture.begin(Fixture.phone) == [.began(.default)])
        let pause = try #require(fixture.actions.firstIndex(of: .record(.paused)))
        let post = try #require(fixture.actions.firstIndex(of: .post(.began(.default))))
        #expect(pause < post)
        #expect(fixture.end(Fixture.phone) == [.ended(.shouldResume)])
        #expect(fixture.recording == [.on])
    }

    @Test func commandsDuringAnInterruptionAffectOnlyTheLastCommandOfRecording() {
        var fixture = recorder()
        fixture.begin(Fixture.phone)
        #expect(fixture.command(.record) == .deferred)
        let episode = fixture.session.episode
        #expect(episode?.recordingWord == .record && episode?.lastCommand == nil)
        #expect(fixture.command(.pause) == .success)
        fixture.end(Fixture.phone)
        #expect(fixture.session.isRecording && !fixture.plays)
        fixture.begin(Fixture.phone)
        #expect(fixture.command(.stopRecording) == .success)
        fixture.command(.play)
        fixture.end(Fixture.phone)
        #expect(!fixture.session.isRecording && fixture.plays)
    }

    @Test func endWithoutRecommendationStopsItUnlessTheUserRecordsOrThereAreNoControls() {
        for (hasInterface, commands, records) in [
            (true, [Command](), false), (true, [.record], true), (true, [.play], false), (false, [], true),
            (false, [.stopRecording], false),
        ] {
            var fixture = recorder {
                $0.hasPlaybackInterface = hasInterface
                $0.signals[0].resume = .manual
            }
            fixture.command(.record)
            fixture.begin(Fixture.phone)
            for command in commands { fixture.command(command) }
            #expect(fixture.end(Fixture.phone) == [.ended([])])
            #expect(fixture.session.isRecording == records, "\(hasInterface) \(commands)")
        }
    }

    @Test func recordDoesNotDropStuckSignals() {
        var fixture = recorder()
        fixture.begin(Fixture.phone)
        fixture.handle(.fault(Fault(Fixture.phone, .stuck)))
        #expect(fixture.command(.record) == .deferred)
        #expect(fixture.session.active == [Fixture.phone])
    }

    @Test func captureDeviceIsDistinguishedFromASignalOfTheSameName() {
        var fixture = recorder { $0.signals.append(SignalPolicy(id: "capture", effect: .ignore)) }
        fixture.handle(.fault(Fault("capture", .lost)))
        #expect(fixture.session.faults.map(\.description) == ["signal capture:lost"])
        fixture.handle(.captureLost)
        #expect(fixture.session.faults.map(\.description) == ["capture:lost", "signal capture:lost"])
        fixture.handle(.cleared(Fault("capture", .lost)))
        #expect(fixture.session.faults == [.capture])
        fixture.handle(.fault(Fault("capture", .stuck)))
        #expect(fixture.session.faults.map(\.description) == ["capture:lost", "capture:stuck"])
    }

    @Test func lostDevicesAffectOnlyTheirOwnHalf() {
        var fixture = recorder()
        fixture.command(.record)
        #expect(fixture.handle(.captureLost) == [])
        #expect(fixture.recording == [.paused] && fixture.plays)
        #expect(fixture.session.faults == [.capture] && fixture.session.faults.map(\.description) == ["capture:lost"])
        fixture.handle(.captureReturned)
        #expect(fixture.recording == [.on] && fixture.session.faults == [])
        fixture.handle(.captureReturned)
        #expect(fixture.noOpReasons == [.captureBackWithoutLoss])
        fixture.handle(.mediaServicesLost)
        #expect(fixture.session.isRecording && !fixture.plays)
    }

    @Test func returnOfTheDeviceWaitsForTheUserWithoutResumeAfterReset() {
        var fixture = recorder { $0.resumesAfterReset = false }
        fixture.command(.record)
        fixture.handle(.captureLost)
        fixture.handle(.captureReturned)
        #expect(!fixture.session.isRecordingWanted)
        fixture.handle(.captureLost)
        #expect(fixture.command(.record) == .deferred)
        fixture.handle(.captureReturned)
        #expect(fixture.session.isRecording)
        // A command during the current episode also has this effect.
        fixture.begin(Fixture.phone)
        fixture.command(.record)
        fixture.handle(.captureLost)
        fixture.handle(.captureReturned)
        fixture.end(Fixture.phone)
        #expect(fixture.session.isRecording)
        fixture.handle(.captureLost)
        fixture.command(.record)
        fixture.command(.stopRecording)
        fixture.handle(.captureReturned)
        #expect(!fixture.session.isRecording)
    }

    @Test func mutedMicrophoneInterruptsUnlessOverridden() {
        var fixture = recorder()
        fixture.command(.record)
        #expect(fixture.begin(Fixture.cover) == [.began(.builtInMicMuted)])
        #expect(!fixture.session.isRecording)
        fixture = recorder { $0.options = .overrideMutedMicrophoneInterruption }
        fixture.command(.record)
        #expect(fixture.begin(Fixture.cover) == [])
        #expect(fixture.session.isRecording && fixture.session.isMicrophoneMuted)
    }

    // MARK: During interruptions

    private func blackBox(_ change: (inout Policy) -> Void = { _ in }) -> Fixture {
        recorder {
            $0.recorder = RecorderPolicy(autoRecord: true, during: .interruptions)
            change(&$0)
        }
    }

    @Test func blackBoxRecordsThroughAnInterruptionAndAResumeDelay() {
        var fixture = blackBox { $0.resumeDelay = .seconds(3) }
        #expect(fixture.session.isRecording)
        #expect(fixture.begin(Fixture.phone) == [.began(.default)])
        #expect(fixture.session.isRecording && fixture.recording == [] && !fixture.plays)
        fixture.end(Fixture.phone)
        #expect(fixture.session.isRecording && fixture.session.isInterrupted)
        fixture.handle(.delayElapsed(.episode), after: 3)
        #expect(fixture.session.isRecording && fixture.recording == [] && fixture.plays)
    }

    @Test func blackBoxContinuesAfterAnEndWithoutRecommendation() {
        var fixture = blackBox { $0.signals[0].resume = .manual }
        fixture.begin(Fixture.phone)
        #expect(fixture.end(Fixture.phone) == [.ended([])])
        #expect(fixture.session.isRecording && !fixture.plays)
        // The same applies if the interruption ends without power.
        fixture.command(.play)
        fixture.begin(Fixture.phone)
        fixture.reboot()
        #expect(fixture.session.isRecording && !fixture.plays)
    }

    @Test func commandsStartAndStopABlackBoxInAnInterruption() {
        var fixture = blackBox()
        fixture.begin(Fixture.phone)
        #expect(fixture.command(.stopRecording) == .success && fixture.recording == [.off])
        #expect(fixture.command(.record) == .success && fixture.recording == [.on])
        fixture.command(.stopRecording)
        fixture.end(Fixture.phone)
        #expect(!fixture.session.isRecordingWanted && fixture.plays)
    }

    @Test func blackBoxRecordsFromABootInAnInterruption() {
        var fixture = blackBox()
        fixture.begin(Fixture.phone)
        fixture.reboot(lines: [Fixture.phone: .asserted])
        #expect(fixture.session.isInterrupted && fixture.session.isRecording)
    }

    @Test func mutedMicrophoneSilencesABlackBoxAndStillInterruptsTheMusic() {
        var fixture = blackBox()
        #expect(fixture.begin(Fixture.cover) == [.began(.builtInMicMuted)])
        #expect(fixture.session.isRecording && fixture.session.isMicrophoneMuted && !fixture.plays)
        #expect(fixture.end(Fixture.cover) == [.ended(.shouldResume)])
        #expect(fixture.session.isRecording && !fixture.session.isMicrophoneMuted && fixture.plays)
    }

    @Test func lostDevicePausesABlackBox() {
        var fixture = blackBox { $0.resumesAfterReset = false }
        fixture.begin(Fixture.phone)
        fixture.handle(.captureLost)
        #expect(fixture.recording == [.paused])
        fixture.handle(.captureReturned)
        #expect(!fixture.session.isRecordingWanted)
        #expect(fixture.command(.record) == .success)
    }

    @Test func otherPolicyAppliesToTheInterruptionInProgress() {
        var fixture = blackBox()
        fixture.begin(Fixture.phone)
        var policy = fixture.session.policy
        policy.recorder?.during = .active
        let pause = fixture.session.adopt(policy, at: .seconds(100))
        #expect(pause?.contains(.record(.paused)) == true)
        policy.recorder?.during = .interruptions
        let again = fixture.session.adopt(policy, at: .seconds(101))
        #expect(again?.contains(.record(.on)) == true)
    }

    @Test func resumeDelayAlsoDelaysRecording() {
        var fixture = recorder { $0.resumeDelay = .seconds(3) }
        fixture.command(.record)
        fixture.begin(Fixture.phone)
        fixture.end(Fixture.phone)
        #expect(!fixture.session.isRecording)
        fixture.handle(.delayElapsed(.episode), after: 3)
        #expect(fixture.session.isRecording)
    }

    @Test func announcementsAndRoutesDoNotAffectIt() {
        var fixture = recorder { $0.sounds = [SoundPolicy(id: "gong", effect: .pause)] }
        fixture.command(.record)
        #expect(fixture.command(.announce(Announcement("gong", id: 1))) == .success)
        #expect(fixture.session.isRecording && !fixture.plays)
        fixture.handle(.routeLost)
        #expect(fixture.session.isRecording)
    }

    @Test func powerCutKeepsIntentAndLastCommandOfRecording() {
        var fixture = recorder()
        fixture.command(.record)
        fixture.reboot()
        #expect(fixture.session.isRecording && fixture.recording == [.on])
        // The call ends without power.
        fixture.begin(Fixture.phone)
        fixture.command(.stopRecording)
        fixture.command(.record)
        fixture.reboot(lines: [Fixture.phone: .asserted])
        let word = fixture.session.episode?.recordingWord
        #expect(fixture.recording == [.paused] && word == .record)
        fixture.reboot()
        #expect(fixture.session.isRecording)
        fixture.reboot(captureAvailable: false)
        #expect(fixture.session.faults == [.capture] && !fixture.session.isRecording)
        fixture.reboot(continues: true, captureAvailable: false)
        #expect(fixture.session.faults == [.capture])
    }

    @Test func autoRecordAppliesWithoutASavedIntent() {
        let auto = { (policy: inout Policy) in policy.recorder = RecorderPolicy(autoRecord: true) }
        #expect(recorder(auto).session.isRecording)
        var withoutRecorder = Fixture()
        let saved = withoutRecorder.session.saved
        #expect(saved.wantsRecording == nil)
        #expect(recorder(auto, saved: saved).session.isRecording)
        var stopped = recorder()
        stopped.command(.stopRecording)
        #expect(!recorder(auto, saved: stopped.session.saved).session.isRecording)
        withoutRecorder.handle(.captureLost)
        #expect(withoutRecorder.session.faults == [])
    }

    @Test func suspensionChangesTheDeviceInOneEvent() {
        var fixture = recorder()
        fixture.command(.record)
        #expect(
            fixture.handle(.awoke([Edge(Fixture.phone, asserted: true)], devices: [.captureLost]))
                == [.began(.appWasSuspended)])
        fixture.handle(.awoke([], devices: [.captureReturned]))
        #expect(!fixture.session.isRecording)
        fixture.end(Fixture.phone)
        #expect(fixture.session.isRecording)
    }
}
