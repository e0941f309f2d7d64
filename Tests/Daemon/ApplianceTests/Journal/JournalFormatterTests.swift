import AudioSession
import Configuration
import Foundation
import ResumeStore
import Systemd
import Testing
import Vocabulary

@testable import ALSA
@testable import Appliance
@testable import Playback
@testable import Supervisor

/// The journal's entries.
@Suite struct JournalFormatterTests {
    private let phone = SignalID("phone-call")
    private let alarm = SignalID("alarm")
    private var configuration: Configuration {
        var configuration = Configuration.builtIn
        configuration.sources = [phone: .line(Wiring(line: .named("PHONE_CALL", chip: nil)))]
        return configuration
    }

    /// Returns the entries of the last of these events.
    private func entries(
        _ causes: [Cause], formatter: inout JournalFormatter
    ) throws -> [JournalEntry] {
        var session = Session(policy: configuration.session)
        session.handle(.boot(Boot(saved: nil, trackCount: 2)), at: .zero)
        var entries: [JournalEntry] = []
        for (number, cause) in causes.enumerated() {
            let before = ActiveSignals(session)
            var report = Report(time: .seconds(number + 1), cause: cause)
            for action in cause.event.map({ session.handle($0, at: report.time) }) ?? [] {
                switch action {
                case .post(let notification): report.notifications.append(notification)
                case .log(let noOpReason): report.noOpReasons.append(noOpReason)
                case .answer(let answer): report.answer = answer
                default: break
                }
            }
            let after = ActiveSignals(session)
            (report.over, report.begun) = (before.subtracting(after), after.subtracting(before))
            let scene = StateSnapshot(
                session: session, configuration: configuration, track: "/srv/music/One.flac", position: .seconds(151))
            entries = formatter.entries(for: report, in: scene)
        }
        return entries
    }

    private func entry(_ causes: [Cause], _ formatter: inout JournalFormatter) throws -> JournalEntry {
        let first = try entries(causes, formatter: &formatter).first
        return try #require(first)
    }

    /// With `WhenLost=release`, the end of a signal that is lost is not the end of what it reported.
    @Test func interruptionThatEndsWithALossSaysSo() throws {
        var formatter = JournalFormatter()
        let lost = Cause.event(.fault(Fault(phone, .lost)))
        let (rings, released) = (Cause.event(.edge(Edge(phone, asserted: true))), Edge(phone, asserted: false))
        let over = try entry([rings, lost, .event(.edge(released))], &formatter)
        #expect(over.event == .interruptionEnded && over.priority == .warning && over[.fault] == ["lost"])
        #expect(
            over.message == "The interruption is over because phone-call (PHONE_CALL) is lost and counts as released. "
                + "Tacet plays ‘One.flac’ at 2:31.")
        #expect(
            over[.outcome] == [
                "plays ‘One.flac’ at 2:31, because phone-call (PHONE_CALL) is lost and counts as released"
            ])
        // Another signal continues the interruption.
        let cover = Cause.event(.edge(Edge("cover-closed", asserted: true)))
        let edge = try entry([rings, cover, lost, .event(.edge(released))], &formatter)
        #expect(edge.event == .signal && edge[.fault] == ["lost"])
        #expect(edge.message == "phone-call (PHONE_CALL) is lost and counts as released.")
        let duck = Cause.event(.edge(Edge(alarm, asserted: true)))
        let end = try entry(
            [duck, .event(.fault(Fault(alarm, .lost))), .event(.edge(Edge(alarm, asserted: false)))], &formatter)
        #expect(end.event == .duckEnded && end.priority == .warning && end[.fault] == ["lost"])
        #expect(end.message.hasSuffix(" because alarm is lost and counts as released."), "\(end.message)")
    }

    @Test func storageThatDoesNotKeepUpIsLoggedUntilItDoes() throws {
        var formatter = JournalFormatter()
        let slow = try entry([.note(.playback(.storageStarved))], &formatter)
        #expect(slow.event == .storageSlow && slow[.playing] == ["no"])
        #expect(slow[.outcome] == ["continues once enough has been read"])
        let recovered = try entry([.note(.playback(.storageRecovered))], &formatter)
        #expect(recovered.event == .storageRecovered && recovered[.playing] == ["yes"])
        #expect(recovered.message == "Enough of the music has been read: plays ‘One.flac’ at 2:31.")
        // A lost disk is logged as such.
        let loss = Cause.note(.playback(.storageLost(StorageLoss(path: "/srv/music/One.flac"))))
        #expect(try entry([loss], &formatter).event == .storageLost)
        for event in [PlaybackEvent.storageStarved, .storageRecovered] {
            #expect(try entries([.note(.playback(event))], formatter: &formatter).isEmpty)
        }
        #expect(try entry([.note(.playback(.storageReturned))], &formatter).event == .storageReturned)
        #expect(try entry([.note(.playback(.storageStarved))], &formatter).event == .storageSlow)
    }

    @Test func interruptionNamesItsWireTrackAndPosition() throws {
        var formatter = JournalFormatter()
        let entry = try entry([.event(.edge(Edge(phone, asserted: true)))], &formatter)
        #expect(entry.event == .interruptionBegan)
        #expect(entry.message == "Interrupted by phone-call (PHONE_CALL). Tacet will resume ‘One.flac’ at 2:31.")
        #expect(entry[.signal] == ["phone-call"] && entry[.effect] == ["pause"] && entry[.reason] == ["default"])
        #expect(entry[.playing] == ["no"] && entry[.intent] == ["playing"])
        #expect(entry[.outcome] == ["will resume ‘One.flac’ at 2:31"])
        #expect(entry[.track] == ["/srv/music/One.flac"] && entry[.position] == ["151000000"])
    }

    @Test func endOfAnInterruptionSaysWhetherPlaybackResumes() throws {
        let call = [Cause.event(.edge(Edge(phone, asserted: true))), .event(.edge(Edge(phone, asserted: false)))]
        var formatter = JournalFormatter()
        let resumed = try entry(call, &formatter)
        #expect(resumed.event == .interruptionEnded && resumed[.shouldResume] == ["yes"])
        #expect(resumed.message == "The interruption is over. Tacet plays ‘One.flac’ at 2:31.")
        #expect(resumed[.outcome] == ["plays ‘One.flac’ at 2:31"] && resumed[.playing] == ["yes"])
        let paused = try entry([call[0], .event(.command(.pause)), call[1]], &formatter)
        #expect(paused.message == "The interruption is over. Tacet stays paused in ‘One.flac’ at 2:31.")
    }

    /// A call and the loss of a card coincide. The journal must name the same cause as `tacet why`.
    @Test func namesTheSameCauseAsTacetWhy() throws {
        var formatter = JournalFormatter()
        let both = [Cause.event(.edge(Edge(phone, asserted: true))), .event(.mediaServicesLost)]
        let asked = try entry(both + [.event(.command(.seek(to: .seconds(3))))], &formatter)
        #expect(asked[.outcome] == ["quiet because phone-call (PHONE_CALL) is asserted"])
        let mute = try entry([.event(.command(.volume(.mute)))], &formatter)
        #expect(mute[.outcome] == ["quiet because the volume is mute"] && mute[.playing] == ["yes"])
        let alone = try entry([.event(.mediaServicesLost), .event(.command(.play))], &formatter)
        #expect(alone[.outcome] == ["quiet because there is no sound device"])
        let unplugged = try entries([.event(.routeLost)], formatter: &formatter).last
        #expect(
            unplugged?[.outcome]
                == ["stays paused in ‘One.flac’ at 2:31 because the output in use was unplugged"])
    }

    /// The file may turn out to be unplayable.
    @Test func trackInSearchIsLoggedAsSelectedAndNotAsPlaying() throws {
        var session = Session(policy: configuration.session)
        session.handle(.boot(Boot(saved: nil, trackCount: 2)), at: .zero)
        var scene = StateSnapshot(
            session: session, configuration: configuration, track: "/music/bad.flac", position: .zero)
        scene.isSearching = true
        var report = Report(time: .zero, cause: .event(.command(.next)))
        report.answer = .success
        var formatter = JournalFormatter()
        let entries = formatter.entries(for: report, in: scene)
        #expect(entries.map(\.message) == ["next: success. Tacet selects ‘bad.flac’ at 0:00."])
    }

    @Test func atMostFiveUnreadableFoldersAreNamed() {
        let folders = (1...7).map {
            LibraryError.system(EACCES, .folder, operation: "read folder", Track(path: "/music/\($0)"))
        }
        let one = JournalFormatter().foldersUnreadable([folders[0]])
        #expect(one.event == .foldersUnreadable && one.priority == .warning)
        #expect(one.message.contains("cannot read folder \"/music/1\": Permission denied"))
        let seven = JournalFormatter().foldersUnreadable(folders)
        #expect(seven.message.contains("/music/5") && !seven.message.contains("/music/6"))
        #expect(seven.message.hasSuffix("and 2 more"))
    }

    /// The names let a search for a signal's entries find the end as well.
    @Test func endOfAnInterruptionNamesItsSignals() throws {
        let call = [Cause.event(.edge(Edge(phone, asserted: true))), .event(.fault(Fault(phone, .stuck)))]
        var formatter = JournalFormatter()
        let released = try entry([call[0], .event(.edge(Edge(phone, asserted: false)))], &formatter)
        #expect(released[.signal] == ["phone-call"])
        // A play by the user drops all stuck signals, and no others.
        let cover = [
            Cause.event(.edge(Edge("cover-closed", asserted: true))), .event(.fault(Fault("cover-closed", .stuck))),
        ]
        let dropped = try entries(
            call + cover + [.event(.edge(Edge(alarm, asserted: true))), .event(.command(.play))],
            formatter: &formatter)
        #expect(dropped.map(\.event) == [.command, .interruptionEnded])
        #expect(dropped.last?[.signal] == ["phone-call", "cover-closed"])
    }

    /// The interruption continues, because another signal is asserted.
    @Test func stuckSignalDroppedByPlayIsLoggedDuringAnInterruption() throws {
        var formatter = JournalFormatter()
        let told = try entries(
            [
                .event(.edge(Edge(phone, asserted: true))), .event(.fault(Fault(phone, .stuck))),
                .event(.edge(Edge("cover-closed", asserted: true))), .event(.command(.play)),
            ], formatter: &formatter)
        #expect(told.map(\.event) == [.command, .signal] && told.last?[.signal] == ["phone-call"])
    }

    @Test func duckEndedByACommandNamesOnlyItsOwnSignals() throws {
        var formatter = JournalFormatter()
        let told = try entries(
            [
                .event(.edge(Edge(phone, asserted: true))), .event(.edge(Edge(alarm, asserted: true))),
                .event(.fault(Fault(alarm, .stuck))),
                .event(.command(.play)),
            ], formatter: &formatter)
        #expect(told.map(\.event) == [.command, .duckEnded] && told.last?[.signal] == ["alarm"])
    }

    /// The latency is measured from the kernel's edge, not from the end of debouncing.
    @Test func latencyIsMeasuredFromTheEdge() throws {
        var formatter = JournalFormatter()
        formatter.turned(phone, toAssert: true, at: .milliseconds(970), debounce: .milliseconds(30))
        _ = try entries([.event(.edge(Edge(phone, asserted: true)))], formatter: &formatter)
        let effect = CommandEffect(given: .seconds(1), heard: .milliseconds(1012), frame: 4711)
        let entry = try entry([.note(.playback(.effect(effect)))], &formatter)
        #expect(entry.event == .interruptionHeard)
        #expect(entry[.latency] == ["42000"] && entry[.signal] == ["phone-call"])
        // The whole fade-out of 60 ms follows.
        #expect(entry[.silent] == ["102000"] && entry.priority == .info)
        #expect(
            entry.message == "phone-call (PHONE_CALL) took effect after 42 ms; silent after 102 ms.")
        let again = try entries([.note(.playback(.effect(effect)))], formatter: &formatter)
        #expect(again.isEmpty)
    }

    @Test func latencyAboveTheReactionBoundIsAWarning() throws {
        let bound = try #require(ReactionBound(of: phone, under: configuration))
        #expect(bound.total == .milliseconds(150))
        for (late, priority) in [(Duration.zero, Journal.Priority.info), (.microseconds(1), .warning)] {
            var formatter = JournalFormatter()
            formatter.turned(phone, toAssert: true, at: .milliseconds(970), debounce: .milliseconds(30))
            _ = try entries([.event(.edge(Edge(phone, asserted: true)))], formatter: &formatter)
            let heard = .milliseconds(970) + bound.total - bound.ramp + late
            let effect = CommandEffect(given: .seconds(1), heard: heard, frame: 4711)
            let entry = try entry([.note(.playback(.effect(effect)))], &formatter)
            #expect(entry.priority == priority, "\(entry.message)")
            #expect(entry.message.contains("longer than the 150 ms") == (priority == .warning))
        }
    }

    /// A duck is complete when its level is reached.
    @Test func duckIsCompleteAfterDuckAttack() throws {
        var formatter = JournalFormatter()
        _ = try entries([.event(.edge(Edge(alarm, asserted: true)))], formatter: &formatter)
        let effect = CommandEffect(given: .seconds(1), heard: .milliseconds(1012), frame: 4711)
        let entry = try entry([.note(.playback(.effect(effect)))], &formatter)
        #expect(entry[.silent] == ["132000"] && entry.message.contains("at the reduced level after 132 ms"))
    }

    @Test func interruptionWithManualResumeSaysThatItWaitsForPlay() throws {
        var configuration = configuration
        configuration.session.signals[0].resume = .manual
        var session = Session(policy: configuration.session)
        session.handle(.boot(Boot(saved: nil, trackCount: 2)), at: .zero)
        var report = Report(time: .seconds(1), cause: .event(.edge(Edge(phone, asserted: true))))
        session.handle(.edge(Edge(phone, asserted: true)), at: report.time)
        report.notifications = [.began(.default)]
        let scene = StateSnapshot(
            session: session, configuration: configuration, track: "/srv/music/One.flac", position: .seconds(151))
        var formatter = JournalFormatter()
        #expect(
            formatter.entries(for: report, in: scene).first?[.outcome]
                == ["will stay quiet in ‘One.flac’ at 2:31 until ‘tacet play’"])
    }

    @Test func startLogsTheLastSaveAndHowTheLastRunEnded() throws {
        var session = Session(policy: configuration.session)
        session.handle(.boot(Boot(saved: nil, trackCount: 2)), at: .zero)
        let scene = StateSnapshot(
            session: session, configuration: configuration, track: "/srv/music/One.flac", position: .seconds(151))
        let boot = String(repeating: "a", count: 32)
        let run = SavedState.Run(boot: boot, time: .seconds(70), isStopping: false)
        let state = SavedState(
            savedAt: .seconds(1_700_000_000), intent: "playing", track: nil, position: .zero, volume: 0, shuffleSeed: 0,
            held: [], episode: nil, run: run)
        let reading = try StateImage(of: state).outcome.get()
        for (present, stopping, end) in [
            (boot, false, "killed"), (boot, true, "stopped"), (String(repeating: "b", count: 32), false, "power-cut"),
            (String(repeating: "b", count: 32), true, "stopped"),
        ] {
            var run = run
            run.isStopping = stopping
            let entry = JournalFormatter().started(scene, from: reading, lastRun: RunEnd(run, boot: present))
            #expect(entry[.lastRun] == [end] && entry[.savedAt] == ["1700000000000000"])
            #expect(entry[.savedMonotonic] == ["70000000"] && entry[.savedBoot] == [boot])
        }
        // This happens at the first start, or with a state from an earlier version.
        #expect(JournalFormatter().started(scene)[.lastRun].isEmpty && RunEnd(nil, boot: boot) == nil)
    }

    /// Two signals begin at once, and the logged latency is that of the signal that changed the sound.
    @Test func latencyBelongsToTheSignalThatChangedTheSound() throws {
        var formatter = JournalFormatter()
        formatter.turned(phone, toAssert: true, at: .milliseconds(970), debounce: .zero)
        formatter.turned(alarm, toAssert: true, at: .milliseconds(980), debounce: .zero)
        _ = try entries(
            [.event(.edge(Edge(phone, asserted: true))), .event(.edge(Edge(alarm, asserted: true)))],
            formatter: &formatter)
        let effect = CommandEffect(given: .seconds(1), heard: .milliseconds(1012), frame: 4711)
        let entry = try entry([.note(.playback(.effect(effect)))], &formatter)
        #expect(entry[.latency] == ["42000"] && entry[.signal] == ["phone-call"])
    }

    /// The line was asserted again before its end was handled, so this edge belongs to the next assertion.
    @Test func laterAssertionSurvivesTheHandlingOfAnEnd() throws {
        var formatter = JournalFormatter()
        for (asserts, time) in [(true, 900), (false, 950), (true, 970)] {
            formatter.turned(phone, toAssert: asserts, at: .milliseconds(time), debounce: .zero)
        }
        _ = try entries(
            [
                .event(.edge(Edge(phone, asserted: true))), .event(.edge(Edge(phone, asserted: false))),
                .event(.edge(Edge(phone, asserted: true))),
            ], formatter: &formatter)
        let effect = CommandEffect(given: .seconds(3), heard: .milliseconds(1012), frame: 4711)
        #expect(try entry([.note(.playback(.effect(effect)))], &formatter)[.latency] == ["42000"])
    }

    /// A chattering line also interrupts.
    @Test func chatterLogsItsLatency() throws {
        var formatter = JournalFormatter()
        formatter.turned(phone, toAssert: true, at: .milliseconds(970), debounce: .zero)
        _ = try entries([.event(.fault(Fault(phone, .chatter)))], formatter: &formatter)
        let effect = CommandEffect(given: .seconds(1), heard: .milliseconds(1012), frame: 4711)
        #expect(try entry([.note(.playback(.effect(effect)))], &formatter)[.latency] == ["42000"])
    }

    /// The latency is measured from the first edge of the bounces, but not from an edge long before them.
    @Test func latencyOfABouncingContactCountsFromItsFirstEdge() throws {
        var formatter = JournalFormatter()
        for (time, level) in [(100, true), (101, false), (960, true), (965, false), (970, true)] {
            formatter.turned(
                phone, toAssert: level, at: .milliseconds(time), debounce: .milliseconds(30))
        }
        _ = try entries([.event(.edge(Edge(phone, asserted: true)))], formatter: &formatter)
        let effect = CommandEffect(given: .seconds(1), heard: .milliseconds(1012), frame: 4711)
        #expect(try entry([.note(.playback(.effect(effect)))], &formatter)[.latency] == ["52000"])
    }

    @Test func repeatedFaultsAreLimitedPerSignalAndButton() throws {
        var formatter = JournalFormatter()
        let fault = Cause.event(.fault(Fault(phone, .lost)))
        var messages: [String] = []
        for _ in 0..<100 { messages += try entries([fault], formatter: &formatter).map(\.message) }
        #expect(messages.count == 6)
        #expect(messages.last?.hasSuffix("(Further repeats are logged at most once an hour.)") == true)
        // Another signal has its own limit.
        #expect(try entries([.event(.fault(Fault(alarm, .lost)))], formatter: &formatter).count == 1)
        // Each button also has its own limit.
        for name in ["play", "stop"] {
            let entry = JournalEntry(.fault, "lost").with(.button, name)
            let told = (0..<9).compactMap { _ in formatter.limit(entry, at: .seconds(101)) }
            #expect(told.count == 6)
        }
    }

    @Test func signalThatJoinsAnEpisodeIsLogged() throws {
        var formatter = JournalFormatter()
        let both = [
            Cause.event(.edge(Edge(phone, asserted: true))), .event(.edge(Edge("cover-closed", asserted: true))),
        ]
        let entry = try entry(both, &formatter)
        #expect(entry.event == .signal && entry[.signal] == ["cover-closed"])
    }

    @Test func duckLogsItsLevel() throws {
        var formatter = JournalFormatter()
        let entry = try entry([.event(.edge(Edge(alarm, asserted: true)))], &formatter)
        #expect(entry.event == .duckBegan && entry[.level] == ["-14"] && entry[.effect] == ["duck"])
    }

    @Test func underrunsAreLoggedOnceAnHour() throws {
        var formatter = JournalFormatter()
        let gap = Cause.note(.playback(.underrun(queue: .milliseconds(22))))
        let first = try entries([gap], formatter: &formatter)
        #expect(first.first?.event == .underrun)
        let second = try entries([gap], formatter: &formatter)
        #expect(second.isEmpty)
        let later = formatter.entries(
            for: Report(time: .seconds(4000), cause: gap), in: StateSnapshot(after: [], configuration))
        #expect(later.first?.message.contains("(2 since") == true)
    }

    /// A gap is not audible in silence.
    @Test func underrunDuringSilenceIsNotLogged() throws {
        var formatter = JournalFormatter()
        let report = Report(time: .seconds(1), cause: .note(.playback(.underrun(queue: .milliseconds(22)))))
        let silent = formatter.entries(for: report, in: StateSnapshot(after: [.command(.pause)], configuration))
        #expect(silent.isEmpty)
        // The underrun is not counted either.
        let entry = formatter.entries(for: report, in: StateSnapshot(after: [], configuration)).first
        #expect(entry?.message.contains("(1 since") == true)
    }

    /// The entry contains the person or program that muted the appliance.
    @Test func volumeAndSeekAreLoggedWithTheirIssuer() throws {
        var formatter = JournalFormatter()
        let scene = StateSnapshot(
            session: Session(policy: configuration.session), configuration: configuration, track: nil,
            position: nil)
        let mute = Report(time: .seconds(1), cause: .event(.command(.volume(.mute))), answer: .success)
        let told = formatter.entries(
            for: mute, in: scene, from: .bus(BusCaller(user: 1000, process: getpid()))
        ).first
        #expect(told?[.command] == ["volume mute"] && told?[.level] == ["mute"] && told?[.answer] == ["success"])
        #expect(told?[.issuer] == ["bus"] && told?[.issuerUser] == ["1000"])
        #expect(told?[.issuerProcess] == ["\(getpid())"] && told?[.issuerName].count == 1)
        #expect(told?.message.contains(" (pid \(getpid()), uid 1000).") == true, "\(told?.message ?? "")")
        let seek = Report(time: .seconds(2), cause: .event(.command(.seek(to: .seconds(7)))), answer: .success)
        let byButton = formatter.entries(for: seek, in: scene, from: .button("skip")).first
        #expect(byButton?[.issuer] == ["button"] && byButton?[.button] == ["skip"])
        #expect(byButton?.message.hasSuffix(" Requested by button skip.") == true)
    }

    private func turn(_ decibels: Double, at time: Duration) throws -> Report {
        let level = try #require(Level(decibels: decibels))
        return Report(time: time, cause: .event(.command(.volume(level))), answer: .success)
    }

    @Test func limitedVolumeIsLoggedWithTheLevelThatApplies() throws {
        var formatter = JournalFormatter()
        var limited = configuration
        limited.session.maximumVolume = try #require(Level(decibels: -10))
        let scene = StateSnapshot(after: [.command(.volume(.full))], limited)
        let told = formatter.entries(for: try turn(-2, at: .seconds(1)), in: scene).first
        #expect(told?[.command] == ["volume -2dB"] && told?[.level] == ["-10"] && told?[.volume] == ["-10"])
        #expect(told?.message.hasPrefix("volume -2dB: success (limited to -10dB by MaximumVolume=).") == true)
        let quieter = formatter.entries(for: try turn(-20, at: .seconds(9)), in: scene).first
        #expect(quieter?[.level] == ["-20"] && quieter?.message.contains("limited") == false)
    }

    @Test func pressOfAButtonIsLoggedWithItsKind() throws {
        var formatter = JournalFormatter()
        let scene = StateSnapshot(after: [], configuration)
        let pause = Report(time: .seconds(1), cause: .event(.command(.pause)), answer: .success)
        let short = formatter.entries(for: pause, in: scene, from: .button("play", .short)).first
        #expect(short?[.button] == ["play"] && short?[.press] == ["press"])
        #expect(short?.message.hasSuffix(" Requested by button play.") == true)
        let long = formatter.entries(for: pause, in: scene, from: .button("play", .long)).first
        #expect(long?[.button] == ["play"] && long?[.press] == ["long"])
        #expect(long?.message.hasSuffix(" Requested by button play (long press).") == true)
    }

    @Test func volumeDialIsLoggedOnceASecondWithItsLastLevel() throws {
        var formatter = JournalFormatter()
        let scene = StateSnapshot(
            session: Session(policy: configuration.session), configuration: configuration, track: nil,
            position: nil)
        let start = Duration.seconds(10)
        for step in 0..<9 {
            let report = try turn(Double(-step), at: start + .milliseconds(100) * step)
            let written = formatter.entries(for: report, in: scene, from: .button("down"))
            #expect(written.count == (step == 0 ? 1 : 0))
        }
        #expect(formatter.deadline == .seconds(11))
        #expect(formatter.due(at: .milliseconds(10_999)).isEmpty)
        #expect(formatter.due(at: .seconds(11)).map { $0[.level] } == [["-8"]])
        #expect(formatter.deadline == nil && formatter.due(at: nil).isEmpty)
        // The pending level is logged before the next event.
        _ = formatter.entries(for: try turn(-20, at: .milliseconds(11_100)), in: scene, from: .button("down"))
        let pause = Report(time: .milliseconds(11_200), cause: .event(.command(.pause)), answer: .success)
        #expect(formatter.entries(for: pause, in: scene).map { $0[.command] } == [["volume -20dB"], ["pause"]])
        // A turn after a pause is logged at once.
        #expect(formatter.entries(for: try turn(-3, at: .seconds(20)), in: scene, from: .button("down")).count == 1)
    }

    /// A reload adds a signal that is already asserted, so neither an edge nor a beginning is reported.
    @Test func signalThatJoinsAnInterruptionAtAReloadIsLogged() throws {
        var formatter = JournalFormatter()
        var session = Session(policy: configuration.session)
        session.handle(.boot(Boot(saved: nil, trackCount: 2)), at: .zero)
        session.handle(.edge(Edge(phone, asserted: true)), at: .seconds(1))
        session.handle(.edge(Edge("cover-closed", asserted: true)), at: .seconds(2))
        var report = Report(time: .seconds(2), cause: .note(.reloaded))
        report.begun.blocking = ["cover-closed"]
        let scene = StateSnapshot(session: session, configuration: configuration, track: nil, position: nil)
        let told = formatter.entries(for: report, in: scene)
        #expect(told.map(\.event) == [.signal] && told.first?[.signal] == ["cover-closed"])
        #expect(told.first?.message == "cover-closed is also asserted." && told.first?[.effect] == ["pause"])
        report.notifications = [.began(.default)]
        #expect(formatter.entries(for: report, in: scene).map(\.event) == [.interruptionBegan])
    }

    /// Otherwise, a loose contact would be logged again after each reload.
    @Test func limitsHoldAcrossReloads() {
        var formatter = JournalFormatter()
        let fault = JournalEntry(.fault, "chatters").with([phone]).with(.fault, "chatter")
        for _ in 0..<20 { _ = formatter.limit(fault, at: .seconds(1)) }
        #expect(formatter.limit(fault, at: .seconds(2)) == nil)
        var next = JournalFormatter()
        next.resume(after: formatter)
        #expect(next.limit(fault, at: .seconds(3)) == nil)
        #expect(next.limit(fault, at: .seconds(4000)) != nil)
        // The limit for underruns also remains.
        let scene = StateSnapshot(after: [], configuration)
        let gap = Cause.note(.playback(.underrun(queue: .milliseconds(20))))
        #expect(next.entries(for: Report(time: .seconds(1), cause: gap), in: scene).count == 1)
        var last = JournalFormatter()
        last.resume(after: next)
        #expect(last.entries(for: Report(time: .seconds(2), cause: gap), in: scene).isEmpty)
    }

    /// Every change to the list starts another engine.
    @Test func missingRealTimePriorityIsLoggedOnceUntilItsReasonChanges() {
        let scene = StateSnapshot(after: [], configuration)
        var formatter = JournalFormatter()
        var reasons: [[String]] = []
        for reason in ["RTPRIO", "RTPRIO", "MEMLOCK", "RTPRIO"] {
            var next = JournalFormatter()
            next.resume(after: formatter)
            let report = Report(time: .seconds(1), cause: .note(.playback(.notRealTime(reason))))
            reasons += next.entries(for: report, in: scene).map { $0[.reason] }
            formatter = next
        }
        #expect(reasons == [["RTPRIO"], ["MEMLOCK"]])
    }

    @Test func deviceResetSaysThatPlaybackContinues() throws {
        var formatter = JournalFormatter()
        let reset = try entry([.event(.mediaServicesLost), .event(.mediaServicesReset)], &formatter)
        #expect(reset.event == .mediaServicesReset && reset.message.contains("plays ‘One.flac’"))
    }

    @Test func changeOfTheDeviceNamesBothDevicesAndTheReason() throws {
        var formatter = JournalFormatter()
        let gone = PCMError.system(ENODEV, operation: "write to", device: "hw:0")
        let fallback = OutputRoute(index: 1, device: "hw:1", reason: gone)
        let lost = try entry([.note(.playback(.routeLost(fallback))), .event(.routeLost)], &formatter)
        #expect(lost.event == .routeChanged && lost[.reason] == ["oldDeviceUnavailable"])
        #expect(
            lost.message.hasPrefix("The sound device in use has disappeared, so hw:1 replaces it (cannot write to"))
        #expect(lost.message.contains("stays paused"))
        let preferred = OutputRoute(index: 0, device: "hw:0")
        let back = try entries(
            [.event(.routeLost), .note(.playback(.routeBack(preferred))), .event(.routeBack)], formatter: &formatter)
        #expect(back.first?.message.hasPrefix("The sound device hw:0 has returned and is used again. Tacet ") == true)
    }

    @Test func deviceHeldByAnotherProgramIsReportedAsHeld() throws {
        var formatter = JournalFormatter()
        let held = PCMError.opening(
            "hw:0", code: -EBUSY, cards: [], holder: DeviceHolder(process: 812, program: "mpd"))
        let entry = try entry([.note(.playback(.deviceLost(held))), .event(.mediaServicesLost)], &formatter)
        #expect(entry.message.hasPrefix("The sound device hw:0 is held by mpd (pid 812), so end that program"))
        #expect(entry[.device] == ["hw:0"])
    }

    @Test func unsteadyDeviceIsAFault() throws {
        var formatter = JournalFormatter()
        let entry = try entry([.note(.playback(.routeUnsteady(device: "hw:0", settle: .seconds(8))))], &formatter)
        #expect(entry.event == .fault && entry[.fault] == ["unsteady"] && entry[.device] == ["hw:0"])
        #expect(entry.message.contains("available for 8s before it is used again"))
    }

    @Test func deviceThatIsReservedIsAFaultUntilADeviceIsOpened() throws {
        var log = DeviceLog()
        let reserved = PCMError(
            operation: "open", device: "hw:0", code: EBUSY, message: "it is reserved by ‘JACK’",
            advice: "it is used again when that program releases it")
        let fault = log.reserved(reserved)
        let entry = try #require(fault)
        #expect(entry.event == .fault && entry[.fault] == ["reserved"] && entry[.device] == ["hw:0"])
        #expect(
            entry.message
                == "The sound device hw:0 cannot be used because it is reserved by ‘JACK’. It is used again when that "
                + "program releases it.")
        #expect(log.reserved(reserved) == nil && log.loss == reserved)
        #expect(log.unreserved()?.event == .faultCleared)
        #expect(log.unreserved() == nil && log.reserved(reserved) != nil)
    }

    @Test func faultIsLoggedBeforeTheInterruptionThatItCauses() throws {
        var formatter = JournalFormatter()
        let chatter = try entries([.event(.fault(Fault(phone, .chatter)))], formatter: &formatter)
        #expect(chatter.map(\.event) == [.fault, .interruptionBegan])
        #expect(chatter.first?[.fault] == ["chatter"])
    }

    @Test func faultsOfASignalNameWhatToCheckForItsSource() throws {
        let stuck = [Cause.event(.edge(Edge(phone, asserted: true))), .event(.fault(Fault(phone, .stuck)))]
        var formatter = JournalFormatter()
        let wire = try entry(stuck, &formatter)
        #expect(
            wire.message == "phone-call (PHONE_CALL) has been asserted for longer than StuckAfter=, so check its wire "
                + "and contact.")
        let lost = try entry([.event(.fault(Fault(phone, .lost)))], &formatter)
        #expect(
            lost.message == "phone-call (PHONE_CALL) is lost: its source is missing. WhenLost= decides whether it "
                + "counts as asserted.")
        var scene = StateSnapshot(
            session: Session(policy: configuration.session), configuration: configuration, track: nil, position: nil)
        for source in [LevelSource.bus(lease: nil), .call(.active)] {
            scene.configuration.sources[phone] = source
            for kind in [Fault.Kind.stuck, .chatter] {
                let words = formatter.fault(Fault(phone, kind), in: scene).message
                #expect(!words.contains("wire") && !words.contains("contact"), "\(words)")
            }
        }
    }

    @Test func messageIDsAreUniqueAndWellFormed() {
        let ids = JournalEvent.allCases.map(\.messageID)
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { $0.count == 32 && UInt64($0.prefix(16), radix: 16) != nil })
    }

    // MARK: Sleep

    @Test(arguments: [Sleep.Cause.suspended, .stopped])
    func wakingIsLoggedWithItsLengthBeforeWhatFollows(cause: Sleep.Cause) throws {
        var formatter = JournalFormatter()
        formatter.woke(from: Sleep(cause: cause, length: .seconds(600)))
        var session = Session(policy: configuration.session)
        session.handle(.boot(Boot(saved: nil, trackCount: 2)), at: .zero)
        session.handle(.command(.play), at: .seconds(1))
        var report = Report(time: .seconds(700), cause: .event(.awoke([Edge(phone, asserted: true)])))
        for case .post(let notification) in session.handle(.awoke([Edge(phone, asserted: true)]), at: report.time) {
            report.notifications.append(notification)
        }
        let scene = StateSnapshot(
            session: session, configuration: configuration, track: "/srv/music/One.flac", position: .seconds(151))
        let entries = formatter.entries(for: report, in: scene)
        #expect(entries.map(\.event) == [.awake, .interruptionBegan])
        let subject = cause == .suspended ? "The system was asleep" : "Tacet was stopped (SIGSTOP)"
        #expect(entries.first?.message.hasPrefix("\(subject) for 10min. Tacet is quiet because ") == true)
        #expect(entries.first?[.asleep] == ["600000000"] && entries.first?[.reason] == [cause.rawValue])
        #expect(entries.first?[.playing] == ["no"])
        #expect(entries.last?.message.hasPrefix("Interrupted on waking by phone-call") == true)
        #expect(entries.last?[.reason] == ["appWasSuspended"])
        // A later report does not belong to the end of this sleep.
        #expect(formatter.entries(for: Report(time: .seconds(701), cause: .event(.awoke([]))), in: scene).isEmpty)
    }
}
