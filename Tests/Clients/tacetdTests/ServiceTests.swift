import Foundation
import ServiceLab
import SoundLab
import Testing

@Suite(.serialized) struct ServiceTests {
    private func isReady(_ message: String) -> Bool { message.contains("READY=1") }

    @Test func savesItsPositionWhenStoppedAndResumesThere() throws {
        let service = try Service("[State]\nInterval=100ms\n")
        try service.manager.wait { $0.contains("STATUS=Playing ‘0.wav’") }
        try service.manager.wait(for: isReady)
        try service.wait("checkpoint") { service.savedPosition > 0.5 }
        service.signal(SIGTERM)
        try service.manager.wait { $0.contains("STOPPING=1") }
        #expect(service.wait() == 0)
        let position = service.savedPosition
        #expect(position > 0.5 && service.state()?.intent == "playing")
        try service.wait("entry") { service.output.contains("[started") }
        try service.wait("entry") { service.output.contains("[stopping") }

        // The next daemon resumes there.
        let next = try Service("[State]\nInterval=100ms\n", in: service.folder)
        try next.manager.wait(for: isReady)
        try next.wait("checkpoint") { next.savedPosition > position }
        #expect(next.savedPosition < position + 30)
    }

    @Test func resumesAtTheLastCheckpointAfterBeingKilled() throws {
        let service = try Service("[State]\nInterval=100ms\n")
        try service.wait("checkpoint") { service.savedPosition > 0.5 }
        service.kill()
        let position = service.savedPosition
        let next = try Service("[State]\nInterval=100ms\n", in: service.folder)
        try next.wait("checkpoint") { next.savedPosition > position }
    }

    /// A different boot ID simulates a power cut.
    @Test(arguments: [
        (true, "2", "stopped"), (true, "1", "stopped"), (false, "1", "killed"), (false, "2", "power-cut"),
    ])
    func logsAtStartHowTheLastRunEnded(isStopped: Bool, boot: String, end: String) throws {
        func environment(_ boot: String) -> [String: String] { ["TACET_BOOT_ID": String(repeating: boot, count: 32)] }
        let service = try Service(environment: environment("1"))
        try service.manager.wait(for: isReady)
        // The first save overwrites the record of the previous run.
        try service.wait("state") { service.state() != nil }
        #expect(!service.output.contains("LAST_RUN"))
        if isStopped {
            service.signal(SIGTERM)
            #expect(service.wait() == 0)
        } else {
            service.kill()
        }
        let saved = try #require(service.state()?.run)
        #expect(saved.boot == String(repeating: "1", count: 32) && saved.isStopping == isStopped)
        let next = try Service(in: service.folder, environment: environment(boot))
        try next.manager.wait(for: isReady)
        try next.wait("start") { next.output.contains("LAST_RUN=\(end)") }
        try next.wait("entry") { next.output.contains("SAVED_BOOT_ID=\(saved.boot)") }
        // If the daemon were killed now, this would not be recorded as a stop.
        try next.wait("state") { next.state()?.run?.isStopping == false }
    }

    @Test func rejectsReloadOfAnInvalidConfiguration() throws {
        let service = try Service()
        try service.manager.wait(for: isReady)
        try Service.configure("[Playback]\nFadeOut=soon\n", in: service.folder)
        service.signal(SIGHUP)
        try service.manager.wait { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") }
        try service.manager.wait(for: isReady)
        try service.wait("entry") { service.output.contains("[reload-refused ") }
        try service.wait("entry") { service.output.contains("FadeOut=soon is not a time") }
        service.signal(SIGTERM)
        #expect(service.wait() == 0)
    }

    /// The older configuration stays active while the one on the disk contains mistakes or has nothing to play.
    @Test func statusReportsARejectedReloadUntilOneSucceeds() throws {
        let service = try Service()
        try service.manager.wait { $0.contains("STATUS=Playing ‘0.wav’") && !$0.contains("degraded") }
        try Service.configure("[Playback]\nFadeOut=soon\n", in: service.folder)
        service.signal(SIGHUP)
        try service.manager.wait {
            $0.contains("degraded: the configuration of ") && $0.contains("tacet.conf:7: FadeOut=soon is not a time")
        }
        try Service.configure("[Playback]\nLibrary=nowhere\n", in: service.folder)
        service.signal(SIGHUP)
        try service.manager.wait { $0.contains("is used because there would be nothing to play: ") }
        try Service.configure("", in: service.folder)
        service.signal(SIGHUP)
        try service.manager.wait { $0.contains("STATUS=Playing ‘0.wav’") && !$0.contains("degraded") }
    }

    @Test func statusReportsAMissingLibraryUntilItReturns() throws {
        let folder = try Service.makeFolder(tracks: nil)
        let (music, away) = (folder.appendingPathComponent("music"), folder.appendingPathComponent("away"))
        try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
        try TestMusic.writeNumbers(to: music.appendingPathComponent("0.wav").path, frames: 48_000 * 2)
        let service = try Service("[Playback]\nRepeat=playlist\n", in: folder)
        try service.manager.wait { $0.contains("STATUS=Playing ‘0.wav’") }
        try FileManager.default.moveItem(at: music, to: away)
        try service.manager.wait { $0.contains("STATUS=Quiet: nothing to play — nothing to play: ") }
        try FileManager.default.moveItem(at: away, to: music)
        // A reload looks for the device at once instead of at the next scheduled time.
        service.signal(SIGHUP)
        try service.manager.wait { $0.contains("STATUS=Playing ‘0.wav’") && !$0.contains("nothing to play") }
    }

    @Test(arguments: ["[Playback]\nFadeIn=10ms\n", "[Playback]\nRepeat=none\n", "[Playback]\nDevice=nowhere\n"])
    func appliesReloadOfAValidConfiguration(change: String) throws {
        let service = try Service("[State]\nInterval=100ms\n")
        try service.manager.wait(for: isReady)
        try service.wait("checkpoint") { service.savedPosition > 0.3 }
        try Service.configure(change, in: service.folder)
        service.signal(SIGHUP)
        try service.manager.wait { $0.hasPrefix("RELOADING=1") }
        let isWithoutDevice: (String) -> Bool = { $0.contains("STATUS=Quiet: no sound device — ") }
        try service.manager.wait(forAll: [isReady] + (change.contains("nowhere") ? [isWithoutDevice] : []))
        try service.wait("entry") { service.output.contains("[reloaded ") }
        if change.contains("nowhere") {
            try service.wait("loss") { service.output.contains("[media-services-lost") }
        }
        let position = service.savedPosition
        service.signal(SIGTERM)
        #expect(service.wait() == 0)
        #expect(service.savedPosition >= position)
    }

    /// Several reloads log a single loss and a single return.
    @Test func deviceReturnsWhenAReloadCorrectsItsName() throws {
        let service = try Service("[Playback]\nDevice=nowhere\n")
        try service.manager.wait(for: isReady)
        try service.wait("loss") { service.output.contains("[media-services-lost") }
        try Service.configure("[Playback]\nDevice=nowhere-else\n", in: service.folder)
        service.signal(SIGHUP)
        try service.manager.wait { $0.contains("nowhere-else") }
        try Service.configure("", in: service.folder)
        service.signal(SIGHUP)
        try service.wait("return") { service.output.contains("[media-services-reset") }
        #expect(service.output.components(separatedBy: "[media-services-lost").count == 2)
    }

    /// The last save to the old folder may still be pending when the reload changes the folder.
    @Test func reloadWithAnotherStateFolderKeepsTheState() throws {
        let service = try Service("[State]\nInterval=100ms\n")
        try service.wait("checkpoint") { service.savedPosition > 0.3 }
        try FileManager.default.createDirectory(
            at: service.folder.appendingPathComponent("elsewhere"), withIntermediateDirectories: true)
        try Service.configure("[State]\nInterval=100ms\nDirectory=elsewhere\n", in: service.folder)
        let position = service.savedPosition
        service.signal(SIGHUP)
        try service.manager.wait { $0.hasPrefix("RELOADING=1") }
        try service.manager.wait(for: isReady)
        service.signal(SIGTERM)
        #expect(service.wait() == 0)
        let moved = try #require(service.state(in: "elsewhere"))
        #expect(moved.position / .seconds(1) >= position)
    }

    /// Several reloads are requested during another one, and only the last one is carried out.
    @Test func lastOfSeveralReloadsInARowCounts() throws {
        let service = try Service()
        try service.manager.wait(for: isReady)
        for number in 1...5 {
            try Service.configure("[Playback]\nFadeOut=\(number)s\nDevice=null\n", in: service.folder)
            service.signal(SIGHUP)
        }
        try Service.configure("[Playback]\nFadeOut=soon\n", in: service.folder)
        service.signal(SIGHUP)
        try service.wait("last reload") { service.output.contains("[reload-refused ") }
        service.signal(SIGTERM)
        try service.manager.wait { $0.contains("STOPPING=1") }
        #expect(service.wait() == 0)
    }

    @Test func stopsDuringAReload() throws {
        let service = try Service("[State]\nInterval=100ms\n")
        try service.wait("checkpoint") { service.savedPosition > 0.3 }
        try Service.configure("[Playback]\nFadeOut=1500ms\n", in: service.folder)
        service.signal(SIGHUP)
        try service.manager.wait { $0.hasPrefix("RELOADING=1") }
        service.signal(SIGTERM)
        #expect(service.wait() == 0)
        #expect(service.state()?.intent == "playing")
    }

    @Test func reloadPlaysALibraryThatHadNoPlayableFiles() throws {
        let service = try Service(tracks: 0)
        try service.manager.wait(for: isReady)
        let track = service.folder.appendingPathComponent("music/broken.wav")
        try Data("no sound".utf8).write(to: track)
        service.signal(SIGHUP)
        try service.manager.wait(for: isReady)
        try service.wait("entry") { service.output.contains("[track-skipped") }
        try TestMusic.writeNumbers(to: track.path, frames: 48_000 * 60)
        service.signal(SIGHUP)
        try service.manager.wait { $0.contains("STATUS=Playing ‘broken.wav’") }
    }

    @Test func skipsUnplayableFilesAndUnreadableFolders() throws {
        let folder = try Service.makeFolder(tracks: nil)
        let music = folder.appendingPathComponent("music")
        try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
        #expect(mkfifo(music.appendingPathComponent("0.wav").path, 0o600) == 0)
        try Data("no sound".utf8).write(to: music.appendingPathComponent("1.wav"))
        try TestMusic.writeNumbers(to: music.appendingPathComponent("2.wav").path, frames: 48_000 * 60)
        let unreadable = UnreadableFolder(in: music.path)
        defer { withExtendedLifetime(unreadable) {} }
        let service = try Service(in: folder)
        try service.manager.wait { $0.contains("STATUS=Playing ‘2.wav’") }
        for name in ["0.wav", "1.wav"] {
            try service.wait("entry") { service.output.contains("music/\(name): cannot ") }
        }
        try service.wait("entry") { service.output.contains("[folders-unreadable ") }
        #expect(!service.output.contains("[storage-lost "))
        #expect(service.output.components(separatedBy: "[folders-unreadable ").count == 2)
        // A reload reads the library again and finds nothing new to report.
        service.signal(SIGHUP)
        try service.wait("reload") { service.output.contains("[reloaded ") }
        #expect(service.output.components(separatedBy: "[folders-unreadable ").count == 2)
    }

    @Test func findsTheOnlyPlayableTrackAmongFiveThousandBadFiles() throws {
        let folder = try Service.makeFolder(tracks: nil)
        let music = folder.appendingPathComponent("music")
        try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
        for number in 0..<5000 {
            try Data("no sound".utf8).write(to: music.appendingPathComponent("\(number).wav"))
        }
        try TestMusic.writeNumbers(to: music.appendingPathComponent("good.wav").path, frames: 48_000 * 60)
        let service = try Service(in: folder)
        try service.manager.wait { $0.contains("STATUS=Playing ‘good.wav’") }
        #expect(!service.output.contains("[storage-lost "))
    }

    @Test func playsALibraryThatAppearsAfterTheStart() throws {
        let service = try Service(tracks: nil)
        try service.manager.wait { $0.contains("STATUS=Quiet: nothing to play") }
        try service.manager.wait(for: isReady)
        try service.wait("entry") { service.output.contains("[library-empty ") }
        try Service.makeLibrary(1, in: service.folder)
        // A reload looks for the library at once. Otherwise, the library would be found later.
        service.signal(SIGHUP)
        try service.manager.wait { $0.contains("STATUS=Playing") }
        try service.wait("entry") { service.output.contains("[library-found ") }
    }

    @Test func playsOnAndLogsOnceIfTheStateCannotBeSaved() throws {
        let service = try Service("[State]\nInterval=100ms\nDirectory=/proc/nowhere\n")
        try service.manager.wait { $0.contains("STATUS=Playing ‘0.wav’ — ") }
        try service.wait("entry") { service.output.contains("[state-unwritable ") }
        for _ in 0..<20 { _ = service.manager.receive(within: .milliseconds(50)) }
        #expect(service.output.components(separatedBy: "[state-unwritable ").count == 2)
        service.signal(SIGTERM)
        #expect(service.wait() == 0)
    }

    @Test func feedsTheWatchdog() throws {
        let service = try Service(environment: ["WATCHDOG_USEC": "400000"])
        for _ in 0..<10 { try service.manager.wait { $0 == "WATCHDOG=1" } }
    }

    @Test func missingSignalLineIsAFault() throws {
        let service = try Service("[Signal door]\nLine=NO_SUCH_LINE\nEffect=pause\n")
        try service.manager.wait { $0.contains("STATUS=Playing ‘0.wav’ — door is lost") }
        try service.wait("entry") { service.output.contains("[fault SIGNAL=door FAULT=lost ") }
    }

    /// The fault is reported until a reload corrects the name of the line.
    @Test func missingButtonLineIsAFault() throws {
        let service = try Service("[Button play]\nLine=PLAI\nCommand=play\n")
        try service.manager.wait { $0.contains("STATUS=Playing ‘0.wav’ — button play is lost (is Line= right?") }
        try service.wait("entry") { service.output.contains("[fault BUTTON=play FAULT=lost]") }
        try service.manager.wait(for: isReady)
        try Service.configure("", in: service.folder)
        service.signal(SIGHUP)
        try service.wait("end") { service.output.contains("[fault-cleared BUTTON=play FAULT=lost]") }
    }

    /// The daemon reports the mistakes, and recovers when they are corrected.
    @Test func startWithMistakesUsesTheLastConfigurationThatWorked() throws {
        let good = try Service("[Playback]\nFadeOut=50ms\n")
        try good.manager.wait(for: isReady)
        let state = good.folder.appendingPathComponent("state").path
        func kept() -> String? {
            let names = try? FileManager.default.contentsOfDirectory(atPath: state)
            let name = names?.first { $0.hasPrefix("configuration-") && !$0.hasSuffix(".new") }
            return name.flatMap { try? String(contentsOfFile: "\(state)/\($0)", encoding: .utf8) }
        }
        try good.wait("copy") { kept() != nil }
        good.signal(SIGTERM)
        #expect(good.wait() == 0)

        let strict = try Service("[Playbck]\n", in: good.folder, arguments: ["--strict"])
        #expect(strict.wait() == 78)

        let service = try Service("[Playbck]\n", in: good.folder)
        try service.manager.wait { $0.contains("STATUS=Playing ‘0.wav’ — degraded: the configuration of ") }
        try service.manager.wait(for: isReady)
        try service.wait("entry") {
            service.output.contains("tacet.conf:6: error:") && service.output.contains("[configuration-rejected")
        }
        // A different mistake replaces the first in the status. Playback is not affected.
        try Service.configure("[Playback]\nFadeOut=soon\n", in: service.folder)
        service.signal(SIGHUP)
        try service.manager.wait { $0.contains("tacet.conf:7: FadeOut=soon is not a time") }
        try service.wait("entry") { service.output.contains("[reload-refused ") }
        try Service.configure("[Playback]\nFadeOut=60ms\n", in: service.folder)
        service.signal(SIGHUP)
        try service.manager.wait { $0.contains("STATUS=Playing ‘0.wav’") && !$0.contains("degraded") }
        try service.wait("copy") {
            kept()?.contains("FadeOut=60ms") == true
        }
    }

    /// A configuration with nothing to play is not treated as one that worked. A start with mistakes therefore falls
    /// back to the previous one.
    @Test func configurationWithNothingToPlayIsNotKept() throws {
        let good = try Service()
        let state = good.folder.appendingPathComponent("state").path
        try good.wait("copy") {
            (try? FileManager.default.contentsOfDirectory(atPath: state))?
                .contains { $0.hasPrefix("configuration-") } ?? false
        }
        let bad = good.folder.appendingPathComponent("bad")
        try FileManager.default.createDirectory(at: bad, withIntermediateDirectories: true)
        try Data("no sound".utf8).write(to: bad.appendingPathComponent("1.wav"))
        try Service.configure("[Playback]\nLibrary=bad\n", in: good.folder)
        good.signal(SIGHUP)
        try good.manager.wait {
            $0.contains("because there would be nothing to play: none of the library's files can be played")
        }
        good.signal(SIGTERM)
        #expect(good.wait() == 0)
        let service = try Service("[Playbck]\n", in: good.folder)
        try service.manager.wait { $0.contains("STATUS=Playing ‘0.wav’ — degraded: the configuration of ") }
    }

    /// `kill -USR1` must not silence the board.
    @Test func ignoresSignalsWithoutAMeaning() throws {
        let service = try Service("[State]\nInterval=100ms\n")
        try service.manager.wait(for: isReady)
        for number in [
            SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, __libc_current_sigrtmin(),
            __libc_current_sigrtmax(),
        ] {
            service.signal(number)
        }
        let position = service.savedPosition
        try service.wait("music") { service.savedPosition > position + 0.2 }
        service.signal(SIGTERM)
        #expect(service.wait() == 0)
    }

    @Test func secondDaemonWithTheSameStateFolderExits() throws {
        let service = try Service("[State]\nInterval=100ms\n")
        try service.manager.wait(for: isReady)
        let second = try Service("[State]\nInterval=100ms\n", in: service.folder)
        #expect(second.wait() == 75)
        #expect(
            second.output.contains("/state is in use by another Tacet (process \(service.pid)): stop it"),
            "\(second.output)")
        let position = service.savedPosition
        try service.wait("checkpoint") { service.savedPosition > position }
        // The kernel releases the lock of a killed process.
        service.kill()
        let third = try Service("[State]\nInterval=100ms\n", in: service.folder)
        try third.manager.wait(for: isReady)
    }

    @Test func simulateRefusesTheStateFolderOfARunningDaemon() throws {
        let service = try Service()
        try service.manager.wait(for: isReady)
        let scenario = service.folder.appendingPathComponent("scenario")
        try "1s end\n".write(to: scenario, atomically: true, encoding: .utf8)
        let simulate = {
            let log = open(
                service.folder.appendingPathComponent("log").path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
            defer { close(log) }
            return try Subprocess(
                [
                    try BuiltProgram.path("tacet"), "simulate", scenario.path,
                    "--config", service.folder.appendingPathComponent("tacet.conf").path,
                    "--state", service.folder.appendingPathComponent("state").path,
                ], errors: log
            ).wait() >> 8
        }
        #expect(try simulate() == 1)
        #expect(service.output.contains("is in use by another Tacet (process \(service.pid))"), "\(service.output)")
        service.kill()
        #expect(try simulate() == 0, "\(service.output)")
    }

    @Test func invalidConfigurationExitsWith78() throws {
        let service = try Service("[Playbck]\n")
        #expect(service.wait() == 78)
        try service.wait("entry") { service.output.contains("tacet.conf:6: error:") }
    }
}
