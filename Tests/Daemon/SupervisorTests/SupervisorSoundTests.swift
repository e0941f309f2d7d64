import ALSA
import AudioSession
import Configuration
import Foundation
import Playback
import Supervisor
import Testing

@testable import Playback
@testable import Supervisor

/// The supervisor's handling of the session's orders for sounds and of the player's reports about them.
@Suite struct SupervisorSoundTests {
    private let world = ScriptedWorld()
    private static let missing = DecoderError(.cannotOpen, "open", "/sounds/gong.wav", message: "No such file")

    private func supervisor(
        file: String = "/sounds/gong.wav", follow: SoundSettings.Follow = .none,
        after predecessor: ScriptedSupervisor? = nil
    ) -> ScriptedSupervisor {
        var configuration = Configuration.builtIn
        configuration.session.signals[1].cue = "siren"
        configuration.session.sounds = [SoundPolicy(id: "siren", repeats: true), SoundPolicy(id: "gong")]
        configuration.sounds = [
            "siren": SoundSettings(file: "/sounds/siren.wav"), "gong": SoundSettings(file: file, follow: follow),
        ]
        configuration.session.autoPlay = true
        let supervisor = ScriptedSupervisor(
            configuration: configuration, tracks: [Track(path: "/music/1")], world: world)
        supervisor.boot(after: predecessor)
        supervisor.settle()
        _ = world.takeCalls()
        return supervisor
    }

    /// The sounds that the player was ordered to play or to stop.
    private var orders: [String] { world.takeCalls().filter { $0.contains("sound") } }

    private func report(_ event: PlaybackEvent, to supervisor: ScriptedSupervisor) -> [Report] {
        let known = world.reports.count
        world.player.events = [event]
        supervisor.settle()
        return Array(world.reports[known...])
    }

    @Test func secondSoundWaitsOnlyForTheRestOfTheAttack() {
        let supervisor = supervisor()
        #expect(supervisor.announce("gong").answer == .success)
        #expect(orders == ["sound 1 as 1 after 0.12 seconds"])
        world.now += .milliseconds(50)
        supervisor.edge(Edge("alarm", asserted: true))
        #expect(orders == ["sound 0 as 2 after 0.07 seconds repeating"])
    }

    @Test func soundAfterAPauseWaitsOnlyForTheFadeOut() {
        let supervisor = supervisor()
        world.now += .seconds(1)
        supervisor.command(.pause)
        world.now += .milliseconds(20)
        _ = supervisor.announce("gong")
        // The sound waits for the fade-out of 60 ms.
        #expect(orders == ["sound 1 as 1 after 0.04 seconds"])
        supervisor.command(.hush)
        world.now += .seconds(1)
        _ = supervisor.announce("gong")
        #expect(orders == ["stop sound", "sound 1 as 2 after 0.0 seconds"])
    }

    @Test func endOfTheSoundEndsTheAnnouncement() {
        let supervisor = supervisor()
        let id = supervisor.announce("gong").id
        let reports = report(.soundEnded(order: 1), to: supervisor)
        #expect(reports.map(\.cause.description) == ["sound ended gong"])
        #expect(reports.first?.notifications == [.soundEnded("gong", id: id)])
        #expect(supervisor.session.directive == .play(.full))
    }

    @Test func announcementThatBreaksOffIsNotReportedAsPlayed() {
        let supervisor = supervisor()
        let id = supervisor.announce("gong").id
        let reports = report(.soundCut(order: 1), to: supervisor)
        #expect(reports.map(\.cause.description) == ["sound broken off gong"])
        #expect(
            reports.first?.notifications == [
                .soundCut("gong", id: id, because: .unreadable), .soundExpired("gong", id: id),
            ])
        #expect(supervisor.session.directive == .play(.full))
        // The next announcement is played.
        let next = supervisor.announce("gong").id
        #expect(report(.soundEnded(order: 2), to: supervisor).first?.notifications == [.soundEnded("gong", id: next)])
    }

    @Test func endOfAReplacedSoundIsIgnored() {
        let supervisor = supervisor()
        _ = supervisor.announce("gong")
        supervisor.edge(Edge("alarm", asserted: true))
        #expect(report(.soundEnded(order: 1), to: supervisor).isEmpty)
        #expect(supervisor.session.dueSound?.sound == "siren" && supervisor.session.waiting == ["gong"])
    }

    @Test func announcementsAreNumberedAcrossAReload() {
        let first = supervisor()
        #expect(first.announce("gong").id == 1 && first.announce("gong").id == 2)
        first.handle(.retire(within: .zero))
        #expect(orders.last == "stop sound")
        let second = supervisor(after: first)
        #expect(second.session.waiting == ["gong"] && second.session.dueSound?.announcement == 1)
        #expect(second.announce("gong").id == 3)
    }

    @Test func waitingAnnouncementExpiresOnTime() {
        let supervisor = supervisor()
        supervisor.edge(Edge("phone-call", asserted: true))
        #expect(supervisor.announce("gong").answer == .deferred)
        #expect(supervisor.deadline == world.now + .seconds(10))
        world.now += .seconds(10)
        supervisor.settle()
        #expect(world.reports.last?.cause.description == "sound expired gong")
        #expect(world.reports.last?.notifications == [.soundExpired("gong", id: 1)])
    }

    // MARK: The volume

    @Test func onlyASoundThatFollowsTheVolumeIsOrderedToChange() throws {
        let quiet = try #require(Level(decibels: -20))
        for follows in [false, true] {
            let supervisor = supervisor(follow: follows ? .volume : .none)
            supervisor.command(.volume(quiet))
            #expect(orders == [])
            _ = supervisor.announce("gong")
            #expect(orders == ["sound 1 as 1 after 0.12 seconds" + (follows ? " at 0.1" : "")])
            supervisor.command(.volume(.mute))
            #expect(orders == (follows ? ["sound at 0.0 over 0.08 seconds"] : []))
            _ = report(.soundEnded(order: 1), to: supervisor)
            _ = world.takeCalls()
            supervisor.command(.volume(.full))
            #expect(orders == [])
        }
    }

    @Test func reloadWithALowerMaximumTurnsTheSoundDown() throws {
        let supervisor = supervisor(follow: .volume)
        _ = supervisor.announce("gong")
        _ = world.takeCalls()
        var limited = supervisor.configuration
        limited.session.maximumVolume = try #require(Level(decibels: -20))
        #expect(supervisor.canAdopt(limited))
        supervisor.adopt(limited)
        #expect(supervisor.session.volume == limited.session.maximumVolume)
        #expect(orders.filter { !$0.contains("read") } == ["sound at 0.1 over 0.08 seconds"])
        // The player was created with sounds that follow the volume.
        limited.sounds["gong"]?.follow = .none
        #expect(!supervisor.canAdopt(limited))
    }

    // MARK: Announcements with their own files

    /// Returns a clip of this length.
    private func clip(_ name: String, _ length: Duration = .seconds(1)) throws -> SoundClip {
        let path = FileManager.default.temporaryDirectory.path + "/\(name)-\(UUID().uuidString).wav"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let format = StreamFormat(rate: 8000, channels: 1)
        let samples = (0..<Int(length / .milliseconds(1)) * 8).map { Int32($0 % 2) << 20 }
        let writer = try AudioFileWriter.create(path, format: format)
        try samples.withUnsafeBufferPointer { buffer in
            if let start = buffer.baseAddress { try writer.write(start, frames: buffer.count) }
        }
        try writer.finish()
        return try SoundClip.load(path, format: format)
    }

    @Test func eachAnnouncementIsHeardWithItsOwnFile() throws {
        let supervisor = supervisor()
        let clips = try ["one", "two", "three"].map { try clip($0) }
        #expect(supervisor.announce("gong", clip: clips[0]).answer == .success)
        #expect(supervisor.announce("gong", clip: clips[1]).answer == .deferred)
        #expect(supervisor.announce("gong").answer == .deferred)
        #expect(supervisor.announce("gong", clip: clips[2]).answer == .deferred)
        for order in 1...4 { _ = report(.soundEnded(order: order), to: supervisor) }
        let wait = ["0.12", "0.0", "0.0", "0.0"]
        #expect(
            orders.filter { $0.hasPrefix("sound") } == [
                "sound 1 with \(clips[0].path) as 1 after \(wait[0]) seconds",
                "sound 1 with \(clips[1].path) as 2 after 0.12 seconds", "sound 1 as 3 after 0.12 seconds",
                "sound 1 with \(clips[2].path) as 4 after 0.12 seconds",
            ])
        #expect(world.reports.compactMap(\.file) == clips.map { AnnouncedFile($0.path) })
    }

    @Test func cutAnnouncementStartsAgainWithItsFile() throws {
        let supervisor = supervisor()
        let clip = try clip("own", .seconds(3))
        _ = supervisor.announce("gong", clip: clip)
        #expect(supervisor.soundEnd == world.now + .milliseconds(3120))
        supervisor.edge(Edge("alarm", asserted: true))
        supervisor.edge(Edge("alarm", asserted: false))
        let own = "sound 1 with \(clip.path) as"
        #expect(orders.filter { $0.hasPrefix(own) }.map { $0.dropFirst(own.count).prefix(2) } == [" 1", " 3"])
    }

    // MARK: Repeated requests and continued sounds

    private func change(_ supervisor: ScriptedSupervisor, _ change: (inout SoundPolicy) -> Void) {
        var configuration = supervisor.configuration
        for sound in configuration.session.sounds.indices { change(&configuration.session.sounds[sound]) }
        supervisor.adopt(configuration)
        _ = world.takeCalls()
    }

    @Test func ignoredRequestHasTheNumberOfThePendingAnnouncement() {
        let supervisor = supervisor()
        change(supervisor) {
            $0.again = .ignore
            $0.once = .seconds(30)
        }
        #expect(supervisor.announce("gong").id == 1)
        let (answer, id) = supervisor.announce("gong")
        #expect(answer == .success && id == 1 && orders.count == 1)
        _ = report(.soundEnded(order: 1), to: supervisor)
        let (late, none) = supervisor.announce("gong")
        #expect(late == .success && none == 0 && orders.filter { $0.hasPrefix("sound") }.isEmpty)
    }

    @Test func restartWaitsOnlyForTheRestOfItsWait() {
        let supervisor = supervisor()
        change(supervisor) { $0.again = .restart }
        _ = supervisor.announce("gong")
        world.now += .milliseconds(50)
        #expect(supervisor.announce("gong").id == 1)
        world.now += .seconds(1)
        #expect(supervisor.announce("gong").id == 1)
        #expect(
            orders == [
                "sound 1 as 1 after 0.12 seconds", "sound 1 as 2 after 0.07 seconds", "sound 1 as 3 after 0.0 seconds",
            ])
    }

    @Test func placeIsKeptUntilTheRequestEndsAndAcrossAReload() throws {
        let first = supervisor()
        change(first) { $0.continues = true }
        _ = first.announce("gong")
        let place = try #require(first.sounds.places[.announcement(1)])
        first.edge(Edge("alarm", asserted: true))
        #expect(first.sounds.places.count == 2 && first.sounds.playing?.place != place.position)
        first.edge(Edge("alarm", asserted: false))
        #expect(first.sounds.places.count == 1 && first.sounds.playing?.place == place.position)
        first.handle(.retire(within: .zero))
        let second = supervisor(after: first)
        #expect(second.sounds.places[.announcement(1)]?.position == place.position)
        second.command(.hush)
        #expect(second.sounds.places.isEmpty)
    }

    @Test func fileIsReleasedHoweverItsAnnouncementEnds() throws {
        let supervisor = supervisor()
        supervisor.edge(Edge("phone-call", asserted: true))
        _ = supervisor.announce("gong", expire: .after(.seconds(1)), clip: try clip("expires"))
        _ = supervisor.announce("gong", expire: .never, clip: try clip("is heard"))
        _ = supervisor.announce("gong", expire: .never, clip: try clip("is hushed"))
        #expect(supervisor.announce("gnog", clip: try clip("is unknown")).answer == .noSuchContent)
        #expect(supervisor.sounds.clips.count == 3)
        world.now += .seconds(1)
        supervisor.settle()
        #expect(supervisor.sounds.clips.count == 2)
        supervisor.edge(Edge("phone-call", asserted: false))
        _ = report(.soundEnded(order: 1), to: supervisor)
        #expect(supervisor.sounds.clips.keys.sorted() == [3])
        supervisor.command(.hush)
        #expect(supervisor.sounds.clips.isEmpty)
    }

    @Test func announcementKeepsItsFileAcrossAReload() throws {
        let first = supervisor()
        let clip = try clip("own")
        let id = first.announce("gong", clip: clip).id
        first.handle(.retire(within: .zero))
        let second = supervisor(after: first)
        #expect(second.sounds.clips == [id: clip] && second.soundEnd != nil)
        _ = report(.soundEnded(order: 1), to: second)
        #expect(second.sounds.clips.isEmpty)
    }

    @Test func hushWithdrawsAnnouncementsWhoseFilesAreLoading() {
        let supervisor = supervisor()
        world.isLoading = true
        #expect(supervisor.command(.hush) == .success)
        #expect(world.reports.last?.answer == .success)
        #expect(supervisor.command(.hush) == .noActionableNowPlayingItem)
    }

    @Test func rejectedFileIsReportedWithItsReasonAndChangesNothing() {
        let supervisor = supervisor()
        let before = supervisor.session
        supervisor.handle(
            .reject(Announcement("gong"), .noSuchContent, AnnouncedFile("/tmp/own.wav", problem: "it is empty")))
        #expect(supervisor.session == before && orders.isEmpty)
        let report = world.reports.last
        #expect(report?.cause.description == "command announce gong" && report?.answer == .noSuchContent)
        #expect(report?.file == AnnouncedFile("/tmp/own.wav", problem: "it is empty"))
    }

    @Test func unreadableSoundIsAFaultOnceAndUntilItCanBeRead() {
        let supervisor = supervisor()
        let unreadable = PlaybackEvent.soundUnreadable(sound: 1, reason: Self.missing)
        #expect(report(unreadable, to: supervisor).map(\.cause.description) == ["fault gong sound"])
        #expect(report(unreadable, to: supervisor).isEmpty)
        #expect(supervisor.announce("gong").answer == .noSuchContent)
        #expect(supervisor.session.faults == [Fault(sound: "gong")])
        let readable = PlaybackEvent.soundReadable(sound: 1, length: .seconds(2))
        #expect(report(readable, to: supervisor).map(\.cause.description) == ["cleared gong sound"])
        #expect(supervisor.announce("gong").answer == .success)
        #expect(supervisor.soundEnd == world.now + .milliseconds(120) + .seconds(2))
    }

    /// The semantics do not define such a fault, so the cue is played and an announcement is accepted.
    @Test func silentSoundIsAProblemButNotAFault() {
        let supervisor = supervisor()
        let silent = DecoderError(.noAudio, "play", "gong.wav", message: "it is silent")
        #expect(report(.soundReadable(sound: 1, length: .seconds(2), defect: silent), to: supervisor).isEmpty)
        #expect(supervisor.soundProblems == ["gong": .inaudible("it is silent")])
        #expect(supervisor.session.faults.isEmpty && supervisor.announce("gong").answer == .success)
        #expect(
            report(.soundUnreadable(sound: 1, reason: Self.missing), to: supervisor).map(\.cause.description)
                == ["fault gong sound"])
        #expect(
            report(.soundReadable(sound: 1, length: .seconds(2), defect: silent), to: supervisor)
                .map(\.cause.description) == ["cleared gong sound"])
        #expect(report(.soundReadable(sound: 1, length: .seconds(2)), to: supervisor).isEmpty)
        #expect(supervisor.soundProblems.isEmpty)
    }

    /// The rest of a long sound is only read while it plays.
    @Test func soundThatBreaksOffIsAProblemUntilItPlaysAgain() {
        let supervisor = supervisor()
        _ = supervisor.announce("gong")
        #expect(report(.soundBroken(sound: 1, reason: Self.missing), to: supervisor).count == 1)
        #expect(supervisor.soundProblems["gong"]?.reason.contains("No such file") == true)
        #expect(supervisor.session.faults.isEmpty && supervisor.soundProblems["gong"]?.isFault == false)
        _ = report(.soundCut(order: 1), to: supervisor)
        #expect(!supervisor.soundProblems.isEmpty)
        _ = supervisor.announce("gong")
        #expect(supervisor.soundProblems.isEmpty)
    }

    @Test func faultOfASoundIsNotReportedAgainAfterAReload() {
        let first = supervisor()
        _ = report(.soundUnreadable(sound: 1, reason: Self.missing), to: first)
        first.handle(.retire(within: .zero))
        let known = world.reports.count
        let second = supervisor(after: first)
        #expect(second.session.faults == [Fault(sound: "gong")])
        #expect(report(.soundUnreadable(sound: 1, reason: Self.missing), to: second).isEmpty)
        #expect(world.reports[known...].allSatisfy { !$0.cause.description.contains("fault") })
        // The fault does not apply to another file.
        second.handle(.retire(within: .zero))
        #expect(supervisor(file: "/sounds/new.wav", after: second).session.faults.isEmpty)
    }

    @Test func reloadReadsTheFilesAgain() {
        let supervisor = supervisor()
        supervisor.adopt(supervisor.configuration)
        #expect(world.takeCalls().contains("read sounds"))
    }

    @Test func announcementsBeyondAFullQueueAreRefused() {
        let supervisor = supervisor()
        let answers = (0..<1000).map { _ in supervisor.announce("gong").answer?.name }
        #expect(answers.first == "success" && answers.filter { $0 == "deferred" }.count == 16)
        #expect(answers.filter { $0 == "commandFailed" }.count == 983)
        #expect(orders.count == 1)
    }
}
