import AudioSession
import Configuration
import Foundation
import Testing

@testable import Appliance
@testable import Supervisor
@testable import tacet

/// History as the daemon's own journalist writes it, read back by `tacet log` and `tacet timeline`.
@Suite struct WrittenHistoryTests {
    /// A session, and an export of what the journalist writes about it.
    private struct Daemon {
        private var configuration = Configuration.builtIn
        private var session: Session
        private var journalist = Journalist()
        private(set) var export = Export()
        /// Replaces every message, as a later version or a translation would.
        var message: String?

        init(_ change: (inout Configuration) -> Void = { _ in }) {
            change(&configuration)
            session = Session(policy: configuration.session)
            session.handle(.boot(Boot(saved: nil, trackCount: 2)), at: .zero)
        }

        private func scene(at second: Int) -> Scene {
            Scene(
                session: session, configuration: configuration, track: "/srv/music/One.flac",
                position: .seconds(second))
        }

        mutating func start() { write(journalist.started(scene(at: 0)), at: 1) }

        mutating func handle(_ happening: Happening, at second: Int) {
            let before = ActiveSignals(session)
            var report = Report(time: .seconds(second), happening: happening)
            for action in happening.event.map({ session.handle($0, at: report.time) }) ?? [] {
                switch action {
                case .post(let notification): report.notifications.append(notification)
                case .answer(let answer): report.answer = answer
                default: break
                }
            }
            let after = ActiveSignals(session)
            (report.over, report.begun) = (before.subtracting(after), after.subtracting(before))
            for entry in journalist.entries(for: report, in: scene(at: second)) { write(entry, at: second) }
        }

        private mutating func write(_ entry: JournalEntry, at second: Int) {
            export.entry(
                Double(second), entry.event.rawValue, message ?? entry.message,
                entry.fields.map { ($0.field.rawValue, $0.value) })
        }
    }

    private func records(_ daemon: Daemon) throws -> [JournalRecord] {
        var parser = ExportParser()
        try parser.feed(daemon.export.data)
        try parser.finish()
        #expect(parser.damaged == 0)
        return parser.records
    }

    private func morning(_ message: String? = nil) -> Daemon {
        var daemon = Daemon { $0.session.signals[0].resume = .manual }
        daemon.message = message
        daemon.start()
        for (happening, second) in [
            (Happening.edge(Edge("phone-call", asserted: true)), 10), (.deviceLost, 12),
            (.command(.seek(to: .seconds(3))), 13), (.fault(Fault("alarm", .lost)), 14), (.deviceReset, 15),
            (.edge(Edge("phone-call", asserted: false)), 20), (.command(.play), 30), (.command(.pause), 40),
            (.command(.play), 50), (.trackSkipped(path: "/srv/music/Bad.flac", reason: "no audio"), 60),
            (.stateUnreadable("the saved state is damaged"), 70), (.playlistEnded, 80),
        ] { daemon.handle(happening, at: second) }
        return daemon
    }

    @Test func everyEntryHasPlayingAndOutcome() throws {
        let records = try records(morning())
        #expect(records.count == 13)
        for record in records {
            #expect(record["PLAYING"] != nil && record["OUTCOME"] != nil, "\(record.event)")
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
        // In a call without a card, the call is the cause.
        #expect(rows[2].outcome == "quiet because phone-call is asserted" && rows[2].lasted == 3_000_000)
        #expect(rows[3].outcome == "quiet because phone-call is asserted")
        #expect(rows[6].outcome == "stays paused in ‘One.flac’ at 0:40")
        #expect(rows[8].outcome == "no audio" && rows[9].outcome == "the saved state is damaged")
        #expect(rows[10].outcome.hasSuffix("because the last track has ended (Repeat=none)"))
    }

    /// Wording can change, fields cannot.
    @Test func historyDependsOnFieldsAndNotOnMessages() throws {
        let (told, foreign) = (try records(morning()), try records(morning("xyz")))
        #expect(History(Chronicle(told)).rows == History(Chronicle(foreign)).rows)
        let pictures = [told, foreign].map {
            HistoryPicture(Chronicle($0), HistoryRange(since: nil, until: nil))?.timeline.svg()
        }
        #expect(pictures[0] != nil && pictures[0] == pictures[1])
    }

    /// A version without these fields.
    @Test func entriesOfOlderVersionsAreReadWithoutTheMissingFields() throws {
        var export = Export()
        export.entry(1, "started", "Tacet runs: plays ‘One.flac’ at 0:00.")
        export.entry(10, "interruption-began", "Interrupted.", ["SIGNAL": "phone-call"])
        export.entry(20, "interruption-ended", "Over: plays ‘One.flac’.", ["SIGNAL": "phone-call"])
        var parser = ExportParser()
        try parser.feed(export.data)
        try parser.finish()
        let rows = History(Chronicle(parser.records)).rows
        #expect(rows.map(\.what) == ["started", "interrupted"] && rows.map(\.outcome) == ["", ""])
        #expect(rows[1].lasted == 10_000_000 && rows[1].signals == ["phone-call"])
        #expect(parser.records.map(\.plays) == [nil, false, nil])
    }
}
