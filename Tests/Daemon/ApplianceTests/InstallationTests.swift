import AudioSession
import Clocks
import Configuration
import Playback
import ResumeStore
import SoundLab
import Supervisor
import Systemd
import Testing

@testable import Appliance

@Suite struct InstallationTests {
    private let lab: ApplianceLab
    private let loop: EventLoop
    private let store: ResumeStore
    private let writer: StateWriter
    private let recording: RecordingControl

    init() throws {
        lab = try ApplianceLab()
        loop = try EventLoop()
        recording = RecordingControl(in: loop)
        store = ResumeStore(directory: lab.folder + "/state")
        writer = StateWriter(store)
    }

    /// An installation and its reports.
    private final class Watched {
        let installation: Installation
        private(set) var reports: [Report] = []
        private(set) var preferences: [Bool] = []
        private(set) var orders: [String] = []
        private let loop: EventLoop

        init(_ installation: Installation, _ loop: EventLoop) {
            self.installation = installation
            self.loop = loop
            // This object replaces the owner of the installation.
            installation.onNews = { [unowned self] news in
                switch news {
                case .reported(let report, _): reports.append(report)
                case .preferred(let isPreferred): preferences.append(isPreferred)
                case .playerOrdered(let player, let command): orders.append("\(player) \(command)")
                case .settled, .passing, .changed, .saving, .tracks, .listChosen: break
                }
            }
        }

        var notifications: [SessionNotification] { reports.flatMap(\.notifications) }
        var causes: [Cause] { reports.map(\.cause) }
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

    private func install(
        _ text: String = "", after predecessor: Installation? = nil, _ change: (inout Configuration) -> Void = { _ in }
    ) throws -> Watched {
        var configuration = try lab.configuration(text)
        change(&configuration)
        let tracks = try Library.load(try #require(configuration.playback.library)).tracks
        let installation = try Installation(
            configuration, tracks: tracks, health: Health(), store: store, writer: writer, timeout: .zero,
            loop: loop, outputs: OutputLines(lab.host.writer(), in: loop), recording: recording,
            on: lab.host)
        let watched = Watched(installation, loop)
        try installation.start(after: predecessor)
        return watched
    }

    /// A receiver reports the end of audio only after a pause, and this time is part of the idle time.
    @Test func inputBeginsAndCeasesAtTheTimesThatItsReceiverReports() throws {
        let watched = try install("[Input air]\nFrom=pipe:\(lab.folder)/air\nAttack=1min\nIdle=1min\n")
        func report(_ arrives: Bool) {
            watched.installation.liveInputs.onArrival("air", arrives, SystemClock.monotonic.now - .seconds(60))
        }
        report(true)
        #expect(watched.installation.scene.session.source == .input("air"))
        report(false)
        #expect(watched.installation.scene.session.source == .library)
        try watched.end()
    }

    @Test func inputThatIsNotHeardIsAFaultAndBeginsAnew() throws {
        let watched = try install("[Input air]\nFrom=pipe:\(lab.folder)/air\n")
        let installation = watched.installation
        installation.liveInputs.onArrival("air", true, SystemClock.monotonic.now)
        try watched.wait("the input") { $0.installation.scene.session.source == .input("air") }
        let input = try #require(installation.liveInputs.inputs.first)
        let before = input.buffer
        installation.liveInputs.onDelivery("air", false)
        #expect(input.buffer !== before)
        #expect(installation.health.lost.keys.map(\.description) == ["input air:lost"])
        installation.liveInputs.onDelivery("air", true)
        #expect(installation.health.lost.isEmpty)
        try watched.end()
    }

    @Test func mutedCardIsAFaultOfTheSession() throws {
        let watched = try install()
        // The mixer is read once the device is open.
        try watched.waitUntilItPlays()
        watched.installation.mixer.onChange(.muted(.mixer(card: 0, control: "Master")))
        func faults() -> [String] { watched.installation.scene.session.faults.map(\.description) }
        try watched.wait("the fault") { _ in faults() == ["output:muted"] }
        #expect(
            watched.installation.scene.inaudibility
                == "nothing can be heard because the mixer of card 0 has Master muted (see ‘alsamixer -c 0’)")
        watched.installation.mixer.onChange(.audible)
        #expect(faults().isEmpty)
        try watched.end()
    }

    /// Apple's `setPrefersNoInterruptionsFromSystemAlerts(_:)`, for alerts that are asserted from then on.
    @Test func clientDecidesWhetherAlertsInterrupt() throws {
        let watched = try install("[Signal phone-call]\nAlert=yes\nReleaseDelay=0s\n")
        func prefer(_ isPreferred: Bool) {
            watched.installation.setPrefersNoInterruptionsFromSystemAlerts(isPreferred, from: .bus(BusCaller()))
        }
        func isSuppressed() -> Bool {
            watched.reports.flatMap(\.noOpReasons).contains { if case .suppressed = $0 { true } else { false } }
        }
        try watched.waitUntilItPlays()
        prefer(true)
        #expect(watched.installation.configuration.session.prefersNoInterruptionsFromSystemAlerts)
        #expect(watched.installation.supervisor.session.policy == watched.installation.configuration.session)
        lab.board.edge(true)
        try watched.wait("suppression") { _ in isSuppressed() }
        #expect(watched.directive == .play(.full) && watched.notifications == [])
        lab.board.edge(false)
        try watched.wait("release") { $0.installation.scene.session.saved.held == [] }
        prefer(false)
        lab.board.edge(true)
        try watched.wait("interruption") { $0.directive == .silent }
        #expect(watched.notifications == [.began(.default)])
        #expect(watched.preferences == [true, false])
        // The change is not a reload, so no sounds are read again, and clients are not notified.
        #expect(watched.causes.filter { $0 == .note(.preferenceChanged) }.count == 2)
        #expect(!watched.causes.contains(.note(.reloaded)))
        #expect(watched.reports.allSatisfy { $0.cause != .note(.preferenceChanged) || !$0.isTold })
        try watched.end()
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

    @Test func playerIsPausedAndResumedWithTheMusicAndKeptAcrossARestart() throws {
        let players = "[Signal phone-call]\nReleaseDelay=0s\n[Player mpd]\nMPD=/run/mpd/socket\n"
        let watched = try install(players)
        watched.installation.report("mpd", .playing, isOwn: false)
        lab.board.edge(true)
        try watched.wait("interruption") { $0.orders == ["mpd pause"] }
        watched.installation.report("mpd", .paused, isOwn: false)
        #expect(watched.installation.scene.session.keptPlayers == ["mpd"])
        try watched.end()
        // A reload does not forget it.
        let next = try install(players, after: watched.installation)
        #expect(next.orders == [] && next.installation.scene.session.keptPlayers == ["mpd"])
        try next.end()
        // After a restart, it is assumed to be as before until it reports something else.
        let restarted = try install(players)
        #expect(restarted.orders == [] && restarted.installation.scene.session.keptPlayers == ["mpd"])
        lab.board.edge(false)
        try restarted.wait("end") { $0.orders == ["mpd play"] }
        try restarted.end()
    }

    private static let recorder = """
        [Session]
        Category=playAndRecord
        [Recording]
        Device=null
        Directory=recordings

        """

    @Test func recordsAgainAfterASleep() throws {
        let watched = try install(Self.recorder)
        let installation = watched.installation
        #expect(installation.command(.record, from: .bus(BusCaller())) == .success)
        try watched.wait("recording") { _ in recording.recorded > .milliseconds(100) }
        var isAsleep = false
        try installation.sleep(within: .seconds(20)) { isAsleep = true }
        try watched.wait("sleep") { _ in isAsleep }
        installation.wake(from: nil)
        let before = recording.recorded
        try watched.wait("recording") { _ in recording.recorded > before + .milliseconds(100) }
        try watched.end()
    }

    /// The watchdog observes the recorder's threads.
    @Test func recorderShowsItsProgress() throws {
        let watched = try install(Self.recorder)
        let installation = watched.installation
        #expect(installation.recorderProgress == nil)
        #expect(installation.command(.record, from: .bus(BusCaller())) == .success)
        try watched.wait("recording") { _ in recording.recorded > .zero }
        #expect(installation.command(.stopRecording, from: .bus(BusCaller())) == .success)
        let before = try #require(installation.recorderProgress)
        for part in [ProgressWatch.Part.capture, .recording] {
            try watched.wait("turns of \(part)") { _ in
                installation.poke([part])
                guard let now = installation.recorderProgress else { return false }
                return now.captureTurns > before.captureTurns && now.storageTurns > before.storageTurns
            }
        }
        try watched.end()
    }

    /// The recording waits for the disk. Until then, it is not reported as being written.
    @Test func recordIsDeferredWhileTheDiskRejectsTheRecording() throws {
        let watched = try install(Self.recorder + "Directory=music/0.wav/recordings\n")
        let installation = watched.installation
        #expect(installation.command(.record, from: .bus(BusCaller())) == .success)
        try watched.wait("failure") { $0.installation.health[.recording] != nil }
        #expect(installation.command(.record, from: .bus(BusCaller())) == .deferred)
        let words = "\(Explanation(installation.context))"
        #expect(words.contains(" The recording is kept in memory for some seconds (cannot"), "\(words)")
        #expect(installation.scene.recordingFile == nil)
        try watched.end()
    }

    @Test func staysSilentWhileTheLineIsAssertedAtItsStart() throws {
        lab.board.edge(true)
        let watched = try install()
        #expect(watched.directive == .silent && watched.installation.scene.session.intent == .playing)
        lab.board.edge(false)
        try watched.waitUntilItPlays()
        #expect(watched.causes.first?.description == "boot")
        #expect(watched.causes.contains(.event(.edge(Edge("phone-call", asserted: false)))))
        try watched.end()
    }

    @Test func pulledPlugPausesAndItsReturnResumesNothing() throws {
        let watched = try install("[Playback]\nJack=Headphone Jack\n")
        try watched.waitUntilItPlays()
        lab.jacks.plug(false)
        try watched.wait("pause") { $0.directive == .silent }
        #expect(watched.notifications == [.routeChanged(.oldDeviceUnavailable)])
        #expect(watched.installation.context.route == "unplugged")
        lab.jacks.plug(true)
        try watched.wait("return") { $0.notifications.last == .routeChanged(.newDeviceAvailable) }
        #expect(watched.installation.scene.session.intent == .paused)
        #expect(watched.installation.context.route == "preferred")
        try watched.end()
    }

    @Test func startWithoutAPlugPlaysAndNotifiesItsInsertion() throws {
        lab.jacks.plug(false)
        let watched = try install("[Playback]\nJack=Headphone Jack\n")
        try watched.waitUntilItPlays()
        #expect(watched.notifications == [])
        lab.jacks.plug(true)
        try watched.wait("insertion") { $0.notifications == [.routeChanged(.newDeviceAvailable)] }
        try watched.end()
    }

    @Test func missingJackIsAFaultAndPausesNothing() throws {
        let watched = try install("[Playback]\nJack=Line Out Jack\n")
        try watched.waitUntilItPlays()
        #expect(watched.installation.health[.jack]?.contains("no sound card has a jack of this name") == true)
        try watched.end()
        let other = try install("[Playback]\nJack=Headphone Jack\n", after: watched.installation)
        #expect(other.installation.health[.jack] == nil)
        lab.jacks.remove()
        try other.wait("fault") { $0.installation.health[.jack] != nil }
        #expect(other.directive == .play(.full))
        try other.end()
    }

    private static let outputs = """
        [Output amplifier]
        Line=AMP
        Means=amplifier
        Lag=10ms
        [Output lamp]
        Line=LAMP
        ActiveLow=yes
        Means=interrupted
        [Output ok]
        Line=OK
        Means=healthy

        """

    @Test func outputsFollowTheSession() throws {
        let watched = try install(Self.outputs)
        try watched.waitUntilItPlays()
        #expect(lab.outputs.levels == ["AMP": true, "LAMP": true, "OK": true])
        lab.board.edge(true)
        try watched.wait("amplifier") { _ in lab.outputs.levels["AMP"] == false }
        #expect(lab.outputs.levels == ["AMP": false, "LAMP": false, "OK": true])
        #expect(watched.causes.contains(.note(.output("amplifier", asserted: false))))
        #expect(watched.installation.scene.snapshot().outputs == ["lamp", "ok"])
        #expect(
            watched.installation.heldLines.map(\.title).suffix(3) == ["output amplifier", "output lamp", "output ok"])
        lab.board.edge(false)
        try watched.wait("end of it") { $0.directive == .play(.full) }
        #expect(lab.outputs.levels == ["AMP": true, "LAMP": true, "OK": true])
        try watched.end()
    }

    @Test func healthyDropsWithAWireAnOutputOrAThread() throws {
        let watched = try install(Self.outputs)
        try watched.waitUntilItPlays()
        lab.board.unplug()
        try watched.wait("lost wire") { _ in lab.outputs.levels["OK"] == false }
        lab.board.hasChip = true
        watched.installation.levelsMayHaveChanged()
        try watched.wait("wire") { _ in lab.outputs.levels["OK"] == true }
        watched.installation.makesProgress(false)
        #expect(lab.outputs.levels["OK"] == false)
        watched.installation.makesProgress(true)
        #expect(lab.outputs.levels["OK"] == true)
        #expect(watched.causes.contains(.note(.output("ok", asserted: true))))
        try watched.end()
    }

    @Test(.enabled(if: RealTimePriority.isAllowed))
    func anOutputThatAnotherProgramHoldsIsAFaultUntilItIsFree() throws {
        lab.outputs.holders = ["AMP": "gpioset"]
        let watched = try install(Self.outputs)
        try watched.waitUntilItPlays()
        #expect(watched.installation.context.complaints == ["output amplifier is lost (in use by ‘gpioset’)"])
        #expect(lab.outputs.levels == ["LAMP": true, "OK": false])
        // The output was not on even for a moment.
        #expect(lab.outputs.history["OK"]?.contains(true) == false)
        lab.outputs.holders = [:]
        watched.installation.levelsMayHaveChanged()
        try watched.wait("output") { $0.installation.context.complaints.isEmpty }
        #expect(lab.outputs.levels == ["AMP": true, "LAMP": true, "OK": true])
        try watched.end()
    }

    @Test func aPressedButtonSendsItsCommand() throws {
        let watched = try install()
        try watched.waitUntilItPlays()
        for level in [true, false] { lab.board.edge(level, of: "PLAY") }
        lab.board.edge(true, of: "PLAY")
        try watched.wait("command") { $0.causes.contains(.event(.command(.playPause))) }
        #expect(watched.installation.scene.session.intent == .paused)
        // The button bounced before it stayed pressed, which must cause only one command.
        lab.board.edge(true)
        try watched.wait("edge") { $0.causes.contains(.event(.edge(Edge("phone-call", asserted: true)))) }
        #expect(watched.causes.filter { $0 == .event(.command(.playPause)) }.count == 1)
        try watched.end()
    }

    @Test func aLongPressSendsItsCommandWhileTheButtonIsHeld() throws {
        let watched = try install("[Button play]\nLongCommand=stop\nLongPress=100ms\n")
        try watched.waitUntilItPlays()
        lab.board.edge(true, of: "PLAY")
        try watched.wait("stop") { $0.causes.contains(.event(.command(.stop))) }
        lab.board.edge(false, of: "PLAY")
        lab.board.edge(true)
        try watched.wait("edge") { $0.causes.contains(.event(.edge(Edge("phone-call", asserted: true)))) }
        #expect(!watched.causes.contains(.event(.command(.playPause))))
        try watched.end()
    }

    @Test func aPressThatOutlivesAReloadSendsNothing() throws {
        let keys = "[Button play]\nDebounce=0s\nLongCommand=stop\nLongPress=10s\n"
        let first = try install(keys)
        try first.waitUntilItPlays()
        lab.board.edge(true, of: "PLAY")
        try first.end()
        let second = try install(keys, after: first.installation)
        try second.waitUntilItPlays()
        // The button is still held, and is then released.
        lab.board.edge(false, of: "PLAY")
        lab.board.edge(true)
        try second.wait("edge") { $0.causes.contains(.event(.edge(Edge("phone-call", asserted: true)))) }
        let commands = (first.causes + second.causes).filter {
            if case .event(.command, _) = $0 { true } else { false }
        }
        #expect(commands.isEmpty)
        try second.end()
    }

    @Test func aThousandPressesAreAFaultAndFewCommands() throws {
        let watched = try install("[Button play]\nDebounce=0s\nCommand=next\n")
        try watched.waitUntilItPlays()
        for _ in 0..<1000 {
            lab.board.edge(true, of: "PLAY")
            lab.board.edge(false, of: "PLAY")
        }
        try watched.wait("fault") { $0.installation.health.buttons.contains { $0.contains("chattering") } }
        try watched.wait("end of the chatter") { $0.installation.health.buttons.isEmpty }
        #expect((1...20).contains(watched.causes.filter { $0 == .event(.command(.next)) }.count))
        try watched.end()
    }

    @Test func announcementIsHeardAndReportedWithItsNumber() throws {
        try TestMusic.writeNumbers(to: "\(lab.folder)/gong.wav", frames: 4800)
        let watched = try install { configuration in
            configuration.session.sounds = [SoundPolicy(id: "gong"), SoundPolicy(id: "siren")]
            configuration.sounds = [
                "gong": SoundSettings(file: "\(lab.folder)/gong.wav"),
                "siren": SoundSettings(file: "\(lab.folder)/siren.wav"),
            ]
        }
        let installation = watched.installation
        try watched.waitUntilItPlays()
        try watched.wait("sounds") { _ in
            !installation.context.soundLengths.isEmpty && !installation.context.soundProblems.isEmpty
        }
        #expect(installation.context.soundLengths == ["gong": .milliseconds(100)])
        let complaint = installation.context.complaints.joined()
        #expect(complaint.hasPrefix("the file of the sound siren cannot be read: "), "\(complaint)")
        #expect(complaint.contains("No such file"), "\(complaint)")
        let bus = Issuer.bus(BusCaller())
        var answers: [(answer: Answer, id: Announcement.ID)] = []
        func announce(_ announcement: Announcement) -> (answer: Answer, id: Announcement.ID)? {
            installation.announce(announcement, file: nil, from: bus) { answers.append(($0, $1)) }
            return answers.popLast()
        }
        let refused = try #require(announce(Announcement("siren")))
        #expect(refused == (.noSuchContent, 0))
        let (answer, id) = try #require(announce(Announcement("gong")))
        #expect(answer == .success && id > 0)
        let end = try #require(installation.context.soundEnd)
        #expect(end > installation.context.now)
        #expect("\(Explanation(installation.context))".contains("because the announcement gong is playing. "))
        let second = try #require(announce(Announcement("gong", expire: .never)))
        #expect(second == (.deferred, id + 1))
        try watched.wait("ends") { $0.notifications.filter { $0 == .soundEnded("gong", id: id + 1) }.count == 1 }
        #expect(
            watched.notifications == [
                .soundBegan("gong", id: id), .soundEnded("gong", id: id), .soundBegan("gong", id: id + 1),
                .soundEnded("gong", id: id + 1),
            ])
        #expect(installation.context.soundEnd == nil)
        try watched.end()
    }

    @Test func acceptsEveryCommandItCanExecute() throws {
        let watched = try install()
        #expect(watched.installation.command(.pause, from: .bus(BusCaller())) == .success)
        #expect(watched.directive == .silent)
        lab.board.edge(true)
        try watched.wait("edge") { $0.causes.contains(.event(.edge(Edge("phone-call", asserted: true)))) }
        #expect(watched.installation.command(.play, from: .bus(BusCaller())) == .deferred)
        #expect(watched.directive == .silent && watched.installation.scene.session.intent == .playing)
        try watched.end()
    }

    @Test func aLostLineIsAFaultUntilItsChipReturns() throws {
        let watched = try install()
        try watched.waitUntilItPlays()
        lab.board.unplug()
        let lost = Fault("phone-call", .lost)
        try watched.wait("fault") { $0.causes.contains(.event(.fault(lost))) }
        #expect(watched.installation.heldLines.isEmpty)
        #expect(watched.installation.health.buttons.count == 1)
        #expect(watched.installation.context.places["phone-call"] == nil)
        lab.board.hasChip = true
        watched.installation.levelsMayHaveChanged()
        try watched.wait("return") { $0.causes.contains(.event(.cleared(lost))) }
        try watched.wait("button") { $0.installation.health.buttons.isEmpty }
        #expect(watched.installation.heldLines.count == 2)
        #expect(watched.installation.context.places["phone-call"] == "line CALL, gpiochip0 0")
        try watched.end()
    }

    @Test func savesItsStateAndReleasesItsLinesAtTheEnd() throws {
        let watched = try install("[Signal phone-call]\nDebounce=0s\n")
        try watched.waitUntilItPlays()
        var ends = 0
        try watched.installation.end(within: .seconds(20)) { ends += 1 }
        // From now on, neither a second request nor an edge changes anything.
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
        #expect(installation.canAdopt(try lab.configuration("[Playback]\nDuckAttack=9s\n"), installation.tracks))
        #expect(!installation.canAdopt(try lab.configuration("[Playback]\nFadeOut=9ms\n"), installation.tracks))
        #expect(!installation.canAdopt(try lab.configuration("[Playback]\nDevice=other\n"), installation.tracks))
        let rewired = try lab.configuration("[Signal phone-call]\nLine=PLAY\n[Button play]\nLine=CALL\n")
        #expect(!installation.canAdopt(rewired, installation.tracks))

        try installation.adopt(quieter)
        #expect(installation.configuration.playback.fadeIn == .milliseconds(5))
        #expect(watched.causes.contains(.note(.reloaded)) && watched.directive == .play(.full))
        try watched.end()
    }
}
