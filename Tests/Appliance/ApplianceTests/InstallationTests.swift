import AudioSession
import Configuration
import Playback
import ResumeStore
import Supervisor
import Systemd
import Testing

@testable import Appliance

@Suite struct InstallationTests {
    private let lab: ApplianceLab
    private let loop: EventLoop
    private let store: ResumeStore
    private let writer: StateWriter

    init() throws {
        lab = try ApplianceLab()
        loop = try EventLoop()
        store = ResumeStore(directory: lab.folder + "/state")
        writer = StateWriter(store)
    }

    /// An installation and what it reports.
    private final class Watched {
        let installation: Installation
        private(set) var reports: [Report] = []
        private let loop: EventLoop

        init(_ installation: Installation, _ loop: EventLoop) {
            self.installation = installation
            self.loop = loop
            // The owner of the installation.
            installation.onReport = { [unowned self] report, _ in reports.append(report) }
        }

        var notifications: [SessionNotification] { reports.flatMap(\.notifications) }
        var happenings: [Happening] { reports.map(\.happening) }
        var directive: Directive { installation.scene.session.directive }

        func wait(_ what: String, until condition: (Watched) -> Bool) throws {
            try loop.turn(until: condition(self), or: "\(what), but \(reports)")
        }

        func waitUntilItPlays() throws {
            try wait("playback") { $0.directive == .play(.full) && $0.installation.scene.position ?? .zero > .zero }
        }

        func end() throws {
            var ends = 0
            try installation.end(within: .seconds(20)) { ends += 1 }
            try wait("end") { _ in ends > 0 }
            #expect(ends == 1 && installation.isEnding)
        }
    }

    private func install(_ text: String = "", after predecessor: Installation? = nil) throws -> Watched {
        let configuration = try lab.configuration(text)
        let tracks = try Library.load(try #require(configuration.playback.library)).tracks
        let installation = try Installation(
            configuration, tracks: tracks, health: Health(), store: store, writer: writer, patience: .zero,
            loop: loop, on: lab.host)
        let watched = Watched(installation, loop)
        try installation.start(after: predecessor)
        return watched
    }

    @Test func pausesWhileTheLineIsAssertedAndResumes() throws {
        let watched = try install()
        try watched.waitUntilItPlays()
        lab.board.edge(true)
        try watched.wait("interruption") { $0.directive == .silent }
        #expect(watched.notifications == [.began(.default)])
        #expect(watched.installation.heldLines.map(\.level) == [true, false])
        lab.board.edge(false)
        try watched.wait("end of it") { $0.directive == .play(.full) }
        #expect(watched.notifications == [.began(.default), .ended(.shouldResume)])
        try watched.end()
    }

    @Test func staysSilentWhileTheLineIsAssertedAtItsStart() throws {
        lab.board.edge(true)
        let watched = try install()
        #expect(watched.directive == .silent && watched.installation.scene.session.intent == .playing)
        lab.board.edge(false)
        try watched.waitUntilItPlays()
        #expect(watched.happenings.first == .boot)
        #expect(watched.happenings.contains(.edge(Edge("phone-call", asserted: false))))
        try watched.end()
    }

    @Test func aPressedButtonSendsItsCommand() throws {
        let watched = try install()
        try watched.waitUntilItPlays()
        for level in [true, false] { lab.board.edge(level, of: "PLAY") }
        lab.board.edge(true, of: "PLAY")
        try watched.wait("command") { $0.happenings.contains(.command(.playPause)) }
        #expect(watched.installation.scene.session.intent == .paused)
        // It bounced before it was pressed: one command.
        lab.board.edge(true)
        try watched.wait("edge") { $0.happenings.contains(.edge(Edge("phone-call", asserted: true))) }
        #expect(watched.happenings.filter { $0 == .command(.playPause) }.count == 1)
        try watched.end()
    }

    @Test func answersCommandsAndRejectsNothingItCanDo() throws {
        let watched = try install()
        #expect(watched.installation.command(.pause, from: .bus(BusCaller())) == .success)
        #expect(watched.directive == .silent)
        lab.board.edge(true)
        try watched.wait("edge") { $0.happenings.contains(.edge(Edge("phone-call", asserted: true))) }
        #expect(watched.installation.command(.play, from: .bus(BusCaller())) == .deferred)
        #expect(watched.directive == .silent && watched.installation.scene.session.intent == .playing)
        try watched.end()
    }

    @Test func aLostLineIsAFaultUntilItsChipReturns() throws {
        let watched = try install()
        try watched.waitUntilItPlays()
        lab.board.unplug()
        let lost = Fault("phone-call", .lost)
        try watched.wait("fault") { $0.happenings.contains(.fault(lost)) }
        #expect(watched.installation.heldLines.isEmpty)
        #expect(watched.installation.health.buttons.count == 1)
        #expect(watched.installation.situation.places["phone-call"] == nil)
        lab.board.hasChip = true
        watched.installation.chipsMayHaveChanged()
        try watched.wait("return") { $0.happenings.contains(.cleared(lost)) }
        try watched.wait("button") { $0.installation.health.buttons.isEmpty }
        #expect(watched.installation.heldLines.count == 2)
        #expect(watched.installation.situation.places["phone-call"]?.line.name == "CALL")
        try watched.end()
    }

    @Test func savesItsStateAndReleasesItsLinesAtTheEnd() throws {
        let watched = try install("[Signal phone-call]\nDebounce=0s\n")
        try watched.waitUntilItPlays()
        var ends = 0
        try watched.installation.end(within: .seconds(20)) { ends += 1 }
        // Neither a second request nor an edge changes anything from now on.
        try watched.installation.end(within: .zero) { ends += 100 }
        lab.board.edge(true)
        try watched.wait("end") { _ in ends > 0 }
        #expect(ends == 1)
        #expect(lab.board.held == nil && watched.installation.heldLines.isEmpty)
        #expect(watched.notifications.isEmpty)
        while !writer.isIdle { _ = try loop.turn(within: .milliseconds(1)) }
        let state = try #require(try store.load())
        #expect(state.intent == "playing" && state.position > .zero && state.held.isEmpty)
        #expect(state.track == lab.folder + "/music/0.wav")
    }

    @Test func aSuccessorContinuesAnInterruptionWithoutRepeatingIt() throws {
        var former: Watched? = try install()
        try former?.waitUntilItPlays()
        lab.board.edge(true)
        try former?.wait("interruption") { $0.directive == .silent }
        try former?.end()
        let position = try #require(writer.last?.position)
        #expect(position > .zero && writer.last?.held.map(\.signal) == ["phone-call"])

        let watched = try install("[Playback]\nFadeOut=2ms\n", after: former?.installation)
        former = nil
        #expect(watched.directive == .silent && watched.notifications.isEmpty)
        #expect(watched.installation.scene.session.intent == .playing)
        lab.board.edge(false)
        try watched.waitUntilItPlays()
        #expect(watched.notifications == [.ended(.shouldResume)])
        #expect(watched.installation.scene.position ?? .zero >= position)
        try watched.end()
    }

    @Test func aSuccessorReportsTheEndOfAnInterruptionThatItDidNotSee() throws {
        let former = try install()
        try former.waitUntilItPlays()
        lab.board.edge(true)
        try former.wait("interruption") { $0.directive == .silent }
        try former.end()
        lab.board.edge(false)
        let watched = try install(after: former.installation)
        try watched.waitUntilItPlays()
        #expect(watched.notifications == [.ended(.shouldResume)])
        try watched.end()
    }

    @Test func adoptsTimesAndLevelsButNotAnotherLibraryOrWiring() throws {
        let watched = try install()
        try watched.waitUntilItPlays()
        let installation = watched.installation
        let quieter = try lab.configuration("[Playback]\nFadeIn=5ms\n")
        #expect(installation.canAdopt(quieter, installation.tracks))
        #expect(!installation.canAdopt(quieter, []))
        #expect(!installation.canAdopt(try lab.configuration("[Playback]\nFadeOut=9ms\n"), installation.tracks))
        #expect(!installation.canAdopt(try lab.configuration("[Playback]\nDevice=other\n"), installation.tracks))
        let rewired = try lab.configuration("[Signal phone-call]\nLine=PLAY\n[Button play]\nLine=CALL\n")
        #expect(!installation.canAdopt(rewired, installation.tracks))

        try installation.adopt(quieter)
        #expect(installation.configuration.playback.fadeIn == .milliseconds(5))
        #expect(watched.happenings.contains(.reloaded) && watched.directive == .play(.full))
        try watched.end()
    }
}
