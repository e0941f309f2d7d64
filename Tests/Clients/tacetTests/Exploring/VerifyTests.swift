import AudioSession
import Configuration
import Effort
import Foundation
import SoundLab
import Synchronization
import Testing
import Verification

@testable import tacet

@Suite struct VerifyTests {
    private static let wires = "[Signal phone-call]\nLine=P\n[Signal alarm]\nLine=A\n[Signal cover-closed]\nLine=C\n"
    private static let oneWire =
        "[Signal phone-call]\nLine=P\n[Signal alarm]\nEnabled=no\n[Signal cover-closed]\nEnabled=no\n"

    private func verdict(
        _ text: String, budget: ExplorationBudget = .unlimited, behaviour: SessionBehaviour = SessionBehaviour()
    ) throws -> (Verdict, Folder) {
        let folder = try Folder(["c.conf": text])
        if text.contains("File=gong.wav") {
            try TestMusic.writeNumbers(to: folder.url.path + "/gong.wav", frames: 80_000, rate: 8000)
        }
        let loaded = try Configuration.load(.file(folder.url.path + "/c.conf"))
        return (Verdict(loaded, budget: budget, behaviour: behaviour), folder)
    }

    private func warnings(_ text: String) throws -> [String] {
        let (verdict, _) = try verdict(text)
        #expect(verdict.isGood)
        return verdict.warnings.map { String($0.split(separator: "warning: ", maxSplits: 1).last ?? "") }
    }

    @Test func provesTheRulesAndStatesTheBounds() throws {
        let folder = try Folder(["c.conf": Self.wires])
        let result = try Program.run("verify", "--config", "c.conf", "--time-limit=infinity", in: folder.url)
        #expect(result.code == 0 && !result.errors.contains("warning"), "\(result.errors)")
        let lines = result.output.split(separator: "\n")
        #expect(
            lines.count == 4 + ExplorationReport.rules.count && lines[0].hasPrefix("c.conf: ")
                && lines[0].hasSuffix("all rules hold"))
        #expect(
            lines.suffix(3) == [
                "phone-call silences the music within 150 ms (debounce 30 ms + queue 60 ms + fade 60 ms)",
                "alarm ducks the music to -14 dB within 210 ms (debounce 30 ms + queue 60 ms + fade 120 ms)",
                "cover-closed silences the music within 150 ms (debounce 30 ms + queue 60 ms + fade 60 ms)",
            ])

        let json = try Program.run("verify", "--json", "--config", "c.conf", "--time-limit=infinity", in: folder.url)
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(object?["proved"] as? Bool == true && object?["violation"] is NSNull)
        #expect((object?["rules"] as? [String])?.count == ExplorationReport.rules.count)
        #expect((object?["states"] as? Int ?? 0) > 1000)
        let bounds = try #require(object?["bounds"] as? [[String: Any]])
        #expect(bounds.map { $0["bound_usec"] as? Int } == [150_000, 210_000, 150_000])
        #expect(bounds.allSatisfy { $0["mute_usec"] is NSNull })
    }

    @Test func anOutputThatMutesTheDeviceDoesNotWaitForTheFade() throws {
        let (verdict, _) = try verdict(Self.wires + "[Output mute]\nLine=MUTE\nMeans=silent\n", budget: .spent)
        #expect(
            verdict.text.suffix(3) == [
                "phone-call silences the music within 150 ms (debounce 30 ms + queue 60 ms + fade 60 ms), "
                    + "asserts mute within 80 ms",
                "alarm ducks the music to -14 dB within 210 ms (debounce 30 ms + queue 60 ms + fade 120 ms)",
                "cover-closed silences the music within 150 ms (debounce 30 ms + queue 60 ms + fade 60 ms), "
                    + "asserts mute within 80 ms",
            ])
        #expect(verdict.json.contains(#""mute_usec":80000"#))
    }

    @Test func reportSaysWhichRulesApplyToRecording() throws {
        let recording =
            "[Signal phone-call]\nLine=P\n[Signal alarm]\nEnabled=no\n[Signal cover-closed]\nLine=C\n"
            + "[Session]\nCategory=record\n[Recording]\nDuring="
        let (during, _) = try verdict(recording + "interruptions\n")
        #expect(during.isGood && during.text.contains { $0.hasPrefix("  13  interruptions do not pause a recording") })
        #expect(during.json.contains("interruptions do not pause a recording (During=interruptions)"))
        let (active, _) = try verdict(recording + "active\n")
        #expect(
            active.isGood && active.text.contains { $0.hasPrefix("  13  nothing is recorded during an interruption") })
    }

    @Test func anAmplifierIsExploredAndABrokenOneIsFound() throws {
        let amplifier = "[Output amplifier]\nLine=AMP\nMeans=amplifier\n"
        let folder = try Folder(["c.conf": Self.oneWire + amplifier])
        let configuration = try Configuration.load(.file(folder.url.path + "/c.conf")).configuration
        var without = configuration
        without.outputs = []
        let correct = Exploration(configuration, budget: .unlimited)
        #expect(correct.states > Exploration(without, budget: .unlimited).states && correct.violation == nil)
        let broken = OutputBehaviour(settle: { outputs, facts, _, now in outputs.settle(facts, quietAt: now, at: now) })
        let exploration = Exploration(configuration, budget: .unlimited, outputs: broken)
        let violation = try #require(exploration.violation)
        #expect(violation.rule == 12)
        // The violation can be rehearsed.
        let text = Counterexample(violation, of: configuration).text
        #expect(text.contains("# Rule 12 is broken") && text.contains("command playPause"), "\(text)")
        #expect(Exploration(without, budget: .unlimited, outputs: broken).violation == nil)
    }

    @Test func invalidConfigurationFails() throws {
        let folder = try Folder(["c.conf": "[Signal phone-call]\nEfect=pause\n"])
        let result = try Program.run("verify", "--config", "c.conf", in: folder.url)
        #expect(result.code == 1 && result.output.isEmpty && result.errors.contains("c.conf:2: error"))
    }

    // MARK: Counterexamples

    /// Runs the scenario that a broken session has produced on a correct session, with the same events in the same
    /// order.
    private func rehearse(_ verdict: Verdict, in folder: Folder) throws -> [String] {
        let scenario = try #require(verdict.scenario)
        try scenario.write(to: folder.url.appendingPathComponent("s"), atomically: true, encoding: .utf8)
        let result = try Program.run("simulate", "s", "--config", "c.conf", "--trace", "-", in: folder.url)
        #expect(result.code == 0, "\(result.errors)\n\(scenario)")
        return try result.output.split(separator: "\n").compactMap {
            (try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["event"] as? String
        }
    }

    @Test func brokenRuleBecomesAScenario() throws {
        let (verdict, folder) = try verdict(
            Self.wires,
            behaviour: SessionBehaviour(handle: { session, event, now in
                let wasInterrupted = session.isInterrupted
                var actions = session.handle(event, at: now)
                if wasInterrupted, !session.isInterrupted, case .edge = event {
                    actions += session.handle(.command(.play), at: now)
                }
                return actions
            }))
        #expect(!verdict.isGood && verdict.exploration.violation?.rule == 3)
        #expect(verdict.brokenRule?.contains("rule 3 is broken (only the user undoes") == true)
        #expect(verdict.json.contains("\"scenario\":\"# Rule 3 is broken"))
        #expect(verdict.text.first?.hasPrefix("# Rule 3 is broken") == true)
        #expect(!verdict.text.contains { $0.contains("\n") })
        #expect(verdict.text.joined(separator: "\n") == verdict.scenario)
        #expect(try rehearse(verdict, in: folder) == ["boot", "command pause", "deassert phone-call", "end"])
    }

    @Test func scenarioAssertsSignalsBeforeTheFirstBoot() throws {
        let (verdict, folder) = try verdict(
            Self.wires,
            behaviour: SessionBehaviour(handle: { session, event, now in
                guard case .boot(var boot) = event, boot.saved == nil else { return session.handle(event, at: now) }
                boot.lines = [:]
                return session.handle(.boot(boot), at: now)
            }))
        let lines = try #require(verdict.scenario).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines.first == "0s  assert phone-call" && lines.dropFirst().first == "0s  boot")
        let scenario = try #require(verdict.scenario)
        try scenario.write(to: folder.url.appendingPathComponent("s"), atomically: true, encoding: .utf8)
        let result = try Program.run("simulate", "s", "--config", "c.conf", "--trace", "-", in: folder.url)
        #expect(result.code == 0 && result.output.hasPrefix("{\"t\":0.0,\"event\":\"boot\",\"intent\":\"playing\""))
        #expect(result.output.contains("began(appWasSuspended)"), "\(result.output)")
    }

    @Test func scenarioReproducesFaults() throws {
        let (verdict, folder) = try verdict(
            "[Signal phone-call]\nLine=P\nActiveLow=yes\nStuckAfter=10s\nChatterLimit=6\n",
            behaviour: SessionBehaviour(handle: { session, event, now in
                // This broken session forgets a stuck signal that also chatters.
                guard case .fault(let fault) = event, fault.kind == .chatter else {
                    return session.handle(event, at: now)
                }
                let isStuck = session.faults.contains(Fault("phone-call", .stuck))
                return isStuck && session.intent == .playing ? [.post(.ended([]))] : session.handle(event, at: now)
            }))
        let events = try rehearse(verdict, in: folder)
        let stuck = try #require(events.firstIndex(of: "fault phone-call stuck"), "\(events)")
        let chatter = try #require(events.firstIndex(of: "fault phone-call chatter"), "\(events)")
        #expect(stuck < chatter)
    }

    /// In a path that ends with a boot after a call, the boot does not wait for the call's ReleaseDelay.
    @Test(arguments: [("", [String]()), ("[Session]\nResumeDelay=300ms\n", ["episode ended"])])
    func signalThatABootHoldsIsDeassertedInTheScenario(session: String, delayed: [String]) throws {
        let (verdict, folder) = try verdict(
            session + "[Signal phone-call]\nLine=P\nReleaseDelay=5s\n",
            behaviour: SessionBehaviour(handle: { session, event, now in
                let actions = session.handle(event, at: now)
                guard case .boot(let boot) = event, let saved = boot.saved, saved.episode != nil, !saved.held.isEmpty,
                    !session.isInterrupted
                else { return actions }
                return actions + [.post(.ended([]))]
            }))
        let events = try rehearse(verdict, in: folder)
        let expected = ["boot", "deassert phone-call"] + delayed + ["end"]
        #expect(Array(events.suffix(expected.count)) == expected, "\(events)")
    }

    /// The delay elapses on time even if there is a step between the end of the call and the end of its ResumeDelay.
    @Test func resumeDelayElapsesOnTime() throws {
        let (verdict, folder) = try verdict(
            "[Session]\nResumeDelay=300ms\n" + Self.wires,
            behaviour: SessionBehaviour(handle: { session, event, now in
                let episode = session.episode
                let actions = session.handle(event, at: now)
                guard event == .delayElapsed(.episode), episode?.lastCommand == .pause, session.episode == nil else {
                    return actions
                }
                return actions + [.post(.ended([]))]
            }))
        #expect(
            try rehearse(verdict, in: folder) == [
                "boot", "deassert phone-call", "command pause", "episode ended", "end",
            ])
        #expect(
            verdict.text.suffix(4) == [
                "42ms  deassert phone-call", "84ms  command pause", "# 342ms: episode ended", "384ms  end",
            ], "\(verdict.text)")
    }

    @Test(.enabled(if: Effort.isExhaustive)) func exploresThreeSignalsAtATimeIfAllHaveTooManyStates() throws {
        let folder = try Folder(["c.conf": Self.wires + "[Signal lid]\nLine=L\nEffect=duck\nDuckLevel=0dB\n"])
        let loaded = try Configuration.load(.file(folder.url.path + "/c.conf"))
        let verdict = Verdict(loaded, limit: 100, budget: .unlimited)
        #expect(verdict.isGood && verdict.exploration.together == 3)
        #expect(verdict.text.first?.contains(", any 3 of the 4 signals at a time: all rules hold") == true)
        #expect(verdict.json.contains("\"proved\":true") && !verdict.exploration.isComplete)
        #expect(verdict.warnings.count == 1 && verdict.warnings.first?.contains("lid never changes") == true)
    }

    /// No signal is like another, because each has another duration.
    private static let manySignals =
        (1...6).map { "[Signal s\($0)]\nLine=S\($0)\nEffect=pause\nStuckAfter=1h\nResumeWithin=\($0)s\n" }
        .joined() + "[Signal phone-call]\nEnabled=no\n[Signal alarm]\nEnabled=no\n[Signal cover-closed]\nEnabled=no\n"

    private func explore(_ text: String, _ budget: ExplorationBudget) throws -> Verdict {
        let folder = try Folder(["c.conf": text])
        return Verdict(try Configuration.load(.file(folder.url.path + "/c.conf")), budget: budget)
    }

    @Test func verifyAnswersWhenItsTimeLimitIsReached() throws {
        // Each check takes 100 ms, and there is one for every 256 transitions.
        let time = AtomicCount()
        let lines = Mutex<[String]>([])
        let budget = ExplorationBudget(
            .init(time: .seconds(20), memory: nil), every: .seconds(2),
            report: { line in lines.withLock { $0.append(line) } },
            clock: { .milliseconds(100) * time.next() }, memory: { 0 })
        let verdict = try explore(Self.manySignals, budget)
        #expect(verdict.isGood && !verdict.exploration.isComplete && verdict.exploration.together < 6)
        #expect(verdict.text[0].hasSuffix(": no rule is broken in these"), "\(verdict.text[0])")
        #expect(verdict.omissions.count == 2, "\(verdict.omissions)")
        #expect(verdict.omissions[0].hasPrefix("all 6 signals together: there is no time left for them after "))
        #expect(verdict.omissions.last?.hasSuffix(": --time-limit=20s is reached") == true, "\(verdict.omissions)")
        #expect(verdict.text.dropFirst().first == "not explored: " + verdict.omissions[0])
        #expect(verdict.json.contains("\"proved\":false") && verdict.json.contains("\"not_explored\":[\"all 6"))
        let reports = lines.withLock { $0 }
        #expect((8...10).contains(reports.count), "\(reports)")
        #expect(reports.first?.hasPrefix("exploring all 6 signals together: ") == true, "\(reports)")
        #expect(reports.last?.hasPrefix("exploring combination ") == true, "\(reports)")
    }

    @Test func exploresSmallerCombinationsWhenItsMemoryIsUsedUp() throws {
        // Only the third answer is above the limit.
        let questions = AtomicCount()
        let budget = ExplorationBudget(.init(time: nil, memory: 800), memory: { questions.next() == 3 ? 701 : 700 })
        let verdict = try explore(Self.wires, budget)
        #expect(verdict.isGood && verdict.exploration.together == 2 && verdict.exploration.partly == nil)
        let omission = "all 3 signals together: --memory-limit=800 is reached after "
        #expect(verdict.omissions.count == 1 && verdict.omissions[0].hasPrefix(omission), "\(verdict.omissions)")
        #expect(verdict.text[0].contains(", any 2 of the 3 signals at a time: no rule is broken"), "\(verdict.text[0])")
        #expect(verdict.warnings == [])
    }

    @Test func countsTheStatesOfASingleSignalThatReachesALimit() throws {
        let questions = AtomicCount()
        let budget = ExplorationBudget(.init(time: nil, memory: 800), memory: { questions.next() >= 3 ? 701 : 700 })
        let verdict = try explore(Self.oneWire, budget)
        #expect(verdict.isGood && !verdict.exploration.isComplete && verdict.exploration.states > 0)
        #expect(verdict.text[0].hasSuffix(": no rule is broken in these"), "\(verdict.text[0])")
    }

    @Test func verifyAnswersWithoutAnyMemoryBudget() throws {
        let verdict = try explore(Self.wires, .spent)
        #expect(verdict.isGood && verdict.exploration.explored.isEmpty && verdict.warnings == [])
        #expect(
            verdict.omissions == [
                "all 3 signals together: --memory-limit=800 is reached after 1 state",
                "3 of the 3 combinations of 1 signal: --memory-limit=800 is reached",
            ])
    }

    @Test func reportsAnUnfinishedSearchForSilences() throws {
        let text = "[Session]\nPlaybackInterface=no\n[Playback]\nAutoPlay=no\n"
        #expect(try explore(text, .unlimited).omissions.isEmpty)
        let verdict = try explore(text, .spent)
        #expect(verdict.omissions.last == "silences that nothing ends: --memory-limit=800 is reached")
        #expect(verdict.warnings == [])
    }

    @Test func residentMemoryOfTheProcessIsMeasured() {
        let size = ExplorationBudget.residentBytes()
        #expect((1 << 20..<1 << 40).contains(size), "\(size)")
    }

    @Test func limitsAreOptions() throws {
        let folder = try Folder(["c.conf": Self.manySignals])
        let short = try Program.run("verify", "--config", "c.conf", "--time-limit=1us", in: folder.url)
        #expect(short.code == 0 && short.output.contains("not explored: all 6 signals together"), "\(short.output)")
        for arguments in [["--time-limit", "soon"], ["--time-limit=0s"], ["--memory-limit=1M"], ["--memory-limit=x"]] {
            let result = try Program.run(["verify", "--config", "c.conf"] + arguments, in: folder.url)
            #expect(result.code == 64 && result.errors.contains(" or infinity"), "\(result.errors)")
        }
    }

    private final class AtomicCount: Sendable {
        private let count = Atomic(0)
        func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    }

    // MARK: Sounds

    /// Two signals, one with a cue, and two sounds.
    private static let sounds = """
        [Signal phone-call]
        Line=P
        [Signal alarm]
        Line=A
        Priority=90
        Cue=siren
        [Signal cover-closed]
        Enabled=no
        [Sound siren]
        File=gong.wav
        [Sound gong]
        File=gong.wav
        Effect=mix

        """

    @Test func provesTheRulesForSounds() throws {
        let (verdict, _) = try verdict(Self.sounds)
        #expect(verdict.isGood && verdict.warnings.isEmpty, "\(verdict.warnings)")
        #expect(verdict.text.first?.hasSuffix(" transitions, announcements of 2 kinds: all rules hold") == true)
        for number in ["  8  no sound", "  9  while a sound", " 10  a cue", " 11  an announcement"] {
            #expect(verdict.text.contains { $0.hasPrefix("  \(number)") || $0.hasPrefix(" \(number)") }, "\(number)")
        }
    }

    @Test func statesWhenSoundsAreHeardAndWhatDelaysThem() throws {
        let text =
            Self.sounds + """
                [Signal ignition]
                Line=I
                Effect=checkpoint
                [Sound bell]
                File=gong.wav
                [Output amplifier]
                Line=AMP
                Means=amplifier
                Lead=5s
                [Playback]
                FadeOut=2s
                """
        let (late, _) = try verdict(text, budget: .spent)
        #expect(
            late.text.suffix(5) == [
                "siren, the cue of alarm, begins within 5090 ms (debounce 30 ms + amplifier 5000 ms + queue "
                    + "60 ms)",
                "an announcement of siren, bell begins within 5060 ms (amplifier 5000 ms + queue 60 ms)",
                "an announcement of gong begins within 5060 ms (amplifier 5000 ms + queue 60 ms)",
                "amplifier delays music and sounds that begin in silence by 5000 ms (Lead=)",
                "ignition begins to save the state within 30 ms (debounce); the disk determines how long the "
                    + "save takes",
            ])
        // The delay is the ramp of a pause that was requested before the alarm.
        let (early, _) = try verdict(
            text.replacingOccurrences(of: "Lead=5s", with: "Lead=100ms"), budget: .spent)
        #expect(
            early.sounds.lines.prefix(3) == [
                "siren, the cue of alarm, begins within 2090 ms (debounce 30 ms + ramp of the music 2000 ms "
                    + "+ queue 60 ms)",
                "an announcement of siren, bell begins within 2060 ms (ramp of the music 2000 ms + queue "
                    + "60 ms)",
                "an announcement of gong begins within 160 ms (amplifier 100 ms + queue 60 ms)",
            ])
        let object = try JSONSerialization.jsonObject(with: Data(late.json.utf8)) as? [String: Any]
        let cues = try #require(object?["cue_bounds"] as? [[String: Any]])
        #expect(cues.map { $0["bound_usec"] as? Int } == [5_090_000] && cues[0]["signal"] as? String == "alarm")
        let announcements = try #require(object?["announcement_bounds"] as? [[String: Any]])
        #expect(announcements.map { $0["sound"] as? String } == ["siren", "bell", "gong"])
        #expect(announcements.allSatisfy { $0["lead_usec"] as? Int == 5_000_000 })
        #expect((object?["amplifier_leads"] as? [[String: Any]])?.first?["lead_usec"] as? Int == 5_000_000)
        #expect((object?["checkpoint_bounds"] as? [[String: Any]])?.first?["debounce_usec"] as? Int == 30_000)
    }

    @Test func announcementThatOutlivesItsExpireBecomesAScenario() throws {
        let (verdict, folder) = try verdict(
            Self.sounds,
            behaviour: SessionBehaviour(handle: { session, event, now in
                event == .announcementExpired ? [] : session.handle(event, at: now)
            }))
        #expect(verdict.exploration.violation?.rule == 11)
        #expect(
            verdict.text.contains { $0.hasPrefix("# 11s") && $0.hasSuffix(": sound expired siren") }, "\(verdict.text)")
        let events = try rehearse(verdict, in: folder)
        #expect(events.suffix(3) == ["command announce siren", "sound expired siren", "end"], "\(events)")
    }

    @Test func announcementThatHushDoesNotWithdrawBecomesAScenario() throws {
        let (verdict, folder) = try verdict(
            Self.sounds,
            behaviour: SessionBehaviour(handle: { session, event, now in
                event == .command(.hush) && session.dueSound?.sound == "gong" ? [] : session.handle(event, at: now)
            }))
        #expect(verdict.text.first == "# Rule 11 is broken: gong is due again, or after its Expire.", "\(verdict.text)")
        #expect(
            verdict.text.dropFirst(3) == ["0s  boot", "1s  command announce gong", "2s  command hush", "3s  end"],
            "\(verdict.text)")
        #expect(try rehearse(verdict, in: folder) == ["boot", "command announce gong", "command hush", "end"])
    }

    @Test func announcesOneSoundOfEachKind() throws {
        func level(_ decibels: Double) throws -> SoundPolicy.Effect {
            .duck(try #require(Level(decibels: decibels)))
        }
        let duck = Effect.duck(try #require(Level(decibels: -14)))
        var policy = Policy(
            signals: [
                SignalPolicy(id: "phone-call", effect: .pause), SignalPolicy(id: "alarm", effect: duck, priority: 90),
            ],
            sounds: [
                SoundPolicy(id: "a", effect: try level(-14)),
                // The next two sounds are louder than the music during the alarm.
                SoundPolicy(id: "b", effect: try level(-13)), SoundPolicy(id: "c", effect: try level(-12)),
                // The first of the next three has the same priority as the call, and the others have a higher one. The
                // third also has a higher priority than the alarm. That makes no difference, because the alarm does not
                // silence sounds.
                SoundPolicy(id: "d", effect: try level(-14), priority: 50),
                SoundPolicy(id: "e", effect: try level(-14), priority: 51),
                SoundPolicy(id: "f", effect: try level(-14), priority: 95),
                SoundPolicy(id: "g", effect: .pause), SoundPolicy(id: "h", effect: .mix),
                SoundPolicy(id: "i", effect: .mix, expire: nil), SoundPolicy(id: "j", effect: .mix, expire: .zero),
            ])
        #expect(policy.distinctAnnouncements.map(\.sound) == ["a", "b", "d", "e", "g", "h", "i"])
        #expect(policy.distinctAnnouncements.last?.expire == .never)
        // Speech pauses instead of being ducked, so the alarm silences sounds.
        policy.mode = .spokenAudio
        #expect(policy.distinctAnnouncements.map(\.sound) == ["a", "d", "e", "f", "h", "i"])
    }

    // MARK: Likely mistakes

    @Test func noWarningsAboutACueOfEqualPriorityOrOfASignalWithoutEffect() throws {
        let cue = "Cue=siren\n[Sound siren]\nFile=gong.wav\n"
        #expect(
            try warnings(
                "[Signal cover-closed]\nEnabled=no\n[Signal phone-call]\nLine=P\n[Signal alarm]\nLine=A\n" + cue
            ).isEmpty)
        #expect(try warnings(Self.wires + "[Signal door]\nLine=D\nEffect=duck\nDuckLevel=0dB\n" + cue).isEmpty)
    }

    @Test func noWarningForASuppressedAlertThatOnlySavesACheckpoint() throws {
        let session = "[Session]\nPrefersNoInterruptionsFromSystemAlerts=yes\n"
        let ignition = "[Signal ignition]\nLine=I\nEffect=checkpoint\nAlert=yes\n"
        #expect(try warnings(session + Self.wires + ignition).isEmpty)
    }

    // Swift 6.0 cannot compile interpolations among the arguments of `@Test`.
    private static let likelyMistakes: [(text: String, warning: String)] = [
        (
            "[Session]\nPrefersNoInterruptionsFromSystemAlerts=yes\n\(wires)[Signal ringing]\nLine=R\nEffect=pause\nAlert=yes\n",
            "ringing can never have an effect"
        ),
        (
            "\(wires)[Signal door]\nLine=D\nEffect=duck\nDuckLevel=0dB\n",
            "door never changes the music, because it ducks to 0dB"
        ),
        (
            "\(wires)[Signal lid]\nLine=L\nEffect=mute-microphone\n",
            "lid never has an effect, because it mutes the microphone"
        ),
        (
            "\(wires)[Signal alarm]\nPriority=10\nCue=siren\n[Sound siren]\nFile=gong.wav\n",
            "siren, the cue of alarm, is never played during another interruption, because every other signal that pauses the music has a higher priority (write a Priority= of at least 50 for alarm)"
        ),
        (
            "[Signal phone-call]\nLine=P\nReleaseDelay=5s\nResumeWithin=3s\n",
            "the music can never resume after phone-call: with its Debounce= and ReleaseDelay= it lasts at least 5s 30ms"
        ),
        (
            "[Session]\nPlaybackInterface=no\nPauseOnRouteLoss=no\n[Playback]\nRepeat=playlist\n"
                + "[Signal phone-call]\nLine=P\nResume=manual\n",
            "Resume=manual of phone-call has no effect"
        ),
        (
            "[Session]\nPlaybackInterface=no\nPauseOnRouteLoss=no\n[Playback]\nRepeat=none\n",
            "after ‘playlist ended’ the music is silent for good"
        ),
        (
            "[Session]\nPlaybackInterface=no\n[Playback]\nRepeat=playlist\nJack=Headphone Jack\n",
            "after ‘route lost’ the music is silent for good"
        ),
        (
            "[Session]\nPlaybackInterface=no\n[Playback]\nRepeat=playlist\nFallbackDevices=hw:1\n",
            "after ‘route lost’ the music is silent for good"
        ),
        (
            "[Session]\nPlaybackInterface=no\nPauseOnRouteLoss=no\nResumeAfterReset=no\n[Playback]\nRepeat=track\n",
            "after ‘device reset’ the music is silent for good"
        ),
        (
            "[Session]\nPlaybackInterface=no\n[Playback]\nAutoPlay=no\n",
            "no music is ever played: playback is stopped at the first"
        ),
    ]

    @Test(arguments: likelyMistakes)
    func warnsAboutLikelyMistakes(text: String, warning: String) throws {
        let found = try warnings(text)
        #expect(found.count == 1 && found.first?.hasPrefix(warning) == true, "\(found)")
    }

    @Test func noWarningAboutARouteThatTheConfigurationDoesNotHave() throws {
        #expect(try warnings("[Session]\nPlaybackInterface=no\n[Playback]\nRepeat=playlist\n").isEmpty)
    }

    @Test func noWarningIfAButtonCanStartPlayback() throws {
        let text = "[Session]\nPlaybackInterface=no\n[Button play]\nLine=B\nCommand=play\n"
        #expect(try warnings(text).isEmpty)
    }
}

extension ExplorationBudget {
    /// A budget without limits, because a busy machine or an unoptimised program must not change a result.
    fileprivate static var unlimited: ExplorationBudget { ExplorationBudget(.init(time: nil, memory: nil)) }

    /// A budget whose memory is used up before the exploration begins. What a verdict states about times does not need
    /// one.
    fileprivate static var spent: ExplorationBudget {
        ExplorationBudget(.init(time: nil, memory: 800), memory: { 701 })
    }
}
