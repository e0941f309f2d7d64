import AudioSession
import Testing

/// Cues and announcements, with the sound to play, its effect on the music, and the reports.
@Suite struct SoundTests {
    private static let gong = SoundID("gong")
    private static let siren = SoundID("siren")

    /// The alarm has a cue and a high priority. The gong ducks, the jingle pauses, and the tick mixes.
    private func fixture(_ change: (inout Policy) -> Void = { _ in }) -> Fixture {
        Fixture {
            $0.signals[1].cue = Self.siren
            $0.signals[1].priority = 90
            $0.sounds = [
                SoundPolicy(id: Self.siren), SoundPolicy(id: Self.gong),
                SoundPolicy(id: "jingle", effect: .pause), SoundPolicy(id: "tick", effect: .mix),
            ]
            change(&$0)
        }
    }

    private func announce(
        _ sound: SoundID, id: Announcement.ID = 1, priority: Int? = nil, expire: Announcement.Expire = .asConfigured
    ) -> Command { .announce(Announcement(sound, id: id, priority: priority, expire: expire)) }

    private func orders(_ fixture: Fixture) -> [SoundOrder] {
        fixture.actions.compactMap { if case .playSound(let order) = $0 { order } else { nil } }
    }

    // MARK: Announcements

    @Test func announcementDucksTheMusicAndIsHeardOnce() {
        var fixture = fixture()
        #expect(fixture.command(announce(Self.gong)) == .success)
        #expect(fixture.notifications == [.soundBegan(Self.gong, id: 1)])
        #expect(fixture.session.directive == .play(Fixture.duckLevel))
        #expect(orders(fixture) == [SoundOrder(sound: Self.gong, announcement: 1, wait: .duckAttack)])
        // A duck by a signal is separate.
        #expect(fixture.session.duckLevel == nil)
        #expect(fixture.handle(.soundEnded) == [.soundEnded(Self.gong, id: 1)])
        #expect(fixture.session.directive == .play(.full) && fixture.session.dueSound == nil)
        #expect(fixture.handle(.soundEnded) == [] && fixture.actions.isEmpty)
    }

    @Test func announcementThatBreaksOffIsCutAndNotRepeated() {
        var fixture = fixture()
        fixture.command(announce(Self.gong))
        fixture.command(announce("tick", id: 2))
        #expect(
            fixture.handle(.soundBroken) == [
                .soundCut(Self.gong, id: 1, because: .unreadable), .soundExpired(Self.gong, id: 1),
                .soundBegan("tick", id: 2),
            ])
        #expect(
            fixture.handle(.soundBroken) == [
                .soundCut("tick", id: 2, because: .unreadable), .soundExpired("tick", id: 2),
            ])
        #expect(fixture.handle(.soundBroken) == [] && fixture.session.directive == .play(.full))
    }

    @Test func cueThatBreaksOffIsCutAndDone() {
        var fixture = fixture()
        fixture.begin(Fixture.alarm)
        #expect(fixture.handle(.soundBroken) == [.soundCut(Self.siren, because: .unreadable)])
        #expect(fixture.session.dueSound == nil)
        fixture.end(Fixture.alarm)
        #expect(fixture.begin(Fixture.alarm).contains(.soundBegan(Self.siren)))
    }

    @Test func announcementWithItsOwnContentDoesNotNeedTheSoundsFile() {
        var fixture = fixture()
        fixture.handle(.soundReadable(Self.gong, false))
        #expect(fixture.command(announce(Self.gong)) == .noSuchContent)
        let own = Announcement(Self.gong, id: 2, hasOwnContent: true)
        #expect(fixture.command(.announce(own)) == .success)
        fixture.handle(.soundReadable(Self.gong, true))
        #expect(fixture.command(announce(Self.gong, id: 3)) == .deferred)
        // Only the announcement that needs the file is dropped.
        #expect(fixture.handle(.soundReadable(Self.gong, false)) == [.soundExpired(Self.gong, id: 3)])
        #expect(fixture.session.dueSound?.announcement == 2 && fixture.session.waiting.isEmpty)
    }

    @Test func pausingAnnouncementIsNotAnInterruptionAndRewindsTheMusic() {
        var fixture = fixture()
        fixture.command(announce("jingle"))
        #expect(fixture.session.directive == .silent && !fixture.session.isInterrupted)
        #expect(fixture.notifications == [.soundBegan("jingle", id: 1)])
        #expect(QuietCause(fixture.session) == .announcement("jingle"))
        #expect(fixture.command(.play) == .deferred)
        fixture.handle(.soundEnded)
        #expect(fixture.actions.contains(.apply(.play(.full), rewinding: true)))
    }

    @Test func duckingAnnouncementPausesSpeech() {
        var fixture = fixture { $0.mode = .spokenAudio }
        fixture.command(announce(Self.gong))
        #expect(fixture.session.directive == .silent && !fixture.session.isInterrupted)
        #expect(orders(fixture).map(\.wait) == [.fadeOut])
    }

    @Test func mixedAnnouncementLeavesTheMusicAndNeverWaits() {
        var fixture = fixture()
        fixture.command(announce("tick"))
        #expect(fixture.session.directive == .play(.full))
        #expect(orders(fixture).map(\.wait) == [SoundOrder.Wait.none])
    }

    @Test func announcementWaitsForACallAndIsHeardAfterIt() {
        var fixture = fixture()
        fixture.begin(Fixture.phone)
        #expect(fixture.command(announce(Self.gong)) == .deferred)
        #expect(fixture.session.waiting == [Self.gong] && fixture.session.dueSound == nil)
        #expect(fixture.end(Fixture.phone) == [.ended(.shouldResume), .soundBegan(Self.gong, id: 1)])
    }

    @Test func announcementThatWaitsTooLongExpires() {
        var fixture = fixture()
        fixture.begin(Fixture.phone)
        fixture.command(announce(Self.gong))
        #expect(fixture.session.deadline == fixture.now + .seconds(10))
        #expect(fixture.session.expiredAnnouncement(by: fixture.now + .seconds(9)) == nil)
        #expect(fixture.handle(.announcementExpired, after: 9) == [])
        #expect(fixture.handle(.announcementExpired, after: 1) == [.soundExpired(Self.gong, id: 1)])
        #expect(fixture.session.deadline == nil)
        #expect(fixture.end(Fixture.phone) == [.ended(.shouldResume)])
    }

    @Test func announcementsThatExpireTogetherAreReportedOneByOneOldestFirst() {
        var fixture = fixture()
        fixture.begin(Fixture.phone)
        fixture.command(announce(Self.gong, id: 1))
        fixture.command(announce("tick", id: 2))
        fixture.now += .seconds(10)
        #expect(fixture.session.expiredAnnouncement(by: fixture.now) == Self.gong)
        #expect(fixture.handle(.announcementExpired) == [.soundExpired(Self.gong, id: 1)])
        #expect(fixture.handle(.announcementExpired) == [.soundExpired("tick", id: 2)])
        #expect(fixture.session.expiredAnnouncement(by: fixture.now) == nil)
    }

    @Test func playingAnnouncementNeverExpires() {
        var fixture = fixture()
        fixture.command(announce(Self.gong))
        #expect(fixture.session.deadline == nil)
        #expect(fixture.handle(.announcementExpired, after: 60) == [])
        #expect(fixture.session.dueSound?.sound == Self.gong)
    }

    @Test func announcementThatACallCutsRestartsUnlessItHasExpired() {
        var fixture = fixture()
        fixture.command(announce(Self.gong))
        #expect(fixture.begin(Fixture.phone) == [.soundCut(Self.gong, id: 1, because: .displaced), .began(.default)])
        #expect(fixture.actions.contains(.stopSound))
        #expect(fixture.end(Fixture.phone) == [.ended(.shouldResume), .soundBegan(Self.gong, id: 1)])
        fixture.now += .seconds(60)
        #expect(
            fixture.begin(Fixture.phone) == [
                .soundCut(Self.gong, id: 1, because: .displaced), .soundExpired(Self.gong, id: 1), .began(.default),
            ])
        #expect(fixture.end(Fixture.phone) == [.ended(.shouldResume)])
    }

    @Test func oldestOfEqualPriorityComesFirstAndTheMusicStaysLowBetween() {
        var fixture = fixture()
        fixture.command(announce(Self.gong, id: 1))
        #expect(fixture.command(announce("jingle", id: 2)) == .deferred)
        #expect(fixture.command(announce(Self.gong, id: 3)) == .deferred)
        #expect(fixture.session.waiting == ["jingle", Self.gong])
        #expect(fixture.handle(.soundEnded) == [.soundEnded(Self.gong, id: 1), .soundBegan("jingle", id: 2)])
        #expect(fixture.session.directive == .silent && orders(fixture).map(\.wait) == [.fadeOut])
        fixture.handle(.soundEnded)
        // The music rises from silence to the ducked level, so the sound only waits for the rest of the last falling
        // ramp.
        #expect(fixture.session.directive == .play(Fixture.duckLevel) && orders(fixture).map(\.wait) == [.remainder])
    }

    @Test func higherPriorityCutsALowerOne() {
        var fixture = fixture()
        fixture.command(announce(Self.gong, id: 1))
        #expect(fixture.command(announce("tick", id: 2, priority: 31)) == .success)
        #expect(
            fixture.notifications == [.soundCut(Self.gong, id: 1, because: .displaced), .soundBegan("tick", id: 2)])
        #expect(fixture.session.directive == .play(.full))
        #expect(fixture.handle(.soundEnded) == [.soundEnded("tick", id: 2), .soundBegan(Self.gong, id: 1)])
    }

    @Test(arguments: [nil, 100]) func limitedAnnouncementDoesNotCutACue(_ priority: Int?) {
        var fixture = fixture {
            $0.signals[1].priority = 50
            $0.sounds[1].priority = 95
        }
        fixture.begin(Fixture.alarm)
        let limited = Announcement(Self.gong, id: 1, priority: priority, maximumPriority: 49)
        #expect(fixture.command(.announce(limited)) == .deferred)
        #expect(fixture.session.dueSound?.sound == Self.siren)
        #expect(fixture.command(announce(Self.gong, id: 2, priority: priority)) == .success)
    }

    @Test func unknownOrUnreadableSoundIsRejectedAsNoSuchContent() {
        var fixture = fixture()
        #expect(fixture.command(announce("gnog")) == .noSuchContent)
        fixture.handle(.soundReadable(Self.gong, false))
        #expect(fixture.command(announce(Self.gong)) == .noSuchContent)
        #expect(fixture.session.faults == [Fault(sound: "gong")])
        fixture.handle(.soundReadable(Self.gong, true))
        #expect(fixture.command(announce(Self.gong)) == .success && fixture.session.faults.isEmpty)
    }

    @Test func announcementsOfASoundThatBecomesUnreadableAreDropped() {
        var fixture = fixture()
        fixture.command(announce(Self.gong, id: 1))
        fixture.command(announce("tick", id: 2))
        fixture.command(announce(Self.gong, id: 3))
        #expect(
            fixture.handle(.soundReadable(Self.gong, false)) == [
                .soundCut(Self.gong, id: 1, because: .unreadable), .soundExpired(Self.gong, id: 1),
                .soundExpired(Self.gong, id: 3),
                .soundBegan("tick", id: 2),
            ])
        #expect(fixture.session.waiting.isEmpty && fixture.session.directive == .play(.full))
    }

    @Test func seventeenthQueuedAnnouncementIsRefused() {
        var fixture = fixture()
        fixture.begin(Fixture.phone)
        for id in 1...16 { #expect(fixture.command(announce(Self.gong, id: UInt64(id), expire: .never)) == .deferred) }
        #expect(fixture.command(announce(Self.gong, id: 17, priority: 100))?.name == "commandFailed")
        fixture.end(Fixture.phone)
        #expect(fixture.command(announce(Self.gong, id: 18, expire: .never)) == .deferred)
        // The announcement that a call cuts may be the 17th.
        fixture.begin(Fixture.phone)
        #expect(fixture.session.waiting.count == 17)
    }

    @Test func hushWithdrawsAllAnnouncementsButNotCues() {
        var fixture = fixture()
        #expect(fixture.command(.hush) == .noActionableNowPlayingItem)
        fixture.command(announce(Self.gong, id: 1))
        fixture.command(announce("tick", id: 2))
        fixture.begin(Fixture.alarm)
        #expect(fixture.command(.hush) == .success)
        #expect(
            fixture.notifications == [
                .soundCut(Self.gong, id: 1, because: .withdrawn), .soundCut("tick", id: 2, because: .withdrawn),
            ])
        #expect(fixture.session.dueSound?.sound == Self.siren && orders(fixture).isEmpty)
        fixture.end(Fixture.alarm)
        fixture.command(announce(Self.gong, id: 3))
        #expect(
            fixture.command(.hush) == .success
                && fixture.notifications == [.soundCut(Self.gong, id: 3, because: .withdrawn)])
        #expect(fixture.actions.contains(.stopSound) && fixture.session.directive == .play(.full))
    }

    // MARK: Repeated requests

    @Test func requestIsIgnoredWhileAnAnnouncementOfTheSoundIsDueOrWaits() {
        var fixture = fixture { $0.sounds[1].again = .ignore }
        #expect(fixture.command(announce(Self.gong, id: 1)) == .success)
        #expect(fixture.command(announce(Self.gong, id: 2)) == .success)
        #expect(fixture.notifications == [] && fixture.session.waiting.isEmpty)
        #expect(fixture.actions.contains(.log(.announcedAlready(Self.gong))))
        fixture.begin(Fixture.phone)
        #expect(fixture.command(announce(Self.gong, id: 3)) == .success)
        #expect(fixture.session.waitingAnnouncements == [1])
        fixture.end(Fixture.phone)
        fixture.handle(.soundEnded)
        #expect(fixture.command(announce(Self.gong, id: 4)) == .success)
        #expect(fixture.notifications == [.soundBegan(Self.gong, id: 4)])
    }

    @Test func requestRestartsTheDueAnnouncementEvenAfterItsExpire() {
        var fixture = fixture {
            $0.sounds[1].again = .restart
            $0.sounds[1].continues = true
        }
        fixture.command(announce(Self.gong, id: 1, expire: .after(.seconds(5))))
        fixture.now += .seconds(60)
        #expect(fixture.command(announce(Self.gong, id: 2)) == .success)
        #expect(
            fixture.notifications == [
                .soundCut(Self.gong, id: 1, because: .restarted), .soundBegan(Self.gong, id: 1),
            ])
        #expect(
            orders(fixture) == [SoundOrder(sound: Self.gong, announcement: 1, wait: .previous, start: .anew)])
        #expect(fixture.session.waiting.isEmpty && fixture.session.directive == .play(Fixture.duckLevel))
    }

    @Test func restartedAnnouncementKeepsTheAgeOfItsRequest() {
        var fixture = fixture { $0.sounds[1].again = .restart }
        fixture.command(announce(Self.gong, id: 1))
        fixture.now += .seconds(9)
        fixture.command(announce(Self.gong, id: 2))
        #expect(orders(fixture).map(\.start) == [.beginning])
        fixture.now += .seconds(2)
        #expect(
            fixture.begin(Fixture.phone) == [
                .soundCut(Self.gong, id: 1, because: .displaced), .soundExpired(Self.gong, id: 1), .began(.default),
            ])
    }

    @Test func requestDoesNotRestartAnAnnouncementThatOnlyWaits() {
        var fixture = fixture { $0.sounds[1].again = .restart }
        fixture.begin(Fixture.phone)
        #expect(fixture.command(announce(Self.gong, id: 1)) == .deferred)
        #expect(fixture.command(announce(Self.gong, id: 2)) == .deferred && fixture.notifications == [])
        #expect(fixture.session.waitingAnnouncements == [1])
        #expect(fixture.session.pendingAnnouncement(of: Self.gong) == 1)
    }

    @Test func ignoredAndRestartingRequestsNeedNoRoom() {
        var fixture = fixture {
            $0.sounds[1].again = .ignore
            $0.sounds[3].again = .restart
        }
        fixture.command(announce("tick", id: 50, priority: 40))
        fixture.command(announce(Self.gong, id: 1))
        for id in 2...16 { fixture.command(announce("jingle", id: UInt64(id))) }
        #expect(fixture.session.waiting.count == 16 && !fixture.session.hasRoomForAnnouncement())
        #expect(fixture.command(announce(Self.gong, id: 51)) == .success)
        #expect(fixture.command(announce("tick", id: 52)) == .success)
        #expect(fixture.notifications.last == .soundBegan("tick", id: 50))
        #expect(fixture.command(announce("jingle", id: 53))?.name == "commandFailed")
        #expect(fixture.session.isAnnouncedAlready(Self.gong, at: fixture.now))
        #expect(!fixture.session.isAnnouncedAlready("jingle", at: fixture.now))
    }

    @Test func ninePressesWithinOnceGiveOneAnnouncement() {
        var fixture = fixture { $0.sounds[1].once = .seconds(30) }
        fixture.command(announce(Self.gong, id: 1))
        for id in 2...9 {
            #expect(fixture.command(announce(Self.gong, id: UInt64(id))) == .success)
            #expect(fixture.notifications == [] && fixture.session.waiting.isEmpty)
            #expect(fixture.actions.contains(.log(.announcedOnce(Self.gong))))
            if id == 3 { fixture.handle(.soundEnded) }
        }
        fixture.now += .seconds(20)
        #expect(fixture.command(announce(Self.gong, id: 10)) == .success)
        #expect(fixture.notifications == [.soundBegan(Self.gong, id: 10)])
        fixture.handle(.soundReadable(Self.gong, false))
        #expect(fixture.command(announce(Self.gong, id: 11)) == .noSuchContent)
    }

    @Test func onceCountsFromTheLastRestart() {
        var fixture = fixture {
            $0.sounds[1].again = .restart
            $0.sounds[1].once = .seconds(2)
        }
        for (seconds, restarts) in [(0, false), (1, false), (2, true), (3, false), (4, true)] {
            fixture.now = .seconds(100 + seconds)
            fixture.command(announce(Self.gong, id: UInt64(seconds + 1)))
            let cut = SessionNotification.soundCut(Self.gong, id: 1, because: .restarted)
            #expect(fixture.notifications.contains(cut) == restarts)
        }
    }

    @Test(arguments: [true, false]) func onceSurvivesAReloadButNotThePower(reloads: Bool) {
        var fixture = fixture { $0.sounds[1].once = .seconds(3600) }
        fixture.command(announce(Self.gong, id: 1))
        fixture.handle(.soundEnded)
        fixture.reboot(continues: reloads, policy: fixture.session.policy)
        fixture.command(announce(Self.gong, id: 2))
        #expect(fixture.notifications == (reloads ? [] : [.soundBegan(Self.gong, id: 2)]))
    }

    // MARK: Continued sounds

    @Test func continuedAnnouncementWaitsWithoutLimitOnceItHasBegun() {
        var fixture = fixture { $0.sounds[1].continues = true }
        fixture.command(announce(Self.gong, id: 1))
        #expect(orders(fixture).map(\.start) == [.position])
        fixture.now += .seconds(60)
        #expect(fixture.begin(Fixture.phone) == [.soundCut(Self.gong, id: 1, because: .displaced), .began(.default)])
        #expect(fixture.session.deadline == nil)
        #expect(fixture.end(Fixture.phone, after: 3600) == [.ended(.shouldResume), .soundBegan(Self.gong, id: 1)])
        #expect(
            fixture.handle(.awoke([]), after: 60) == [
                .soundCut(Self.gong, id: 1, because: .asleep), .soundBegan(Self.gong, id: 1),
            ])
        fixture.handle(.mediaServicesLost)
        fixture.handle(.mediaServicesReset, after: 60)
        #expect(fixture.notifications == [.mediaServicesWereReset, .soundBegan(Self.gong, id: 1)])
    }

    @Test func continuedAnnouncementExpiresBeforeItHasBegun() {
        var fixture = fixture { $0.sounds[1].continues = true }
        fixture.begin(Fixture.phone)
        fixture.command(announce(Self.gong, id: 1))
        #expect(fixture.handle(.announcementExpired, after: 10) == [.soundExpired(Self.gong, id: 1)])
    }

    @Test func requestsOfCuesEndWithTheirSignals() {
        var fixture = fixture { $0.sounds[0].continues = true }
        fixture.begin(Fixture.alarm)
        #expect(orders(fixture).map(\.start) == [.position] && orders(fixture).map(\.signal) == [Fixture.alarm])
        fixture.command(announce(Self.gong, id: 1))
        #expect(fixture.session.soundRequests == [.cue(Fixture.alarm), .announcement(1)])
        fixture.end(Fixture.alarm)
        #expect(fixture.session.soundRequests == [.announcement(1)])
    }

    // MARK: Cues

    @Test func alarmIsHeardDuringACall() {
        var fixture = fixture()
        fixture.begin(Fixture.phone)
        #expect(fixture.begin(Fixture.alarm) == [.duckBegan(Fixture.duckLevel), .soundBegan(Self.siren)])
        #expect(orders(fixture).map(\.wait) == [.remainder])
        #expect(fixture.end(Fixture.alarm) == [.soundCut(Self.siren, because: .released), .duckEnded])
    }

    @Test func cueOfALowerPriorityWaitsForTheCall() {
        var fixture = fixture { $0.signals[1].priority = 49 }
        fixture.begin(Fixture.phone)
        fixture.begin(Fixture.alarm)
        #expect(fixture.session.dueSound == nil)
        #expect(fixture.end(Fixture.phone) == [.ended(.shouldResume), .soundBegan(Self.siren)])
    }

    @Test func noSignalSilencesItsOwnCue() {
        var fixture = fixture { $0.signals[0].cue = Self.gong }
        #expect(fixture.begin(Fixture.phone) == [.began(.default), .soundBegan(Self.gong)])
        #expect(orders(fixture).map(\.wait) == [.fadeOut])
    }

    @Test func cueThatDoesNotRepeatIsHeardOncePerBegin() {
        var fixture = fixture()
        fixture.begin(Fixture.alarm)
        #expect(fixture.handle(.soundEnded) == [.soundEnded(Self.siren)])
        #expect(fixture.begin(Fixture.alarm) == [] && fixture.session.dueSound == nil)
        fixture.end(Fixture.alarm)
        #expect(fixture.begin(Fixture.alarm).contains(.soundBegan(Self.siren)))
    }

    @Test func repeatingCueAndBuiltInToneLastAsLongAsTheSignal() {
        for change in [{ $0.sounds[0].repeats = true }, { _ in }] as [(inout Policy) -> Void] {
            var fixture = fixture(change)
            if !fixture.session.policy.sounds[0].repeats { fixture.handle(.soundReadable(Self.siren, false)) }
            fixture.begin(Fixture.alarm)
            #expect(orders(fixture).map(\.repeats) == [true])
            fixture.end(Fixture.alarm)
            #expect(fixture.notifications.first == .soundCut(Self.siren, because: .released))
        }
    }

    @Test func suppressedOrDroppedSignalHasNoCue() {
        var fixture = fixture {
            $0.signals[1].isAlert = true
            $0.prefersNoInterruptionsFromSystemAlerts = true
        }
        fixture.begin(Fixture.alarm)
        #expect(fixture.session.dueSound == nil)
        fixture = self.fixture()
        fixture.begin(Fixture.alarm)
        fixture.handle(.fault(Fault(Fixture.alarm, .stuck)))
        #expect(fixture.session.dueSound?.sound == Self.siren)
        fixture.command(.play)
        #expect(
            fixture.notifications.contains(.soundCut(Self.siren, because: .released)) && fixture.session.dueSound == nil
        )
    }

    @Test func cuesAtOneInstantAreInOrderOfTheirSignalsNames() {
        var fixture = fixture {
            $0.signals[0].cue = Self.gong
            $0.signals[0].priority = 90
        }
        fixture.handle(.edges([Edge(Fixture.phone, asserted: true), Edge(Fixture.alarm, asserted: true)]))
        #expect(fixture.session.dueSound?.request == .cue(Fixture.alarm))
        fixture.end(Fixture.alarm)
        #expect(fixture.session.dueSound?.request == .cue(Fixture.phone))
    }

    // MARK: The device, power and sleep

    @Test func lostDeviceCutsASoundWhichRestartsAtTheReset() {
        var fixture = fixture()
        fixture.command(announce(Self.gong))
        #expect(
            fixture.handle(.mediaServicesLost) == [
                .soundCut(Self.gong, id: 1, because: .deviceLost), .mediaServicesWereLost,
            ])
        #expect(fixture.command(announce("tick", id: 2)) == .deferred)
        #expect(fixture.handle(.mediaServicesReset) == [.mediaServicesWereReset, .soundBegan(Self.gong, id: 1)])
        #expect(fixture.handle(.configurationChanged) == [.configurationChanged])
        #expect(orders(fixture).isEmpty)
        for event in [Event.command(.pause), .command(.stop), .routeLost] {
            fixture.handle(event)
            #expect(fixture.session.dueSound?.sound == Self.gong)
        }
    }

    @Test func sleepCutsTheSoundAndDropsWhatHasExpired() {
        var fixture = fixture()
        fixture.command(announce(Self.gong, id: 1, expire: .never))
        fixture.command(announce("tick", id: 2))
        #expect(
            fixture.handle(.awoke([]), after: 60)
                == [
                    .soundCut(Self.gong, id: 1, because: .asleep), .soundExpired("tick", id: 2),
                    .soundBegan(Self.gong, id: 1),
                ])
        #expect(orders(fixture).count == 1)
    }

    @Test func announcementsEndWithThePowerAndCuesAreHeardAgain() {
        var fixture = fixture()
        fixture.command(announce("jingle", id: 1))
        fixture.begin(Fixture.alarm)
        fixture.handle(.soundEnded)
        fixture.reboot(lines: [Fixture.alarm: .asserted])
        #expect(fixture.session.dueSound?.request == .cue(Fixture.alarm) && fixture.session.waiting.isEmpty)
        #expect(fixture.notifications.last == .soundBegan(Self.siren))
    }

    @Test func reloadKeepsAnnouncementsAndDoesNotRepeatACue() {
        var fixture = fixture()
        fixture.begin(Fixture.alarm)
        fixture.handle(.soundEnded)
        fixture.command(announce(Self.gong, id: 1))
        fixture.command(announce("tick", id: 2, expire: .never))
        var policy = fixture.session.policy
        policy.sounds.removeLast()
        fixture.reboot(lines: [Fixture.alarm: .asserted], continues: true, policy: policy)
        #expect(
            fixture.notifications == [
                .soundCut(Self.gong, id: 1, because: .reloaded), .soundExpired("tick", id: 2),
                .soundBegan(Self.gong, id: 1),
            ])
    }

    // MARK: Rows and names

    @Test func snapshotNamesThePlayingSoundAndQueuedAnnouncements() throws {
        var fixture = fixture()
        fixture.command(announce(Self.gong, id: 1))
        fixture.command(announce("tick", id: 2))
        let snapshot = Snapshot(fixture.session, track: "one.flac", position: .zero)
        let fields = Dictionary(uniqueKeysWithValues: snapshot.fields.map { ($0.key, $0.value) })
        #expect(fields[.sound] == .text("gong") && fields[.waiting] == .texts(["tick"]))
        #expect(fields[.gain] == .number(-14))
        #expect(try #require(Snapshot(fields: fields)).waiting == ["tick"])
    }

    @Test func notificationsAreReadBackFromTheirDescriptions() {
        for notification in [
            .soundBegan("a b"), .soundEnded("x"), .soundCut("y", because: .unknown), .soundExpired("(z"),
        ]
            as [SessionNotification]
        {
            #expect(SessionNotification(notification.description) == notification)
        }
    }
}
