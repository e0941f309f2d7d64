import Configuration
import Foundation
import Playback
import ResumeStore
import SoundLab
import Systemd
import Testing

@testable import Appliance
@testable import AudioSession
@testable import Supervisor

/// Announcements with their own files, on a disk that answers when the test allows it.
@Suite struct FileAnnouncementTests {
    private let lab: ApplianceLab
    private let loop: EventLoop
    private let store: ResumeStore
    private let writer: StateWriter
    private let recording: RecordingControl
    private let bus = Issuer.bus(BusCaller(user: 1000, process: 42))

    init() throws {
        lab = try ApplianceLab()
        loop = try EventLoop()
        recording = RecordingControl(in: loop)
        store = ResumeStore(directory: lab.folder + "/state")
        writer = StateWriter(store)
        for (name, frames) in [("gong", 4800), ("one", 9600), ("two", 14_400), ("three", 19_200)] {
            try TestMusic.writeNumbers(to: path(name), frames: frames)
        }
    }

    private func path(_ name: String) -> String { "\(lab.folder)/\(name).wav" }

    /// A playing installation, with its reports and answers.
    private final class Run {
        let installation: Installation
        var notifications: [SessionNotification] = []
        var reports: [Report] = []
        /// The answers in the order of their arrival.
        var answers: [String] = []

        init(_ installation: Installation) {
            self.installation = installation
            installation.onNews = { [unowned self] news in
                guard case .reported(let report, _) = news else { return }
                reports.append(report)
                notifications += report.notifications
            }
        }

        var rejections: [AnnouncedFile] { reports.compactMap(\.file).filter { $0.problem != nil } }
    }

    private func install(expire: Duration? = .seconds(10), after predecessor: Run? = nil) throws -> Run {
        var configuration = try lab.configuration()
        configuration.session.sounds = [SoundPolicy(id: "gong", expire: expire), SoundPolicy(id: "absent")]
        configuration.sounds = [
            "gong": SoundSettings(file: path("gong")), "absent": SoundSettings(file: path("absent")),
        ]
        let tracks = try Library.load(try #require(configuration.playback.library)).tracks
        let run = Run(
            try Installation(
                configuration, tracks: tracks, health: Health(), store: store, writer: writer, timeout: .zero,
                loop: loop, outputs: OutputLines(lab.host.writer(), in: loop), recording: recording, on: lab.host))
        try run.installation.start(after: predecessor?.installation)
        try loop.turn(
            until: run.installation.context.soundLengths.count + run.installation.context.soundProblems.count == 2,
            or: "sounds")
        return run
    }

    /// Requests an announcement. Its answer follows in `answers`.
    private func announce(_ announcement: Announcement, _ name: String, _ run: Run) {
        run.installation.announce(announcement, file: path(name), from: bus) { answer, id in
            run.answers.append("\(name): \(answer.name) \(id)")
        }
    }

    private func wait(_ run: Run, for answers: Int) throws {
        try loop.turn(until: run.answers.count >= answers, or: "answer, but \(run.answers)")
    }

    private func end(_ run: Run) throws {
        var hasEnded = false
        try run.installation.end(within: .seconds(20)) { hasEnded = true }
        try loop.turn(until: hasEnded, or: "end")
    }

    @Test func announcementIsAnsweredWhenItsFileIsReadAndPlaysEvenIfDeleted() throws {
        let run = try install()
        announce(Announcement("gong"), "one", run)
        // The appliance does not wait for the disk.
        #expect(run.answers.isEmpty)
        try wait(run, for: 1)
        #expect(run.answers == ["one: success 1"])
        unlink(path("one"))
        #expect(run.installation.supervisor.sounds.clips[1]?.length == .milliseconds(200))
        try loop.turn(until: run.notifications.contains(.soundEnded("gong", id: 1)), or: "end of the sound")
        #expect(run.notifications == [.soundBegan("gong", id: 1), .soundEnded("gong", id: 1)])
        #expect(run.reports.compactMap(\.file) == [AnnouncedFile(path("one"))])
        #expect(run.installation.supervisor.sounds.clips.isEmpty)
        try self.end(run)
    }

    @Test func soundWhoseOwnFileIsMissingCanBeHeardWithAnother() throws {
        let run = try install()
        announce(Announcement("absent"), "one", run)
        try wait(run, for: 1)
        #expect(run.answers == ["one: success 1"])
        try end(run)
    }

    @Test func unknownSoundIsRejectedWithoutReadingTheFile() throws {
        let run = try install()
        announce(Announcement("gnog"), "one", run)
        #expect(run.answers == ["one: noSuchContent 0"] && lab.clips.paths.isEmpty)
        try end(run)
    }

    @Test func unreadableFileIsRejectedWithAReason() throws {
        let run = try install()
        announce(Announcement("gong"), "missing", run)
        try wait(run, for: 1)
        #expect(run.answers == ["missing: noSuchContent 0"] && run.notifications.isEmpty)
        let rejection = try #require(run.rejections.first)
        #expect(rejection.path == path("missing") && rejection.problem?.contains("No such file") == true)
        #expect(run.reports.last { $0.file != nil }?.answer == .noSuchContent)
        try end(run)
    }

    @Test func announcementsOfOnePriorityAreHeardInTheOrderOfTheirRequests() throws {
        let run = try install()
        lab.clips.hold()
        for name in ["one", "two", "three"] { announce(Announcement("gong"), name, run) }
        lab.clips.release(path("three"))
        lab.clips.release(path("two"))
        try loop.turn(until: lab.clips.read.count == 2, or: "two files")
        #expect(run.answers.isEmpty)
        lab.clips.release(path("one"))
        try wait(run, for: 3)
        #expect(run.answers == ["one: success 1", "two: deferred 2", "three: deferred 3"])
        try end(run)
    }

    @Test func hushWithdrawsAnnouncementsWhoseFilesAreLoading() throws {
        let run = try install()
        lab.clips.hold()
        announce(Announcement("gong"), "one", run)
        announce(Announcement("gong"), "two", run)
        #expect(run.installation.command(.hush, from: bus) == .success)
        #expect(run.answers == ["one: commandFailed 0", "two: commandFailed 0"])
        #expect(run.installation.command(.hush, from: bus) == .noActionableNowPlayingItem)
        for name in ["one", "two", "three"] { lab.clips.release(path(name)) }
        // A later announcement is not affected, and files that arrive late are not played.
        announce(Announcement("gong"), "three", run)
        try wait(run, for: 3)
        #expect(run.answers.last == "three: success 1")
        #expect(run.notifications == [.soundBegan("gong", id: 1)])
        try end(run)
    }

    @Test func announcementWhoseFileTakesLongerThanItsExpiryIsNeverHeard() throws {
        let run = try install()
        lab.clips.hold()
        announce(Announcement("gong", expire: .after(.milliseconds(20))), "one", run)
        try wait(run, for: 1)
        #expect(run.answers == ["one: noSuchContent 0"])
        #expect(run.rejections.first?.problem == "it was not read in time")
        lab.clips.release(path("one"))
        announce(Announcement("gong"), "two", run)
        lab.clips.release(path("two"))
        try wait(run, for: 2)
        #expect(run.notifications == [.soundBegan("gong", id: 1)])
        try end(run)
    }

    @Test func expiryCountsFromTheRequestAndNotFromTheEndOfTheLoading() throws {
        let run = try install(expire: .seconds(10))
        lab.board.edge(true)
        try loop.turn(until: run.notifications.contains(.began(.default)), or: "call")
        lab.clips.hold()
        let before = run.installation.world.present
        announce(Announcement("gong"), "one", run)
        let after = run.installation.world.present
        lab.clips.release(path("one"))
        try wait(run, for: 1)
        #expect(run.answers == ["one: deferred 1"])
        let expiry = try #require(run.installation.supervisor.session.nextExpiry)
        #expect((before...after).contains(expiry - .seconds(10)))
        lab.board.edge(false)
        try end(run)
    }

    @Test func seventeenthAnnouncementIsRefusedEvenIfOthersAreLoading() throws {
        let run = try install(expire: nil)
        lab.clips.hold()
        for _ in 0..<10 { announce(Announcement("gong"), "one", run) }
        // One announcement is playing, and six are queued.
        for _ in 0..<7 {
            run.installation.announce(Announcement("gong"), file: nil, from: bus) { answer, _ in
                #expect(answer == .success || answer == .deferred)
            }
        }
        announce(Announcement("gong"), "two", run)
        #expect(run.answers == ["two: commandFailed 0"])
        for _ in 0..<10 { lab.clips.release(path("one")) }
        try wait(run, for: 11)
        #expect(run.answers.dropFirst().allSatisfy { $0.hasPrefix("one: deferred ") })
        try end(run)
    }

    @Test func reloadRejectsLoadingAnnouncementsAndKeepsTheRest() throws {
        let run = try install()
        lab.board.edge(true)
        try loop.turn(until: run.notifications.contains(.began(.default)), or: "call")
        announce(Announcement("gong", expire: .never), "one", run)
        try wait(run, for: 1)
        unlink(path("one"))
        lab.clips.hold()
        announce(Announcement("gong"), "two", run)
        try end(run)
        #expect(run.answers == ["one: deferred 1", "two: commandFailed 0"])
        let next = try install(after: run)
        #expect(next.installation.supervisor.sounds.clips.mapValues(\.path) == [1: path("one")])
        lab.board.edge(false)
        try loop.turn(until: next.notifications.contains(.soundEnded("gong", id: 1)), or: "end of the sound")
        #expect(next.notifications.contains(.soundBegan("gong", id: 1)))
        lab.clips.release(path("two"))
        try end(next)
    }
}
