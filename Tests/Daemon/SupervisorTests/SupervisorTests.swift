import AudioSession
import Configuration
import Playback
import ResumeStore
import Supervisor
import Testing

@Suite struct SupervisorTests {
    private let world = ScriptedWorld()

    private func boot(
        tracks: [String] = ["/music/1", "/music/2", "/music/3"], _ change: (inout Configuration) -> Void = { _ in }
    ) -> ScriptedSupervisor {
        var configuration = Configuration.builtIn
        change(&configuration)
        let supervisor = ScriptedSupervisor(
            configuration: configuration, tracks: tracks.map { Track(path: $0) }, world: world)
        supervisor.boot()
        return supervisor
    }

    private func state(intent: String = "playing", track: String? = "/music/2", age: Duration = .zero) -> SavedState {
        SavedState(
            savedAt: .seconds(990), intent: intent, track: track, position: .seconds(12), volume: 0, shuffleSeed: 3,
            held: age == .zero
                ? [] : [SavedState.Held(signal: "phone-call", standing: "inForce", age: age, isStuck: false)],
            episode: age == .zero
                ? nil : SavedState.Episode(reason: "default", lastCommand: nil, recommendsResuming: true))
    }

    @Test func bootReadsStateThenLinesThenOpensTheDevice() {
        world.state = state()
        _ = boot()
        #expect(
            world.takeCalls() == [
                "load state", "read lines", "open", "load 1 at 12.0 seconds", "mute false", "play 1.0 over 0.6 seconds",
                "save",
            ])
    }

    @Test func bootDuringACallDoesNotPlay() {
        world.levels["phone-call"] = true
        _ = boot()
        #expect(!world.calls.contains { $0.hasPrefix("play") })
        #expect(world.reports.first?.notifications == [.began(.appWasSuspended)])
    }

    @Test func delayedEndNamesTheSignalsThatCausedIt() {
        let supervisor = boot { $0.session.resumeDelay = .seconds(2) }
        for signal in [SignalID("phone-call"), "alarm"] {
            supervisor.edge(Edge(signal, asserted: true))
            supervisor.edge(Edge(signal, asserted: false))
            #expect(world.reports.last?.over == ActiveSignals())
        }
        world.now = .seconds(2)
        #expect(supervisor.deadline == .seconds(2))
        supervisor.settle()
        #expect(
            world.reports.suffix(2).map(\.cause) == [.event(.delayElapsed(.episode)), .event(.delayElapsed(.duck))])
        #expect(world.reports.suffix(2).map(\.over.blocking) == [["phone-call"], []])
        #expect(world.reports.suffix(2).map(\.over.ducking) == [[], ["alarm"]])
    }

    @Test func timeWithoutPowerCountsTowardsResumeWithin() {
        world.state = state(age: .seconds(5))
        world.levels["phone-call"] = true
        let supervisor = boot { $0.session.signals[0].resumeWithin = .seconds(16) }
        // The call ended 5 s before the save, the power was off for 10 s, and 2 s have passed since, so it is too late
        // to resume.
        world.now = .seconds(2)
        supervisor.edge(Edge("phone-call", asserted: false))
        #expect(world.reports.last?.notifications == [.ended([])])
    }

    @Test func wallClockThatWentBackIsIgnored() {
        world.state = state(age: .seconds(5))
        world.levels["phone-call"] = true
        world.wallClock = .zero
        let supervisor = boot { $0.session.signals[0].resumeWithin = .seconds(16) }
        world.now = .seconds(2)
        supervisor.edge(Edge("phone-call", asserted: false))
        #expect(world.reports.last?.notifications == [.ended(.shouldResume)])
    }

    /// Reports name the signals that an end belongs to, whatever caused the end.
    @Test func everyEndNamesItsSignals() throws {
        world.state = state(age: .seconds(5))
        world.state?.held.append(
            SavedState.Held(signal: "alarm", standing: "inForce", age: .seconds(1), isStuck: false))
        let supervisor = boot()
        #expect(world.reports.first?.notifications == [.ended(.shouldResume)])
        #expect(world.reports.first?.over.blocking == ["phone-call"])
        #expect(world.reports.first?.over.ducking == ["alarm"])

        supervisor.edge(Edge("phone-call", asserted: true))
        #expect(world.reports.last?.over == ActiveSignals())
        var other = supervisor.configuration
        other.session.signals[0].effect = .ignore
        supervisor.adopt(other)
        #expect(world.reports.last?.notifications == [.ended(.shouldResume)])
        #expect(world.reports.last?.over.blocking == ["phone-call"])
    }

    @Test func movedTrackIsFoundByItsPath() {
        world.state = state()
        _ = boot(tracks: ["/music/0", "/music/1", "/music/2"])
        #expect(world.calls.contains("load 2 at 12.0 seconds"))
    }

    @Test func missingTrackStartsTheMusicOver() {
        world.state = state()
        let supervisor = boot(tracks: ["/music/8", "/music/9"])
        #expect(world.calls.contains("load 0 at 0.0 seconds"))
        supervisor.settle()
        #expect(world.reports.map(\.cause).dropFirst() == [.note(.placeLost("/music/2"))])
    }

    @Test func trackInARenamedFolderResumes() {
        world.state = state()
        let supervisor = boot(tracks: ["/elsewhere/1", "/elsewhere/2"])
        #expect(world.calls.contains("load 1 at 12.0 seconds"))
        supervisor.settle()
        #expect(world.reports.count == 1)
    }

    @Test func emptyLibraryKeepsThePosition() {
        world.state = state()
        let supervisor = boot(tracks: [])
        supervisor.settle()
        #expect(world.reports.count == 1)
        #expect(world.state?.track == "/music/2" && world.state?.position == .seconds(12))
    }

    @Test func invalidStateIsSetAsideAndCountsAsAFirstBoot() {
        world.state = state(intent: "dancing")
        let supervisor = boot()
        #expect(supervisor.session.intent == .playing)
        #expect(world.calls.contains("set state aside") && world.calls.contains("load 0 at 0.0 seconds"))
        supervisor.settle()
        #expect(world.reports.count == 2)
        #expect(world.reports.last.map { if case .stateUnreadable = $0.note { true } else { false } } == true)
    }

    @Test func edgesReadLateKeepTheirOrder() {
        world.levels["phone-call"] = true
        let supervisor = boot()
        supervisor.line("phone-call", level: false)
        world.now = .milliseconds(500)
        supervisor.line("phone-call", level: true)
        // No step happened in between, so the release was pending at 30 ms, and the assertion is pending at 530 ms.
        world.now = .seconds(2)
        supervisor.settle()
        #expect(supervisor.session.isInterrupted && supervisor.session.active == ["phone-call"])
    }

    /// A call ends while a cover closes. This must be one interruption, in either order, and however late the edges
    /// were read.
    @Test(arguments: [Duration.zero, .milliseconds(30)], [true, false])
    func beginsComeBeforeEndsReadWithThem(debounce: Duration, callIsReadFirst: Bool) {
        world.levels["phone-call"] = true
        let supervisor = boot {
            for signal in ["phone-call", "cover-closed"] as [SignalID] { $0.lines[signal]?.debounce = debounce }
        }
        let edges = [("phone-call", false), ("cover-closed", true)] as [(SignalID, Bool)]
        for (signal, level) in callIsReadFirst ? edges : edges.reversed() {
            world.now += .milliseconds(40)
            supervisor.line(signal, level: level)
        }
        world.now += .milliseconds(40)
        supervisor.settle()
        #expect(supervisor.session.active == ["cover-closed"])
        #expect(world.reports.flatMap(\.notifications) == [.began(.appWasSuspended)])
    }

    @Test func lastOfSeveralLevelsReadTogetherCounts() {
        let supervisor = boot {
            for signal in ["phone-call", "cover-closed"] as [SignalID] { $0.lines[signal]?.debounce = .zero }
        }
        for (signal, level) in [
            ("phone-call", true), ("phone-call", false), ("cover-closed", true), ("phone-call", true),
            ("cover-closed", false),
        ] as [(SignalID, Bool)] {
            world.now += .milliseconds(1)
            supervisor.line(signal, level: level)
        }
        supervisor.settle()
        let handled = world.reports.compactMap(\.event).filter { if case .edge = $0 { true } else { false } }
        #expect(handled.map(\.description) == ["assert phone-call"])
        #expect(world.reports.flatMap(\.notifications) == [.began(.default)])
    }

    /// A stuck signal has to be deasserted, however briefly.
    @Test func endOfAStuckSignalCountsEvenIfItBeginsAgainInTheSameReading() {
        let supervisor = boot {
            $0.lines["phone-call"]?.debounce = .zero
            $0.lines["phone-call"]?.stuckAfter = .seconds(10)
            $0.session.signals[0].whenStuck = .release
        }
        supervisor.line("phone-call", level: true)
        supervisor.settle()
        world.now = .seconds(20)
        supervisor.settle()
        #expect(!supervisor.session.isInterrupted && !supervisor.session.faults.isEmpty)
        supervisor.line("phone-call", level: false)
        supervisor.line("phone-call", level: true)
        supervisor.settle()
        #expect(supervisor.session.isInterrupted && supervisor.session.faults.isEmpty)
    }

    /// The order is the same for a line that returns asserted.
    @Test func beginOfAReturningLineComesBeforeEndsReadWithIt() {
        world.levels["phone-call"] = true
        let supervisor = boot {
            for signal in ["phone-call", "cover-closed"] as [SignalID] { $0.lines[signal]?.debounce = .zero }
        }
        supervisor.line("cover-closed", level: nil)
        supervisor.settle()
        supervisor.line("phone-call", level: false)
        supervisor.line("cover-closed", level: true)
        supervisor.settle()
        #expect(supervisor.session.active == ["cover-closed"])
        #expect(world.reports.flatMap(\.notifications) == [.began(.appWasSuspended)])
    }

    @Test func forcedEndIsNotUndoneByChatterReadWithIt() {
        let supervisor = boot { $0.lines["phone-call"]?.chatterLimit = 3 }
        for level in [true, false, true, false] { supervisor.line("phone-call", level: level) }
        supervisor.edge(Edge("phone-call", asserted: false))
        supervisor.settle()
        #expect(!supervisor.session.isInterrupted && supervisor.session.faults.isEmpty)
    }

    @Test func unreadableLineKeepsItsStateAtAReload() {
        world.levels["phone-call"] = nil
        let first = boot { $0.lines["phone-call"]?.whenLost = .assert }
        #expect(first.session.isInterrupted && world.reports.last?.notifications == [.began(.appWasSuspended)])
        first.handle(.retire(within: .zero))
        let second = ScriptedSupervisor(configuration: first.configuration, tracks: first.tracks.library, world: world)
        second.boot(after: first)
        second.settle()
        #expect(second.session.isInterrupted && world.reports.last?.notifications == [])
        // The line returns deasserted.
        second.line("phone-call", level: false)
        world.now = .milliseconds(30)
        second.settle()
        #expect(!second.session.isInterrupted && second.session.faults.isEmpty)
    }

    @Test func bootResumesTheSameOccurrenceOfARepeatedTrack() {
        world.state = state()
        world.state?.trackNumber = 2
        _ = boot(tracks: ["/music/2", "/music/1", "/music/2"])
        #expect(world.calls.contains("load 2 at 12.0 seconds"))
    }

    @Test func shuffledOrderSurvivesABootInAnyRound() {
        let shuffled = { (configuration: inout Configuration) in configuration.playback.shuffle = true }
        let names = (0..<20).map { "/music/\($0)" }
        let first = boot(tracks: names, shuffled).tracks
        let orders = (0..<3).map { round in (0..<20).map { first[round * 20 + $0].path } }
        #expect(orders[0] != names && orders.allSatisfy { $0.sorted() == names.sorted() })
        // The power fails in the third round.
        world.state?.track = first[47].path
        world.state?.trackNumber = 47
        _ = world.takeCalls()
        let again = ScriptedSupervisor(
            configuration: {
                var it = Configuration.builtIn; it.playback.shuffle = true; return it
            }(),
            tracks: names.map { Track(path: $0) }, world: world)
        again.boot()
        #expect((0..<60).map { again.tracks[$0].path } == orders.flatMap { $0 })
        #expect(world.calls.contains { $0.hasPrefix("load 47 at") })
    }

    @Test func eachEndOfAShuffledListDrawsAnotherOrder() {
        let names = (0..<20).map { "/music/\($0)" }
        let once = { (configuration: inout Configuration) in
            configuration.playback.shuffle = true
            configuration.session.repeats = .none
        }
        let supervisor = boot(tracks: names, once)
        func order(_ supervisor: ScriptedSupervisor) -> [String] { (0..<20).map { supervisor.tracks[$0].path } }
        var orders = [order(supervisor)]
        for _ in 0..<3 {
            world.player.events.append(.playbackEnded)
            supervisor.settle()
            #expect(world.reports.contains { $0.cause == .event(.playbackEnded) })
            orders.append(order(supervisor))
            #expect(world.state?.track == orders.last?.first && world.state?.trackNumber == 0)
        }
        #expect(Set(orders).count == 4 && orders.allSatisfy { $0.sorted() == names.sorted() })
        // The power fails.
        let again = boot(tracks: names, once)
        #expect(order(again) == orders.last)
    }

    @Test func shuffledTrackIsFoundInItsRoundOfAChangedLibrary() {
        let shuffled = { (configuration: inout Configuration) in configuration.playback.shuffle = true }
        world.state = state()
        world.state?.track = "/music/5"
        world.state?.trackNumber = 47
        let supervisor = boot(tracks: (0..<20).map { "/music/\($0)" }, shuffled)
        let number = supervisor.session.track ?? 0
        #expect((40..<60).contains(number) && supervisor.tracks[number].path == "/music/5")
    }

    @Test func positionIsSavedWhilePlaying() {
        let supervisor = boot()
        _ = world.takeCalls()
        #expect(supervisor.deadline == .seconds(5))
        world.now = .seconds(5)
        supervisor.settle()
        #expect(world.takeCalls() == ["save"])
        #expect(supervisor.deadline == .seconds(10))
        supervisor.command(.pause)
        #expect(supervisor.deadline == nil)
    }

    @Test func rampsFollowTheConfiguration() {
        let supervisor = boot()
        world.now += .seconds(1)
        _ = world.takeCalls()
        supervisor.edge(Edge("alarm", asserted: true))
        supervisor.edge(Edge("alarm", asserted: false))
        supervisor.edge(Edge("phone-call", asserted: true))
        #expect(
            world.takeCalls().filter { $0 != "save" } == [
                "play 0.19952624 over 0.12 seconds", "play 1.0 over 0.8 seconds", "silence over 0.06 seconds",
            ])
    }

    @Test func adoptsAConfigurationWhilePlaying() throws {
        let supervisor = boot()
        world.now += .seconds(1)
        supervisor.edge(Edge("alarm", asserted: true))
        _ = world.takeCalls()
        var other = supervisor.configuration
        other.playback.duckRelease = .seconds(2)
        other.session.signals[1].effect = .duck(try #require(Level(decibels: -20)))
        other.lines["phone-call"]?.debounce = .zero
        #expect(supervisor.canAdopt(other))
        supervisor.adopt(other)
        supervisor.line("phone-call", level: true)
        let known = world.reports.count
        supervisor.settle()
        #expect(world.reports.count == known + 1)
        supervisor.edge(Edge("phone-call", asserted: false))
        world.now += .seconds(1)
        supervisor.edge(Edge("alarm", asserted: false))
        #expect(
            world.takeCalls().filter { $0 != "save" } == [
                "play 0.1 over 0.12 seconds", "silence over 0.06 seconds", "play 0.1 over 0.6 seconds",
                "play 1.0 over 2.0 seconds",
            ])
    }

    @Test func doesNotAdoptChangesThatRequireARebuild() {
        let supervisor = boot()
        let changes: [(inout Configuration) -> Void] = [
            { $0.playback.device = "hw:1" }, { $0.playback.fadeOut = .seconds(1) }, { $0.session.repeats = .track },
            { $0.session.signals.removeLast() }, { $0.lines["alarm"]?.isActiveLow = true },
            { $0.sources["alarm"] = .line(Wiring(line: .named("ALARM", chip: nil))) },
            { $0.state.directory = "/elsewhere" },
        ]
        for change in changes {
            var other = supervisor.configuration
            change(&other)
            #expect(!supervisor.canAdopt(other))
        }
    }

    /// Swift's strings are equal, but the files have different names.
    @Test func doesNotAdoptAPathInAnotherNormalisation() {
        let supervisor = boot { $0.playback.library = "/Gr\u{fc}n" }
        var other = supervisor.configuration
        other.playback.library = "/Gru\u{308}n"
        #expect(!supervisor.canAdopt(other))
    }

    @Test(arguments: [Duration.seconds(59), .seconds(300 * 31_557_600), .microseconds(Int64.max)])
    func seekingBeyondTheLongestTrackIsBounded(position: Duration) {
        world.player.trackLength = nil
        let supervisor = boot()
        _ = world.takeCalls()
        #expect(supervisor.command(.seek(to: position)) == .success)
        #expect(world.takeCalls().contains("seek \(min(position, Command.longestPosition))"))
        #expect(supervisor.command(.seek(to: .zero - position)) == .success)
        #expect(world.takeCalls().contains("seek 0.0 seconds"))
    }

    @Test func savesAgainAfterTheFadeOut() {
        let supervisor = boot()
        supervisor.command(.pause)
        _ = world.takeCalls()
        world.player.events = [.faded]
        let known = world.reports.count
        supervisor.settle()
        #expect(world.takeCalls() == ["save"] && world.reports.count == known)
    }

    @Test func edgesThatSettleTogetherCountBeginsFirst() {
        world.levels["phone-call"] = true
        let supervisor = boot()
        supervisor.line("phone-call", level: false)
        supervisor.line("cover-closed", level: true)
        world.now = .seconds(1)
        supervisor.settle()
        let edges = world.reports.compactMap { if case .edge(let edge) = $0.event { edge } else { nil } }
        #expect(edges == [Edge("cover-closed", asserted: true), Edge("phone-call", asserted: false)])
        #expect(supervisor.session.isInterrupted)
    }

    /// A reload between two rings of a call must not split the call in two.
    @Test func successorContinuesTheConditioningOfLines() throws {
        var patient = Configuration.builtIn
        patient.lines["phone-call"]?.releaseDelay = .seconds(6)
        let tracks = [Track(path: "/music/1")]
        let first = ScriptedSupervisor(configuration: patient, tracks: tracks, world: world)
        world.levels["phone-call"] = true
        first.boot()
        world.now = .seconds(1)
        world.levels["phone-call"] = false
        first.line("phone-call", level: false)
        world.now = .seconds(2)
        first.settle()
        first.handle(.retire(within: .zero))

        let second = ScriptedSupervisor(configuration: patient, tracks: tracks, world: world)
        second.boot(after: first)
        #expect(second.session.isInterrupted)
        #expect(world.reports.last?.notifications == [])
        world.now = .seconds(8)
        second.settle()
        #expect(!second.session.isInterrupted)
        #expect(world.reports.last?.notifications == [.ended(.shouldResume)])
    }

    @Test func waitsForAMissingDevice() {
        world.deviceIsThere = false
        let supervisor = boot()
        #expect(world.reports.first?.notifications == [.mediaServicesWereLost])
        supervisor.handle(.event(.mediaServicesReset))
        #expect(world.calls.contains("rebuild") && world.reports.last?.notifications == [.mediaServicesWereReset])
    }
}
