import AudioSession
import Clocks
import Configuration
import Dispatch
import Foundation
import Glibc
import ResumeStore
import SoundLab
import Synchronization
import Systemd
import Testing

@testable import Appliance

/// The whole daemon in this process. Only the lines and the service manager are fakes.
@Suite struct DaemonTests {
    /// A fake service manager on the daemon's thread.
    private final class Manager {
        private(set) var notices: [ServiceManager.Notice] = []

        func take(_ new: [ServiceManager.Notice]) { notices += new }

        var status: String {
            for case .status(let text) in notices.reversed() { return text }
            return ""
        }

        func count(_ notice: ServiceManager.Notice) -> Int { notices.filter { $0 == notice }.count }
    }

    /// The additional clock readings that the daemon receives.
    private final class Clocks {
        var suspended = Duration.zero
        /// The time for which the process was stopped.
        var stopped = Duration.zero
    }

    /// A started daemon on the test's thread.
    private final class Run {
        let lab: ApplianceLab
        let manager = Manager()
        let clocks = Clocks()
        let daemon: Daemon
        private var mask = sigset_t()

        /// - Parameter read: a function that reads the library, or nil for the usual one.
        init(
            _ lab: ApplianceLab, isStrict: Bool = false,
            reading read: (@Sendable (String) -> LibraryLoader.Outcome)? = nil
        ) throws {
            self.lab = lab
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            var host = lab.host
            let manager = manager
            host.ignore = { _ in }
            host.attempt = {
                manager.take($0)
                return .sent
            }
            host.watchdogInterval = { .seconds(3600) }
            let clocks = clocks
            host.suspendedTime = { clocks.suspended }
            host.monotonicTime = { SystemClock.monotonic.now + clocks.stopped }
            daemon = try Daemon(lab.source, isStrict: isStrict, on: host)
            if let read { daemon.librarySearch.loaders = LibraryLoaders(reading: read) }
            try daemon.start()
        }

        deinit {
            // A signal that the daemon has not handled must not reach this process.
            var signals = sigset_t()
            sigemptyset(&signals)
            for number in [SIGTERM, SIGHUP, SIGCONT] { sigaddset(&signals, number) }
            var none = timespec()
            while sigtimedwait(&signals, nil, &none) > 0 {}
            pthread_sigmask(SIG_SETMASK, &mask, nil)
        }

        var session: Session? { daemon.installation?.scene.session }

        /// Sends a signal as the service manager would, but only to this thread.
        func signal(_ number: Int32) { pthread_kill(pthread_self(), number) }

        func wait(_ what: String, until condition: () -> Bool) throws {
            try daemon.loop.turn(until: condition(), or: "\(what), but \(manager.notices)")
        }

        func waitForStatus(_ beginning: String) throws {
            try wait("status “\(beginning)”") { manager.status.hasPrefix(beginning) }
        }

        /// Reloads a configuration and waits for the outcome.
        func reload(_ text: String) throws {
            try lab.configure(text)
            let (reloading, ready) = (manager.count(.reloading), manager.count(.ready))
            signal(SIGHUP)
            try wait("reload") { manager.count(.ready) > ready }
            #expect(manager.count(.reloading) == reloading + 1 && manager.count(.ready) == ready + 1)
        }

        /// Stops the daemon.
        /// - Returns: its exit code.
        func stop() throws -> Int32 {
            signal(SIGTERM)
            // The timer ends a run that does not end otherwise.
            let limit = try daemon.loop.timer { [daemon] in daemon.loop.exit(99) }
            limit.deadline = SystemClock.monotonic.now + .seconds(30)
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
        let former = Weak(object: run.daemon.installation)
        try run.reload("[Playback]\nFadeOut=300ms\n")
        #expect(former.object == nil && run.daemon.installation != nil)
        #expect(run.daemon.configuration.playback.fadeOut == .milliseconds(300))
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

    /// The reload is accepted, because there is no music that it could end.
    @Test func aReloadWithoutMusicBeforeAndAfterIsAccepted() throws {
        try lab.configure("[Playback]\nLibrary=nowhere\n")
        let run = try Run(lab)
        try run.reload("[Playback]\nLibrary=nowhere\nFadeOut=7ms\n")
        #expect(run.daemon.configuration.playback.fadeOut == .milliseconds(7))
        #expect(run.daemon.health[.configuration] == nil && run.daemon.librarySearch.isScheduled)
        #expect(try run.stop() == 0)
    }

    /// Nothing in the library can be played, so the search for music is repeated, even after a reload that was
    /// rejected.
    @Test func aRejectedReloadContinuesTheSearchForMusic() throws {
        try "no music".write(toFile: lab.folder + "/music/0.wav", atomically: true, encoding: .utf8)
        let run = try Run(lab)
        try run.wait("end of the tracks") { run.session?.track == nil }
        let before = run.daemon.configuration
        try run.reload("[Playback]\nLibrary=nowhere\n")
        #expect(run.daemon.configuration == before)
        #expect(run.daemon.health[.configuration]?.contains("there would be nothing to play") == true)
        #expect(run.daemon.librarySearch.isScheduled)
        // The search also continues if the mistake is found before the library is read.
        try run.reload("[Playback]\nFadeOut=soon\n")
        #expect(run.daemon.librarySearch.isScheduled)
        #expect(try run.stop() == 0)
    }

    /// The disk with the library is missing at the start, and a reload finds it before the search does.
    @Test func aReloadThatFindsTheLibraryContinuesTheChoice() throws {
        let request = ChoiceRequest("0.wav", then: .repeat)
        try choose(request)
        try FileManager.default.moveItem(atPath: lab.folder + "/music", toPath: lab.folder + "/elsewhere")
        let run = try Run(lab)
        #expect(run.session?.track == nil && run.daemon.installation?.unresolvedChoice == request.name)
        try FileManager.default.moveItem(atPath: lab.folder + "/elsewhere", toPath: lab.folder + "/music")
        try run.reload("")
        #expect(run.session?.choice?.request == request)
        #expect(try run.stop() == 0)
    }

    private func choose(_ request: ChoiceRequest) throws {
        let run = try Run(lab)
        try run.waitForStatus("Playing")
        run.daemon.installation?.choose(request, from: .button("story"))
        try run.wait("choice") { run.session?.choice != nil }
        #expect(try run.stop() == 0)
    }

    /// As the manual states, nothing changes if the new library has nothing that can be played.
    @Test(arguments: ["gone.wav\nhttp://host/a.mp3\n", "rubbish.wav\n"])
    func rejectsAReloadToAPlaylistOfWhichNothingCanBePlayed(list: String) throws {
        let run = try Run(lab)
        try run.waitForStatus("Playing")
        let installation = try #require(run.daemon.installation)
        let before = run.daemon.configuration
        try "no music".write(toFile: lab.folder + "/rubbish.wav", atomically: true, encoding: .utf8)
        try list.write(toFile: lab.folder + "/list.m3u", atomically: true, encoding: .utf8)
        try run.reload("[Playback]\nLibrary=list.m3u\nFadeIn=7ms\n")
        #expect(run.daemon.installation === installation && run.daemon.configuration == before)
        #expect(run.session?.directive == .play(.full))
        #expect(
            run.daemon.health[.configuration]?.contains("none of the library's files can be played: cannot ") == true)
        // A playlist with a playable entry is used.
        try (list + "music/0.wav\n").write(toFile: lab.folder + "/list.m3u", atomically: true, encoding: .utf8)
        try run.reload("[Playback]\nLibrary=list.m3u\n")
        #expect(run.daemon.installation !== installation && run.daemon.health[.configuration] == nil)
        #expect(try run.stop() == 0)
    }

    @Test func shuffleAndRepeatThatWereChosenAreSaved() throws {
        try chooseShuffleAndRepeat()
        let run = try Run(lab)
        try run.waitForStatus("Playing")
        #expect(run.session?.policy.repeats == .track && run.daemon.installation?.scene.isShuffled == true)
        // A change to the configuration has precedence.
        try run.reload("[Playback]\nRepeat=none\n")
        #expect(run.session?.policy.repeats == Policy.Repeat.none)
        #expect(run.daemon.installation?.scene.isShuffled == true)
        #expect(try run.stop() == 0)
    }

    private func chooseShuffleAndRepeat() throws {
        let run = try Run(lab)
        try run.waitForStatus("Playing")
        run.daemon.installation?.setModes(shuffle: true)
        try run.wait("shuffled list") {
            run.daemon.installation?.scene.isShuffled == true && !run.daemon.librarySearch.isReading
        }
        run.daemon.installation?.setModes(repeats: .track)
        try run.wait("repeated track") { run.session?.policy.repeats == .track }
        #expect(try run.stop() == 0)
        #expect(try savedState()?.repeats == SavedState.Mode(configured: "playlist", chosen: "track"))
    }

    /// A new order needs another player, and exchanging the player would cut off an alarm each time.
    @Test func chosenOrderWaitsForTheEndOfASound() throws {
        try TestMusic.writeNumbers(to: lab.folder + "/long.wav", frames: 60 * 48_000)
        let run = try Run(lab)
        try run.waitForStatus("Playing")
        try run.reload("[Sound long]\nFile=long.wav\n")
        let installation = try #require(run.daemon.installation)
        #expect(installation.command(.announce(Announcement("long")), from: .button("gong")) == .success)
        for shuffle in [true, false, true] {
            installation.setModes(shuffle: shuffle)
            try run.wait("library") { !run.daemon.librarySearch.isReading }
        }
        #expect(run.daemon.installation === installation && run.session?.dueSound?.sound == "long")
        #expect(installation.command(.hush, from: .button("gong")) == .success)
        try run.wait("shuffled list") { run.daemon.installation?.scene.isShuffled == true }
        #expect(try run.stop() == 0)
    }

    @Test func findsANewFileWithoutAReload() throws {
        let run = try Run(lab)
        try run.waitForStatus("Playing")
        let installation = try #require(run.daemon.installation)
        #expect(installation.command(.pause, from: .button("play")) == .success)
        try FileManager.default.createDirectory(atPath: lab.folder + "/music/new", withIntermediateDirectories: true)
        try TestMusic.writeNumbers(to: lab.folder + "/music/new/1.wav", frames: 48_000)
        try run.wait("new file") { run.daemon.installation?.tracks.count == 2 }
        #expect(run.session?.intent == .paused)
        // This file is in a folder that is also new.
        try TestMusic.writeNumbers(to: lab.folder + "/music/new/2.wav", frames: 48_000)
        try run.wait("another file") { run.daemon.installation?.tracks.count == 3 }
        #expect(try run.stop() == 0)
    }

    @Test func doesNotInterruptATrackForANewFile() throws {
        let run = try Run(lab)
        try run.waitForStatus("Playing")
        let installation = try #require(run.daemon.installation)
        try TestMusic.writeNumbers(to: lab.folder + "/music/1.wav", frames: 48_000 * 60)
        try run.wait("change") { run.daemon.librarySearch.isStale }
        #expect(run.daemon.installation === installation && !installation.isEnding)
        #expect(installation.command(.seek(to: .milliseconds(59_900)), from: .button("play")) == .success)
        try run.wait("end of the track") { run.daemon.installation?.tracks.count == 2 }
        try run.waitForStatus("Playing")
        #expect(try run.stop() == 0)
    }

    /// A file on a slow disk that has not been read yet is not treated as unplayable.
    @Test func playIsDeferredWhileTheLibraryIsRead() throws {
        let answer = DispatchSemaphore(value: 0)
        let run = try Run(
            lab,
            reading: { path in
                answer.wait()
                return LibraryLoader.read(path)
            })
        let installation = try #require(run.daemon.installation)
        #expect(run.daemon.health[.library] == "nothing to play: the disk with it has not answered yet")
        #expect(installation.command(.play, from: .button("play")) == .deferred)
        #expect("\(Explanation(installation.context))".contains("the disk with it has not answered yet"))
        answer.signal()
        try run.waitForStatus("Playing")
        #expect(try run.stop() == 0)
    }

    @Test func anOutputKeepsItsLevelThroughAReloadAndIsReleasedDeasserted() throws {
        let output = "[Output amplifier]\nLine=AMP\nMeans=amplifier\n"
        try lab.configure(output)
        let run = try Run(lab)
        try run.waitForStatus("Playing")
        #expect(lab.outputs.history == ["AMP": [false, true]])
        // This reload rebuilds everything.
        try run.reload(output + "[Playback]\nFadeOut=300ms\n")
        try run.waitForStatus("Playing")
        #expect(lab.outputs.history == ["AMP": [false, true]])
        #expect(try run.stop() == 0)
        #expect(lab.outputs.history == ["AMP": [false, true, false]] && lab.outputs.levels.isEmpty)
    }

    @Test func aReloadDuringAReloadFollowsIt() throws {
        let run = try Run(lab)
        try run.waitForStatus("Playing")
        try lab.configure("[Playback]\nFadeOut=300ms\n")
        run.signal(SIGHUP)
        try run.wait("reload") { run.manager.count(.reloading) == 1 }
        try lab.configure("[Playback]\nFadeOut=300ms\nFadeIn=5ms\n")
        run.signal(SIGHUP)
        try run.wait("second reload") { run.manager.count(.reloading) == 2 && run.manager.count(.ready) == 3 }
        #expect(run.daemon.configuration.playback.fadeIn == .milliseconds(5))
        #expect(try run.stop() == 0)
    }

    @Test func aStopDuringAReloadEndsIt() throws {
        // Stopping takes as long as this fade-out, so that it can be observed even on a busy machine.
        try lab.configure("[Playback]\nFadeOut=2s\n")
        let run = try Run(lab)
        try run.waitForStatus("Playing")
        try lab.configure("[Playback]\nFadeOut=3s\n")
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

    // MARK: Sleep

    /// Returns the reason why the session is interrupted.
    private func reason(_ run: Run) -> InterruptionReason? { run.session?.episode?.reason }

    @Test func readsTheLinesAgainWhenTheSystemWasSuspended() throws {
        let run = try Run(lab)
        try run.waitForStatus("Playing ‘0.wav’")
        lab.board.turn(true)
        run.clocks.suspended += .seconds(600)
        try run.waitForStatus("Quiet: ")
        #expect(reason(run) == .appWasSuspended)
        let context = try #require(run.daemon.installation?.context)
        #expect(context.lastSleep?.sleep == Sleep(cause: .suspended, length: .seconds(600)))
        #expect("\(Explanation(context))".contains(" The system was asleep for 10min until "))
        // Changes from now on are ordinary edges.
        lab.board.edge(false)
        try run.waitForStatus("Playing ‘0.wav’")
        lab.board.edge(true)
        try run.waitForStatus("Quiet: ")
        #expect(reason(run) == .default)
        #expect(try run.stop() == 0)
    }

    @Test(.enabled(if: RealTimePriority.isAllowed))
    func continuesAfterASuspensionInWhichNothingChanged() throws {
        let run = try Run(lab)
        try run.wait("position") { run.daemon.installation?.scene.position ?? .zero > .zero }
        run.clocks.suspended += .seconds(600)
        try run.wait("waking") { run.daemon.installation?.context.lastSleep != nil }
        #expect(run.session?.directive == .play(.full))
        // Deadlines, stalls and the health do not depend on the time spent asleep.
        let position = try #require(run.daemon.installation?.scene.position)
        try run.wait("progress") { run.daemon.installation?.scene.position ?? .zero > position }
        #expect(run.manager.status == "Playing ‘0.wav’")
        #expect(try run.stop() == 0)
    }

    @Test func deadlinesPassDuringASuspension() throws {
        try lab.configure("[Signal phone-call]\nLine=CALL\nEffect=pause\nReleaseDelay=5min\n")
        let run = try Run(lab)
        try run.waitForStatus("Playing ‘0.wav’")
        lab.board.edge(true)
        try run.waitForStatus("Quiet: ")
        lab.board.edge(false)
        try run.waitForStatus("Quiet: phone-call (CALL) was released")
        run.clocks.suspended += .seconds(600)
        try run.waitForStatus("Playing ‘0.wav’")
        #expect(try run.stop() == 0)
    }

    @Test func readsTheLinesAgainWhenTheProcessWasStopped() throws {
        let run = try Run(lab)
        try run.waitForStatus("Playing ‘0.wav’")
        run.clocks.stopped += .seconds(3)
        lab.board.edge(true)
        run.signal(SIGCONT)
        try run.waitForStatus("Quiet: ")
        #expect(reason(run) == .appWasSuspended)
        #expect(run.daemon.installation?.context.lastSleep?.sleep.cause == .stopped)
        #expect(try run.stop() == 0)
    }

    /// The timer is late without SIGCONT, or SIGCONT arrives without a late timer.
    @Test(arguments: [true, false]) func busyMachineOrSIGCONTAloneIsNotASleep(isBusy: Bool) throws {
        let run = try Run(lab)
        try run.waitForStatus("Playing ‘0.wav’")
        if isBusy { run.clocks.stopped += .seconds(3) } else { run.signal(SIGCONT) }
        lab.board.edge(true)
        try run.waitForStatus("Quiet: ")
        #expect(reason(run) == .default)
        #expect(run.daemon.installation?.context.lastSleep == nil)
        #expect(try run.stop() == 0)
    }

    @Test(.enabled(if: RealTimePriority.isAllowed))
    func closesTheDeviceAndSavesBeforeAnAnnouncedSleepAndReadsTheLinesAfterwards() throws {
        let run = try Run(lab)
        try run.wait("position") { run.daemon.installation?.scene.position ?? .zero > .milliseconds(50) }
        let installation = try #require(run.daemon.installation)
        run.daemon.fallAsleep()
        #expect(run.manager.status == "Quiet: the system is about to sleep")
        try run.wait("quiet") { installation.isAsleep && run.daemon.saver.writer.isIdle }
        let position = try #require(installation.scene.position)
        #expect(try savedState()?.position == position)
        // Until the end of the sleep, nothing is handled, and a reload waits.
        lab.board.edge(true)
        run.signal(SIGHUP)
        try run.wait("request") { run.daemon.reloading.isDue }
        #expect(run.manager.count(.reloading) == 0)
        // The system may wake for a moment in order to hibernate.
        run.clocks.suspended += .seconds(60)
        run.daemon.watchForSleep()
        #expect(installation.isAsleep && run.session?.isInterrupted == false)
        #expect(installation.scene.position == position)

        run.daemon.wakeUp()
        #expect(run.session?.isInterrupted == true && reason(run) == .appWasSuspended)
        #expect(installation.context.lastSleep.map { $0.sleep.length >= .seconds(60) } == true)
        #expect(installation.scene.position == position)
        try run.wait("reload") { run.manager.count(.ready) == 2 }
        lab.board.edge(false)
        try run.waitForStatus("Playing ‘0.wav’")
        try run.wait("progress") { run.daemon.installation?.scene.position ?? .zero > position }
        #expect(try run.stop() == 0)
    }

    @Test func commandDuringAnAnnouncedSleepTakesEffectAfterwards() throws {
        let run = try Run(lab)
        try run.wait("position") { run.daemon.installation?.scene.position ?? .zero > .zero }
        let installation = try #require(run.daemon.installation)
        run.daemon.fallAsleep()
        try run.wait("quiet") { installation.isAsleep }
        #expect(installation.command(.pause, from: .button("test")) == .success)
        #expect(installation.command(.play, from: .button("test")) == .success)
        #expect(installation.isAsleep)
        #expect(installation.command(.pause, from: .button("test")) == .success)
        run.daemon.wakeUp()
        #expect(run.session?.intent == .paused && run.session?.directive == .silent)
        #expect(installation.command(.play, from: .button("test")) == .success)
        let position = try #require(installation.scene.position)
        try run.wait("progress") { installation.scene.position ?? .zero > position }
        #expect(try run.stop() == 0)
    }

    @Test func reloadWhoseLibraryIsReadWhenASleepBeginsWaits() throws {
        let run = try Run(lab)
        try run.waitForStatus("Playing ‘0.wav’")
        try lab.configure("[Session]\nResumeDelay=1s\n")
        run.signal(SIGHUP)
        try run.wait("request") { run.manager.count(.reloading) == 1 }
        run.daemon.fallAsleep()
        try run.wait("quiet") { run.daemon.reloading.isDue && run.daemon.installation?.isAsleep == true }
        run.daemon.wakeUp()
        try run.wait("reload") { run.daemon.configuration.session.resumeDelay == .seconds(1) }
        #expect(try run.stop() == 0)
    }

    @Test func stopsDuringAnAnnouncedSleep() throws {
        let run = try Run(lab)
        try run.waitForStatus("Playing ‘0.wav’")
        run.daemon.fallAsleep()
        #expect(try run.stop() == 0)
        #expect(try savedState()?.intent == "playing")
    }

    @Test func rejectsAConfigurationWithMistakesUnlessOneHasWorkedBefore() throws {
        try lab.configure("[Playback]\nFadeOut=soon\n")
        #expect(throws: ConfigurationError.self) { _ = try Run(lab) }
        #expect(lab.board.held == nil)
    }
}

/// A weak reference as a constant, because Swift 6.0 lacks `weak let`.
private struct Weak {
    weak var object: AnyObject?
}
