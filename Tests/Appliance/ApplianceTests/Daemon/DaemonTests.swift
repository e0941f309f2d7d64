import AudioSession
import Configuration
import Glibc
import ResumeStore
import Synchronization
import Systemd
import Testing

@testable import Appliance

/// The whole daemon in this process; only lines and service manager are fakes.
@Suite struct DaemonTests {
    /// Plays the service manager, on the daemon's thread.
    private final class Manager {
        private(set) var notices: [ServiceManager.Notice] = []

        func take(_ new: [ServiceManager.Notice]) { notices += new }

        var status: String {
            for case .status(let text) in notices.reversed() { return text }
            return ""
        }

        func count(_ notice: ServiceManager.Notice) -> Int { notices.filter { $0 == notice }.count }
    }

    /// A started daemon, on the test's thread.
    private final class Run {
        let lab: ApplianceLab
        let manager = Manager()
        let daemon: Daemon
        private var mask = sigset_t()

        init(_ lab: ApplianceLab, isStrict: Bool = false) throws {
            self.lab = lab
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            var host = lab.host
            let manager = manager
            host.ignore = { _ in }
            host.notify = { manager.take($0) }
            host.attempt = {
                manager.take($0)
                return .sent
            }
            host.watchdogInterval = { .seconds(3600) }
            daemon = try Daemon(lab.source, isStrict: isStrict, on: host)
            try daemon.start()
        }

        deinit {
            // A signal that the daemon has not taken must not reach this process.
            var signals = sigset_t()
            sigemptyset(&signals)
            for number in [SIGTERM, SIGHUP] { sigaddset(&signals, number) }
            var none = timespec()
            while sigtimedwait(&signals, nil, &none) > 0 {}
            pthread_sigmask(SIG_SETMASK, &mask, nil)
        }

        var session: Session? { daemon.installation?.scene.session }

        /// Sends a signal as the service manager does, but to this thread only.
        func signal(_ number: Int32) { pthread_kill(pthread_self(), number) }

        func wait(_ what: String, until condition: () -> Bool) throws {
            try daemon.loop.turn(until: condition(), or: "\(what), but \(manager.notices)")
        }

        func waitForStatus(_ beginning: String) throws {
            try wait("status “\(beginning)”") { manager.status.hasPrefix(beginning) }
        }

        /// Reloads a configuration, and waits for the outcome.
        func reload(_ text: String) throws {
            try lab.configure(text)
            let (reloading, ready) = (manager.count(.reloading), manager.count(.ready))
            signal(SIGHUP)
            try wait("reload") { manager.count(.ready) > ready }
            #expect(manager.count(.reloading) == reloading + 1 && manager.count(.ready) == ready + 1)
        }

        /// Stops it.
        /// - Returns: its exit code.
        func stop() throws -> Int32 {
            signal(SIGTERM)
            // Ends a run that does not end otherwise.
            let limit = try daemon.loop.timer { [daemon] in daemon.loop.exit(99) }
            limit.deadline = EventClock.monotonic.now + .seconds(30)
            return try daemon.loop.run()
        }
    }

    private let lab: ApplianceLab

    init() throws { lab = try ApplianceLab() }

    private func savedState() throws -> SavedState? { try ResumeStore(directory: lab.folder + "/state").load() }

    @Test func interruptsAndResumesWithTheLineAndSavesItsStateWhenStopped() throws {
        let run = try Run(lab)
        #expect(run.manager.count(.ready) == 1)
        #expect(run.manager.count(.watchdog) == 1)
        try run.waitForStatus("Playing ‘0.wav’")
        lab.board.edge(true)
        try run.waitForStatus("Quiet: ")
        #expect(run.manager.status.contains("phone-call"))
        lab.board.edge(false)
        try run.waitForStatus("Playing ‘0.wav’")
        try run.wait("position") { run.daemon.installation?.scene.position ?? .zero > .zero }

        #expect(try run.stop() == 0)
        #expect(Array(run.manager.notices.suffix(2)) == [.stopping, .status("Stopping")])
        #expect(lab.board.held == nil)
        let state = try #require(try savedState())
        #expect(state.intent == "playing" && state.position > .zero)
    }

    @Test func resumesWhereThePreviousRunStopped() throws {
        do {
            let first = try Run(lab)
            try first.wait("position") { first.daemon.installation?.scene.position ?? .zero > .milliseconds(50) }
            #expect(try first.stop() == 0)
        }
        let position = try #require(try savedState()?.position)
        #expect(position > .milliseconds(50))
        let second = try Run(lab)
        #expect(second.daemon.installation?.reading?.state.position == position)
        #expect(second.daemon.installation?.scene.position ?? .zero >= position)
        #expect(try second.stop() == 0)
    }

    @Test func aReloadOfTimesKeepsTheInstallation() throws {
        let run = try Run(lab)
        try run.waitForStatus("Playing")
        let installation = try #require(run.daemon.installation)
        try run.reload("[Playback]\nFadeIn=5ms\n")
        #expect(run.daemon.installation === installation)
        #expect(installation.configuration.playback.fadeIn == .milliseconds(5))
        #expect(run.session?.directive == .play(.full))
        #expect(try run.stop() == 0)
    }

    @Test func aReloadThatRebuildsEverythingKeepsTheInterruption() throws {
        let run = try Run(lab)
        try run.waitForStatus("Playing")
        lab.board.edge(true)
        try run.waitForStatus("Quiet: ")
        weak let former = run.daemon.installation
        try run.reload("[Playback]\nFadeOut=9ms\n")
        #expect(former == nil && run.daemon.installation != nil)
        #expect(run.daemon.configuration.playback.fadeOut == .milliseconds(9))
        #expect(run.session?.directive == .silent && run.session?.intent == .playing)
        lab.board.edge(false)
        try run.waitForStatus("Playing")
        #expect(try run.stop() == 0)
    }

    @Test func rejectsAReloadWithMistakesAndReportsItUntilOneSucceeds() throws {
        let run = try Run(lab)
        try run.waitForStatus("Playing")
        let installation = try #require(run.daemon.installation)
        let before = run.daemon.configuration
        try run.reload("[Playback]\nFadeOut=soon\n")
        #expect(run.daemon.installation === installation && run.daemon.configuration == before)
        #expect(run.daemon.health[.configuration]?.contains("FadeOut=soon is not a time") == true)
        #expect(run.manager.status.hasPrefix("Playing ‘0.wav’ — degraded: "))

        try run.reload("[Playback]\nLibrary=nowhere\n")
        #expect(run.daemon.installation === installation && run.daemon.configuration == before)
        #expect(run.daemon.health[.configuration]?.contains("there would be nothing to play") == true)

        try run.reload("")
        #expect(run.daemon.installation === installation)
        #expect(run.daemon.health[.configuration] == nil)
        #expect(!run.manager.status.contains("degraded"))
        #expect(try run.stop() == 0)
    }

    @Test func anOutputKeepsItsLevelThroughAReloadAndIsReleasedDeasserted() throws {
        let output = "[Output amplifier]\nLine=AMP\nMeans=amplifier\n"
        try lab.configure(output)
        let run = try Run(lab)
        try run.waitForStatus("Playing")
        #expect(lab.outputs.history == ["AMP": [false, true]])
        // Rebuilds everything.
        try run.reload(output + "[Playback]\nFadeOut=9ms\n")
        try run.waitForStatus("Playing")
        #expect(lab.outputs.history == ["AMP": [false, true]])
        #expect(try run.stop() == 0)
        #expect(lab.outputs.history == ["AMP": [false, true, false]] && lab.outputs.levels.isEmpty)
    }

    @Test func aReloadDuringAReloadFollowsIt() throws {
        let run = try Run(lab)
        try run.waitForStatus("Playing")
        try lab.configure("[Playback]\nFadeOut=9ms\n")
        run.signal(SIGHUP)
        try run.wait("reload") { run.manager.count(.reloading) == 1 }
        try lab.configure("[Playback]\nFadeOut=9ms\nFadeIn=5ms\n")
        run.signal(SIGHUP)
        try run.wait("second reload") { run.manager.count(.reloading) == 2 && run.manager.count(.ready) == 3 }
        #expect(run.daemon.configuration.playback.fadeIn == .milliseconds(5))
        #expect(try run.stop() == 0)
    }

    @Test func aStopDuringAReloadEndsIt() throws {
        // The end lasts as long as this fade-out, so that it is seen.
        try lab.configure("[Playback]\nFadeOut=500ms\n")
        let run = try Run(lab)
        try run.waitForStatus("Playing")
        try lab.configure("[Playback]\nFadeOut=900ms\n")
        run.signal(SIGHUP)
        try run.wait("end of the installation") { run.daemon.installation?.isEnding == true }
        #expect(try run.stop() == 0)
        #expect(run.manager.notices.contains(.stopping) && run.manager.count(.ready) == 1)
        #expect(try savedState()?.intent == "playing")
    }

    @Test func aSecondDaemonCannotUseTheSameStateFolder() throws {
        let run = try Run(lab)
        #expect(throws: StateError.self) { _ = try Run(lab) }
        try run.waitForStatus("Playing")
        #expect(try run.stop() == 0)
    }

    @Test func rejectsAConfigurationWithMistakesUnlessOneHasWorkedBefore() throws {
        try lab.configure("[Playback]\nFadeOut=soon\n")
        #expect(throws: ConfigurationError.self) { _ = try Run(lab) }
        #expect(lab.board.held == nil)
    }
}
