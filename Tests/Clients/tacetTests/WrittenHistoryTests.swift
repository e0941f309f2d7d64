import AudioSession
import Configuration
import Foundation
import Testing

@testable import Appliance
@testable import Playback
@testable import Supervisor
@testable import tacet

/// The history as the daemon's own journal formatter writes it, read back by `tacet log` and `tacet timeline`.
@Suite struct WrittenHistoryTests {
    /// A session and an export of the entries that the journal formatter writes about it.
    private struct Daemon {
        private var configuration = Configuration.builtIn
        private var session: Session
        private var formatter = JournalFormatter()
        private(set) var export = Export()
        /// The text that replaces every message, as a later version or a translation might.
        var message: String?
        var outputs: [OutputID] = []

        init(_ change: (inout Configuration) -> Void = { _ in }) {
            change(&configuration)
            session = Session(policy: configuration.session)
            session.handle(.boot(Boot(saved: nil, trackCount: 2)), at: .zero)
        }

        private func scene(at second: Int) -> StateSnapshot {
            var scene = StateSnapshot(
                session: session, configuration: configuration, track: "/srv/music/One.flac",
                position: .seconds(second))
            scene.outputs = outputs
            return scene
        }

        mutating func start() { write(formatter.started(scene(at: 0)), at: 1) }

        mutating func handle(_ cause: Cause, at second: Int) {
            let before = ActiveSignals(session)
            var report = Report(time: .seconds(second), cause: cause)
            for action in cause.event.map({ session.handle($0, at: report.time) }) ?? [] {
                switch action {
                case .post(let notification): report.notifications.append(notification)
                case .answer(let answer): report.answer = answer
                default: break
                }
            }
            let after = ActiveSignals(session)
            (report.over, report.begun) = (before.subtracting(after), after.subtracting(before))
            for entry in formatter.entries(for: report, in: scene(at: second)) { write(entry, at: second) }
        }

        private mutating func write(_ entry: JournalEntry, at second: Int) {
            export.entry(
                Double(second), entry.event.rawValue, message ?? entry.message,
                entry.fields.map { ($0.field.rawValue, $0.value) })
        }
    }

    private func records(_ daemon: Daemon) throws -> [JournalRecord] {
        let parser = try daemon.export.read()
        #expect(parser.damaged == 0)
        return parser.records
    }

    private func morning(_ message: String? = nil) -> Daemon {
        var daemon = Daemon { $0.session.signals[0].resume = .manual }
        daemon.message = message
        daemon.start()
        for (cause, second) in [
            (Cause.event(.edge(Edge("phone-call", asserted: true))), 10), (.event(.mediaServicesLost), 12),
            (.event(.command(.seek(to: .seconds(3)))), 13), (.event(.fault(Fault("alarm", .lost))), 14),
            (.event(.mediaServicesReset), 15),
            (.event(.edge(Edge("phone-call", asserted: false))), 20), (.event(.command(.play)), 30),
            (.event(.command(.pause)), 40),
            (.event(.command(.play)), 50), (.note(.trackSkipped(path: "/srv/music/Bad.flac", reason: "no audio")), 60),
            (.note(.stateUnreadable("the saved state is damaged")), 70), (.event(.playbackEnded), 80),
        ] { daemon.handle(cause, at: second) }
        return daemon
    }

    @Test func pictureHasTheOutputsAndTheLogDoesNot() throws {
        var daemon = Daemon {
            $0.outputs = [
                Output(OutputPolicy(id: "amp", meaning: .amplifier(lead: .zero, lag: .zero))),
                Output(OutputPolicy(id: "lamp", meaning: .follows(.interrupted))),
            ]
        }
        daemon.outputs = ["amp"]
        daemon.handle(.note(.reloaded), at: 1)
        daemon.start()
        daemon.outputs = ["amp", "lamp"]
        daemon.handle(.event(.edge(Edge("phone-call", asserted: true))), at: 10)
        daemon.outputs = ["lamp"]
        daemon.handle(.note(.output("amp", asserted: false)), at: 12)
        daemon.outputs = ["amp"]
        daemon.handle(.event(.edge(Edge("phone-call", asserted: false))), at: 20)
        let chronicle = Chronicle(try records(daemon))
        #expect(History(chronicle).rows.map(\.what) == ["started", "interrupted"])
        let outputs = try #require(HistoryPicture(chronicle, .everything)?.timeline.outputs)
        #expect(outputs.map { "\($0.name) \($0.meaning)" } == ["amp amplifier", "lamp interrupted"])
        #expect(outputs[1].asserted.map { Int(($0.to - $0.from).rounded()) } == [10])
        #expect(Int((outputs[0].asserted[0].to - outputs[0].asserted[0].from).rounded()) == 11)
    }

    @Test func everyEntryHasPlayingAndOutcome() throws {
        let records = try records(morning())
        #expect(records.count == 13)
        for record in records {
            #expect(record[.playing] != nil && record[.outcome] != nil, "\(record.event)")
        }
        #expect(
            records.map(\.plays) == [
                true, false, false, false, false, false, false, true, false, true, true, true, false,
            ])
    }

    @Test func logShowsTheOutcomeOfEachEvent() throws {
        let rows = History(Chronicle(try records(morning()))).rows
        #expect(
            rows.map(\.what) == [
                "started", "interrupted", "sound device lost", "command seek 3.0s", "fault: lost", "command play",
                "command pause", "command play", "track-skipped", "state-unreadable", "programme-ended",
            ])
        #expect(rows[0].outcome == "plays ‘One.flac’ at 0:00")
        #expect(
            rows[1].outcome
                == "stays paused in ‘One.flac’ at 0:20 because phone-call has ended, after which playback does not resume "
                + "automatically (Resume=manual)")
        // If no card is present during a call, the call is reported as the cause.
        #expect(rows[2].outcome == "quiet because phone-call is asserted" && rows[2].length.lasted == 3_000_000)
        #expect(rows[3].outcome == "quiet because phone-call is asserted")
        #expect(rows[6].outcome == "stays paused in ‘One.flac’ at 0:40")
        #expect(rows[8].outcome == "no audio" && rows[9].outcome == "the saved state is damaged")
        #expect(rows[10].outcome.hasSuffix("because the last track has ended"))
    }

    /// The wording may change, but the fields must not.
    @Test func historyDependsOnFieldsAndNotOnMessages() throws {
        let (told, foreign) = (try records(morning()), try records(morning("xyz")))
        #expect(History(Chronicle(told)).rows == History(Chronicle(foreign)).rows)
        let pictures = [told, foreign].map {
            HistoryPicture(Chronicle($0), .everything)?.timeline.svg()
        }
        #expect(pictures[0] != nil && pictures[0] == pictures[1])
    }

    /// This export is from a version without these fields.
    @Test func entriesOfOlderVersionsAreReadWithoutTheMissingFields() throws {
        var export = Export()
        export.entry(1, "started", "Tacet runs: plays ‘One.flac’ at 0:00.")
        export.entry(10, "interruption-began", "Interrupted.", ["SIGNAL": "phone-call"])
        export.entry(20, "interruption-ended", "Over: plays ‘One.flac’.", ["SIGNAL": "phone-call"])
        let parser = try export.read()
        let rows = History(Chronicle(parser.records)).rows
        #expect(rows.map(\.what) == ["started", "interrupted"] && rows.map(\.outcome) == ["", ""])
        #expect(rows[1].length.lasted == 10_000_000 && rows[1].signals == ["phone-call"])
        #expect(parser.records.map(\.plays) == [nil, false, nil])
    }

    // MARK: Sounds

    /// A cue with its alarm, an announcement that a call cuts and that is played after it, another that expires, and
    /// two that a hush withdraws.
    private func announcements(_ message: String? = nil) -> Daemon {
        var daemon = Daemon { configuration in
            configuration.session.sounds = [
                SoundPolicy(id: "gong", expire: .seconds(30)), SoundPolicy(id: "siren", repeats: true),
            ]
            configuration.session.signals[1].cue = "siren"
        }
        daemon.message = message
        daemon.start()
        func announce(_ id: Announcement.ID, _ expire: Announcement.Expire = .asConfigured) -> Cause {
            .event(.command(.announce(Announcement("gong", id: id, expire: expire))))
        }
        func call(_ isAsserted: Bool) -> Cause { .event(.edge(Edge("phone-call", asserted: isAsserted))) }
        let duck = CommandEffect(given: .seconds(10), heard: .milliseconds(10_050), frame: 0)
        let effect = CommandEffect(given: .seconds(10), heard: .milliseconds(10_180), frame: 0)
        for (cause, second) in [
            (Cause.event(.edge(Edge("alarm", asserted: true))), 10), (.note(.playback(.effect(duck))), 11),
            (.note(.playback(.soundHeard(order: 1, effect))), 11),
            (.event(.edge(Edge("alarm", asserted: false))), 14), (announce(1), 20), (call(true), 22), (call(false), 25),
            (.event(.soundEnded, .sound("gong")), 28), (call(true), 30), (announce(2, .after(.seconds(1))), 31),
            (.event(.announcementExpired, .sound("gong")), 32), (call(false), 33), (announce(3), 40), (announce(4), 41),
            (.event(.command(.hush)), 42),
            (.event(.soundReadable("siren", false), .unreadable(reason: "it is empty")), 50),
            (.event(.soundReadable("siren", true)), 55),
        ] { daemon.handle(cause, at: second) }
        return daemon
    }

    @Test func logShowsARowForEachTimeASoundWasHeard() throws {
        let rows = History(Chronicle(try records(announcements()))).rows
        func row(_ row: History.Row) -> String {
            let end = row.length.lasted.map { " \($0 / 1_000_000) s" } ?? ""
            return "\(row.what)\(end)\(row.sound.map { " \($0)" } ?? "")\(row.signals.map { " \($0)" }.joined())"
        }
        #expect(
            rows.map(row) == [
                "started", "ducked to -14 dB 4 s alarm", "cue siren 4 s siren alarm", "command announce gong",
                "announcement gong 2 s gong", "interrupted 3 s phone-call", "announcement gong 3 s gong",
                "interrupted 3 s phone-call", "command announce gong", "announcement gong expired",
                "command announce gong", "announcement gong 2 s gong", "command announce gong", "command hush",
                "fault: sound (siren) 5 s",
            ])
        // The latency of the cue is separate from that of the duck.
        #expect(rows[1].latency == 50_000 && rows[2].latency == 180_000)
        #expect(rows[4].outcome == "starts again when it can be played")
        #expect(rows[6].outcome == "played to its end" && rows[11].outcome == "is not played again")
        let json = History.json(rows, damaged: 0)
        #expect(json.contains("\"signals\":[\"alarm\"],\"sound\":\"siren\"") && json.contains("\"sound\":null"))
    }

    @Test func pictureShowsWhenSoundsWereHeardAndTheGainUnderThem() throws {
        let chronicle = Chronicle(try records(announcements()))
        let timeline = try #require(HistoryPicture(chronicle, .everything)?.timeline)
        let sounds = try #require(timeline.sounds)
        #expect(sounds.map(\.value) == ["siren", "gong", "gong", "gong"])
        #expect(sounds.map { [$0.from, $0.to] } == [[9, 13], [19, 21], [24, 27], [39, 41]])
        #expect(timeline.signals.map(\.name) == ["alarm", "phone-call"])
        #expect(timeline.marks.map(\.text).contains("soundExpired(gong)"))
        #expect(timeline.marks.map(\.text).contains("siren:sound"))
        func gain(at time: Double) -> Double? { timeline.gain.last { $0.time <= time }?.gain }
        #expect(gain(at: 18) == 1 && gain(at: 21.5) == 0 && gain(at: 28) == 1)
        #expect(try abs(#require(gain(at: 20)) - 0.1995) < 0.001)
        #expect(try abs(#require(gain(at: 26)) - 0.1995) < 0.001)
        #expect(timeline.commands.map(\.text).last == "hush → success")
    }

    @Test func historyOfSoundsDependsOnFieldsAndNotOnMessages() throws {
        let (told, foreign) = (try records(announcements()), try records(announcements("xyz")))
        #expect(History(Chronicle(told)).rows == History(Chronicle(foreign)).rows)
        for record in told where record.event.hasPrefix("sound-") {
            #expect(record[.playing] != nil && record[.outcome] != nil && record[.sound] != nil, "\(record.event)")
        }
        let pictures = [told, foreign].map {
            HistoryPicture(Chronicle($0), .everything)?.timeline.svg()
        }
        #expect(pictures[0] != nil && pictures[0] == pictures[1])
    }
}
