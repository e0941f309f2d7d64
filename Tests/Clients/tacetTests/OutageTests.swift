import Foundation
import ServiceLab
import Testing
import Timeline

@testable import tacet

/// The times when nothing ran, and their causes.
@Suite struct OutageTests {
    /// Runs that end with a stop and a restart, a kill, a shutdown and a loss of power. Each run is another process.
    private static var runs: Export {
        var export = Export()
        let plays: KeyValuePairs = [
            "TRACK": "/m/a.flac", "POSITION_USEC": "0", "LENGTH_USEC": "9000000000", "PLAYING": "yes",
            "INTENT": "playing", "OUTCOME": "plays ‘a.flac’ at 0:00",
        ]
        func started(_ seconds: Double, _ lastRun: String, saved: Double, in boot: String) {
            let message =
                "Tacet has started and continues from state 7 in slot 1 (slot 0 is ignored because the checksum does not "
                + "match). Tacet plays ‘a.flac’ at 0:00."
            export.entry(
                seconds, "started", message,
                [
                    "LAST_RUN": lastRun, "SAVED_MONOTONIC_USEC": "\(Int64(saved * 1_000_000))", "SAVED_BOOT_ID": boot,
                    "TRACK": "/m/a.flac", "POSITION_USEC": "5000000", "LENGTH_USEC": "9000000000", "PLAYING": "yes",
                    "INTENT": "playing", "OUTCOME": "plays ‘a.flac’ at 0:05",
                ])
        }
        let (first, second, third) = (
            String(repeating: "1", count: 32), String(repeating: "2", count: 32), String(repeating: "3", count: 32)
        )
        export.entry(20, "started", "Tacet runs: plays.", plays)
        export.entry(100, "stopping", "Tacet stops.")
        export.process = 401
        export.entry(
            120, "start-refused", "/etc/tacet/tacet.conf:3: error: no such key\nand more",
            ["REASON": "/etc/tacet/tacet.conf:3: error: no such key"])
        export.process = 402
        export.entry(129.9, "configuration-changed", "The sound device opens.")
        started(130, "stopped", saved: 100, in: first)
        export.entry(
            140, "interruption-began", "Interrupted.",
            ["SIGNAL": "phone-call", "EFFECT": "pause", "REASON": "default", "PLAYING": "no"])
        export.process = 403
        export.entry(161, "configuration-changed", "The sound device opens.")
        started(162, "killed", saved: 155, in: first)
        export.entry(200, "stopping", "Tacet stops.")
        (export.boot, export.clock, export.process) = (second, export.clock + 300, 404)
        started(10, "stopped", saved: 200, in: first)
        (export.boot, export.clock) = (third, export.clock + 300)
        started(15, "power-cut", saved: 80, in: second)
        return export
    }

    @Test func outagesHaveTheirCause() throws {
        let chronicle = try Self.runs.chronicle()
        let start: Int64 = 1_795_269_600_000_000
        #expect(chronicle.outages.map(\.cause) == [.stopped, .killed, .shutDown, .powerCut])
        #expect(chronicle.outages.map { ($0.from - start) / 100_000 } == [1000, 1550, 2000, 3800])
        #expect(chronicle.outages.map { (($0.to ?? 0) - start) / 100_000 } == [1299, 1610, 3100, 6150])
        let rows = History(chronicle).rows
        #expect(
            rows.map(\.what) == [
                "started", "stopped", "start refused", "started", "interrupted", "killed", "started", "shut down",
                "started", "no power", "started",
            ])
        #expect(rows[2].outcome == "/etc/tacet/tacet.conf:3: error: no such key")
        // A message may contain any number of colons, so only the fields are used.
        #expect(rows[3].outcome == "plays ‘a.flac’ at 0:05")
        #expect(rows[4].length.isCutShort && rows[4].length.lasted == 15_000_000)
        #expect(rows[4].outcome == "not over when Tacet was killed")
        #expect(rows[9].outcome.hasPrefix("the last state was saved at 20"))
    }

    /// A silent board that is killed after a pause of 150 s and returns 4 s later.
    private func kill(_ invocation: String?, exit: (inout Export) -> Void = { _ in }) throws -> Chronicle {
        var export = Export()
        export.invocation = invocation
        export.entry(20, "command", "pause.", ["COMMAND": "pause", "PLAYING": "no", "INTENT": "paused"])
        exit(&export)
        (export.process, export.invocation) = (401, "ffff")
        export.entry(174, "started", "Tacet has started.", ["LAST_RUN": "killed", "PLAYING": "no"])
        export.entry(180, "command", "play.", ["COMMAND": "play", "PLAYING": "yes", "INTENT": "playing"])
        return try export.chronicle()
    }

    private func lengths(_ chronicle: Chronicle) -> [String] {
        History.text(History(chronicle).rows).map { $0.line }.filter { $0.contains("killed") }
    }

    @Test func killTimeOfASilentBoardComesFromSystemdsEntry() throws {
        let chronicle = try kill("aaaa") { $0.exit(170, of: "aaaa") }
        let row = try #require(History(chronicle).rows.first { $0.what == "killed" })
        #expect(row.length.lasted == 4_000_000 && row.length.atLeast == nil && row.began == 1_795_269_770_000_000)
        #expect(lengths(chronicle).first?.contains("killed  ") == true && lengths(chronicle)[0].contains("4.0s"))
        let outages = try chronicle.timeline().outages
        #expect(outages == [.init(from: 150, to: 154, value: .killed)])
    }

    @Test func killWithoutALoggedEndHasBounds() throws {
        // The entries about ends belong to another invocation or come from another program, or there are none.
        let others: [(inout Export) -> Void] = [
            { $0.exit(170, of: "bbbb") }, { $0.exit(170, of: "aaaa", by: 300) }, { _ in },
        ]
        for other in others {
            let chronicle = try kill("aaaa", exit: other)
            let row = try #require(History(chronicle).rows.first { $0.what == "killed" })
            #expect(row.length.lasted == 154_000_000 && row.length.atLeast == 0)
            #expect(lengths(chronicle).first?.contains("at most 2min 34s") == true, "\(lengths(chronicle))")
            let timeline = try chronicle.timeline()
            #expect(timeline.outages == [.init(from: 0, to: 154, value: .unknown)])
            #expect(timeline.marks.contains { $0.text == "killed" && $0.time == 154 })
            #expect(timeline.svg().contains("not known whether it ran"))
        }
        #expect(try kill(nil) { $0.exit(170, of: "aaaa") }.outages.map(\.certainFrom) == [1_795_269_774_000_000])
    }

    @Test func powerCutHasBounds() throws {
        let lines = History.text(History(try Export.morning.chronicle()).rows).map { $0.line }
        #expect(lines.contains { $0.contains("no power") && $0.contains("18s to 2min 53s") }, "\(lines)")
    }

    @Test func exitIsReadFromTheJournalAndFromItsExport() throws {
        var export = Export()
        export.invocation = "aaaa"
        export.entry(20, "started", "Tacet has started.")
        export.exit(30, of: "aaaa")
        let folder = try export.folder()
        try JournalFile.write(folder.url.path + "/j", to: folder.url.path + "/test.journal")
        let journal = try JournalSource.journal(directory: folder.url.path).read()
        let exported = try JournalSource.export(folder.url.path + "/j").read()
        #expect(journal.exits.map(\.monotonic) == [30_000_000] && journal.exits.map(\.invocation) == ["aaaa"])
        #expect(journal.exits == exported.exits && journal.records == exported.records)
        #expect(journal.records.map(\.invocation) == ["aaaa"])
    }

    /// If the version did not record the cause, the order of the entries decides.
    @Test func causeOfAnOutageFollowsFromTheOrderOfEntriesIfNotRecorded() throws {
        var export = Export()
        export.process = nil
        for (boot, seconds, event) in [
            ("1", 20.0, "started"), ("1", 60, "stopping"), ("1", 70, "started"), ("1", 90, "started"),
            ("2", 10, "started"),
        ] {
            export.boot = String(repeating: boot, count: 32)
            export.clock = boot == "1" ? 1_795_269_600 : 1_795_270_000
            export.entry(seconds, event, "Tacet.")
        }
        #expect(
            try export.chronicle().outages.map(\.cause) == [.stopped, .killed, .powerCut])
    }

    @Test func stopWithoutALaterStartHasNoEnd() throws {
        var export = Export()
        export.entry(20, "started", "Tacet runs.")
        export.entry(60, "stopping", "Tacet stops.")
        let chronicle = try export.chronicle()
        #expect(History(chronicle).rows.last.map { $0.what == "stopped" && $0.length.isOpen } == true)
        let outages = try chronicle.timeline().outages
        #expect(outages.map(\.to) == [.infinity])
    }

    @Test func pictureShowsNoMusicDuringAnOutage() throws {
        let timeline = try Self.runs.chronicle().timeline()
        let outages = timeline.outages.map { ($0.from.rounded(), $0.to.rounded(), $0.value) }
        #expect(outages.map(\.2) == [.stopped, .unknown, .shutDown, .unknown, .powerCut])
        #expect(outages.map(\.0) == [80, 135, 180, 360, 580] && outages.map(\.1) == [110, 141, 290, 580, 595])
        for span in timeline.playback {
            #expect(!outages.contains { span.from < $0.1 - 1 && span.to > $0.0 + 1 }, "\(span)")
        }
        #expect(timeline.intent.map(\.value).allSatisfy { $0 == .playing })
        #expect(timeline.marks.contains { $0.text == "start refused" && Int($0.time) == 100 })
        let svg = timeline.svg()
        for word in ["stopped", "not known whether it ran", "shut down", "no power"] {
            #expect(svg.contains("<title>\(word), 14:"), "\(word)")
        }
    }
}
