import Foundation
import ServiceLab
import Testing

@testable import tacet

/// The output of `tacet timeline --json`, which the page for Cockpit draws.
@Suite struct HistoryLanesTests {
    private static let start: Int64 = 1_795_269_600_000_000

    /// Returns the rows of a lane with their texts, their beginnings and ends in seconds, and their details.
    private func rows(_ id: String, _ export: Export) throws -> [String] {
        try HistoryLanes(export.chronicle()).rows.filter { $0.lane.id == id }.map { row in
            let from = (row.began - Self.start) / 1_000_000
            let to = row.length.lasted.map { "\(from + $0 / 1_000_000)" } ?? (row.length.isOpen ? "…" : "")
            return (["\(row.what) \(from)-\(to)"] + row.details).joined(separator: "; ")
        }
    }

    @Test func everythingThatBeganAndEndedHasItsLength() throws {
        var export = Export()
        let plays = [("PLAYING", "yes"), ("INTENT", "playing"), ("TRACK", "/srv/music/a.flac")]
        let quiet = [("PLAYING", "no"), ("INTENT", "playing")]
        let call = [("SIGNAL", "phone-call"), ("EFFECT", "pause"), ("REASON", "default")]
        export.entry(10, "started", "", plays)
        export.entry(20, "interruption-began", "", quiet + call)
        export.entry(21, "interruption-heard", "", [("SIGNAL", "phone-call"), ("LATENCY_USEC", "52000")])
        export.entry(30, "interruption-ended", "", plays + [("SIGNAL", "phone-call"), ("OUTCOME", "plays")])
        export.entry(32, "output", "", [("OUTPUT", "lamp"), ("ASSERTED", "yes"), ("EFFECT", "playing")])
        export.entry(34, "output", "", [("OUTPUT", "lamp"), ("ASSERTED", "no")])
        export.entry(35, "media-services-lost", "", quiet + [("REASON", "unplugged")])
        export.entry(38, "media-services-reset", "", plays + [("OUTCOME", "plays on")])
        export.entry(40, "storage-lost", "", [])
        export.entry(45, "storage-back", "", [])
        export.entry(46, "storage-slow", "", [])
        export.entry(48, "storage-recovered", "", ["OUTCOME": "plays on"])
        export.entry(50, "duck-began", "", plays + [("SIGNAL", "alarm"), ("EFFECT", "duck"), ("LEVEL", "-14")])
        export.entry(55, "duck-ended", "", plays + [("SIGNAL", "alarm"), ("OUTCOME", "back at full level")])
        export.entry(
            60, "command", "", [("PLAYING", "no"), ("INTENT", "paused"), ("COMMAND", "pause"), ("ANSWER", "success")])
        #expect(
            try rows("music", export) == [
                "playing 10-20; a.flac", "quiet: interrupted 20-30", "playing 30-35; a.flac", "quiet 35-38",
                "playing 38-50; a.flac", "turned down to -14 dB 50-55; a.flac", "playing 55-60; a.flac",
                "quiet: paused 60-…",
            ])
        #expect(
            try rows("interruption", export) == ["interrupted 20-30; took effect after 52 ms; then: plays"])
        #expect(try rows("signal phone-call", export) == ["phone-call asserted 20-30; effect: pause"])
        #expect(try rows("output lamp", export) == ["lamp on 32-34; means: playing"])
        #expect(try rows("device", export) == ["sound device lost 35-38; unplugged; then: plays on"])
        #expect(try rows("storage", export) == ["storage lost 40-45; then: the storage has returned"])
        #expect(try rows("slow storage", export) == ["storage too slow 46-48; then: plays on"])
        #expect(try rows("duck", export) == ["ducked to -14 dB 50-55; then: back at full level"])
        #expect(try rows("signal alarm", export) == ["alarm asserted 50-55; effect: duck"])
        #expect(try rows("command", export) == ["command pause 60-; answer: success"])
        #expect(try rows("notice", export) == ["started 10-"])
    }

    @Test func musicNamesTheInputThatPlays() throws {
        var export = Export()
        let plays = [("PLAYING", "yes"), ("INTENT", "playing"), ("TRACK", "/srv/music/a.flac")]
        export.entry(10, "started", "", plays + [("SOURCE", "library")])
        export.entry(20, "source-changed", "", plays + [("SOURCE", "airplay")])
        export.entry(30, "source-changed", "", plays + [("SOURCE", "library")])
        #expect(
            try rows("music", export) == ["playing 10-20; a.flac", "playing airplay 20-30", "playing 30-…; a.flac"])
    }

    @Test func soundThatIsCutOffEndsWithItsOutcome() throws {
        let gong: KeyValuePairs = ["SOUND": "gong", "ANNOUNCEMENT": "1"]
        func play(_ end: String, _ outcome: [(String, String)]) throws -> [String] {
            var export = Export()
            export.entry(10, "started", "")
            export.entry(12, "sound-began", "", gong)
            // A hush also cuts queued announcements.
            export.entry(13, "sound-cut", "", ["SOUND": "chime", "ANNOUNCEMENT": "2"])
            export.entry(14, end, "", gong.map { ($0.key, $0.value) } + outcome)
            return try rows("sound", export)
        }
        #expect(try play("sound-ended", []) == ["announcement gong 12-14; then: played to its end"])
        let cut = try play("sound-cut", [("OUTCOME", "heard again later")])
        #expect(cut == ["announcement gong 12-14; then: heard again later"])
        #expect(try play("sound-cut", []) == ["announcement gong 12-14"])
    }

    @Test func faultLastsUntilItIsCleared() throws {
        var export = Export()
        export.entry(10, "started", "")
        export.entry(20, "fault", "", ["SIGNAL": "alarm", "FAULT": "stuck", "REASON": "it is asserted for an hour"])
        export.entry(25, "fault", "", ["SIGNAL": "door", "FAULT": "stuck"])
        export.entry(30, "fault-cleared", "", ["SIGNAL": "alarm", "FAULT": "stuck"])
        #expect(
            try rows("fault alarm    stuck", export) == [
                "fault: stuck 20-30; it is asserted for an hour; then: no longer stuck"
            ])
        #expect(try rows("fault door    stuck", export) == ["fault: stuck 25-…"])
    }

    @Test func allSpansEndWithTheDaemon() throws {
        var export = Export()
        export.entry(10, "started", "", ["PLAYING": "yes"])
        export.entry(20, "signal", "", ["SIGNAL": "alarm", "ASSERTED": "yes"])
        export.process = 401
        export.entry(40, "started", "", ["LAST_RUN": "killed"])
        #expect(try rows("signal alarm", export) == ["alarm asserted 20-20; not over when Tacet was killed"])
        #expect(try rows("music", export) == ["playing 10-20; not over when Tacet was killed"])
        #expect(try rows("outage", export) == ["killed 20-40"])
    }

    @Test func startThatWasRefusedIsANoticeAndNotARun() throws {
        var export = Export()
        export.entry(10, "started", "")
        export.entry(20, "stopping", "")
        export.process = 401
        export.entry(30, "start-refused", "", ["REASON": "the configuration has mistakes"])
        #expect(try rows("outage", export) == ["stopped 20-…"])
        #expect(
            try rows("notice", export) == ["started 10-", "start refused 30-; the configuration has mistakes"])
        export.process = 402
        export.entry(40, "started", "", ["LAST_RUN": "stopped"])
        #expect(try rows("outage", export) == ["stopped 20-40"])
    }

    @Test func outageBeginsWithTheNewerOfTheLastEntryAndTheSavedState() throws {
        for (saved, begin) in [(15, 20), (30, 30)] {
            var export = Export()
            let boot = export.boot
            export.entry(10, "started", "")
            export.entry(20, "command", "", ["COMMAND": "play"])
            export.process = 401
            export.entry(
                40, "started", "",
                ["LAST_RUN": "killed", "SAVED_BOOT_ID": boot, "SAVED_MONOTONIC_USEC": "\(saved)000000"])
            #expect(try rows("outage", export).first?.hasPrefix("killed \(begin)-40") == true)
        }
    }

    /// The signal also has a lane while the music is interrupted, although the log then has no row for it.
    @Test func signalHasALaneDuringAnInterruption() throws {
        let export = Export.morning
        #expect(
            try rows("signal phone-call", export).map { $0.prefix { $0 != ";" } } == [
                "phone-call asserted 80-110", "phone-call asserted 140-145", "phone-call asserted 318-330",
            ])
        #expect(try rows("signal door", export) == ["door asserted 90-95; effect: pause"])
        #expect(try rows("interruption", export)[2].contains("; reason: appWasSuspended; then: plays"))
    }

    @Test func suppressedSignalIsShownAsSuppressed() throws {
        var export = Export()
        export.entry(10, "started", "")
        export.entry(20, "signal-suppressed", "", ["SIGNAL": "door"])
        export.entry(30, "signal", "", ["SIGNAL": "door", "ASSERTED": "no"])
        #expect(try rows("signal door", export) == ["door asserted, but suppressed 20-30"])
    }

    // MARK: JSON

    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func lanes(_ object: [String: Any]) throws -> [(id: String, spans: [[String: Any]])] {
        try #require(object["lanes"] as? [[String: Any]]).map { lane in
            (lane["id"] as? String ?? "", lane["spans"] as? [[String: Any]] ?? [])
        }
    }

    @Test func programPrintsTheLanesInTheirOrder() throws {
        let folder = try Folder()
        try Export.morning.data.write(to: folder.url.appendingPathComponent("j"))
        let result = try Program.run(
            ["timeline", "--json", "--file", "j"], in: folder.url, environment: ["TZ": "Europe/Oslo"])
        #expect(result.code == 0 && result.errors.isEmpty)
        let object = try object(result.output)
        #expect(object["version"] as? Int == 1 && object["until_usec"] is NSNull)
        #expect(object["now_usec"] as? Int64 == Self.start + 350_000_000)
        #expect((object["offsets"] as? [[String: Int64]])?.map { $0["ahead_sec"] } == [3600])
        let lanes = try lanes(object)
        #expect(
            lanes.map(\.id) == [
                "music", "interruption", "duck", "signal phone-call", "signal door", "signal alarm", "device",
                "fault phone-call    chatter", "command", "notice", "outage",
            ])
        let call = lanes[1].spans[0]
        #expect(
            call["what"] as? String == "interrupted by phone-call, door" && call["kind"] as? String == "interruption")
        #expect(call["began_usec"] as? Int64 == Self.start + 80_100_000 && call["lasted_usec"] as? Int == 30_000_000)
        #expect(call["is_over"] as? Bool == true && call["is_cut_short"] as? Bool == false)
        #expect(lanes[1].spans[1]["is_cut_short"] as? Bool == true)
        let fault = lanes[7].spans[0]
        #expect(fault["what"] as? String == "fault: chatter (phone-call)")
        #expect(fault["is_over"] as? Bool == false && fault["lasted_usec"] is NSNull)
        let outage = lanes[10].spans[0]
        #expect(outage["what"] as? String == "no power" && outage["at_least_usec"] as? Int == 18_000_000)
    }

    @Test func rangeLeavesOutWhatEndedBefore() throws {
        let folder = try Folder()
        try Export.morning.data.write(to: folder.url.appendingPathComponent("j"))
        let result = try Program.run(
            ["timeline", "--json", "--file", "j", "--since", "14:01:55", "--until", "14:02:04"], in: folder.url,
            environment: ["TZ": "UTC"])
        let found = try lanes(object(result.output))
        #expect(found.map(\.id) == ["music", "duck", "signal alarm"])
        #expect(found[0].spans.map { $0["kind"] as? String } == ["playing", "ducked"])
    }

    @Test func textsAreVisibleAndBounded() throws {
        var export = Export()
        export.entry(10, "command", "", ["COMMAND": "\u{1B}[31m", "OUTCOME": String(repeating: "x", count: 10_000)])
        let text = try HistoryLanes(export.chronicle()).json(
            HistoryRange(since: 0, until: nil), now: 5, problems: ["\u{7}"])
        let span = try lanes(object(text))[0].spans[0]
        #expect(span["what"] as? String == "command \\x1b[31m")
        #expect((span["details"] as? [String])?[0].utf8.count == HistoryLanes.longestText)
        #expect(try object(text)["problems"] as? [String] == ["\\x07"])
    }

    @Test func onlyTheNewestRowsArePrinted() throws {
        let count = HistoryLanes.mostRows + 3
        let records = (0..<count).map { second in
            JournalRecord(
                realtime: Int64(second), monotonic: Int64(second), boot: "b", event: "command", message: "",
                fields: ["COMMAND": ["\(second)"]])
        }
        let text = HistoryLanes(Chronicle(records)).json(HistoryRange(since: 0, until: nil), now: 5, problems: [])
        let spans = try lanes(object(text))[0].spans
        #expect(spans.count == HistoryLanes.mostRows && spans[0]["what"] as? String == "command 3")
        let problem = "only the newest \(HistoryLanes.mostRows) of \(count) spans of this time are listed"
        #expect(try object(text)["problems"] as? [String] == [problem])
    }

    @Test func onlyTheNewestEntriesAreRead() throws {
        var export = Export()
        for second in 1...4 { export.entry(Double(second), "command", "", ["COMMAND": "\(second)"]) }
        let folder = try Folder()
        try export.data.write(to: folder.url.appendingPathComponent("j"))
        try JournalFile.write(folder.url.path + "/j", to: folder.url.path + "/test.journal")
        for count in 1...6 {
            let records = try JournalSource.journal(directory: folder.url.path).read(newest: count).records
            #expect(records.map { $0[.command] } == (1...4).suffix(count).map { "\($0)" }, "\(count)")
        }
        let log = try Program.run("log", "--directory", ".", in: folder.url)
        #expect(log.code == 0 && log.output.split(separator: "\n").count == 5, "\(log.errors)")
    }

    @Test(arguments: [
        (["--json", "-o", "x.svg"], 64, "tacet: -o and --json exclude each other"),
        (
            ["--json", "--file", "j", "--directory", "."], 64,
            "tacet: --file and --directory exclude each other"
        ),
        (["--json", "--directory", "nowhere"], 1, "tacet: cannot open the journal in nowhere: No such file"),
    ]) func invalidTimelineArgumentsAreReported(arguments: [String], code: Int32, complaint: String) throws {
        let result = try Program.run(["timeline"] + arguments)
        #expect(result.code == code && result.output.isEmpty)
        #expect(result.errors.hasPrefix(complaint), "\(result.errors)")
    }

    @Test func journalWithoutEntriesIsAProblemAndNotAFailure() throws {
        let folder = try Folder(["j": ""])
        let result = try Program.run("timeline", "--json", "--file", "j", in: folder.url)
        let object = try object(result.output)
        #expect(result.code == 0 && (object["lanes"] as? [Any])?.isEmpty == true)
        #expect((object["problems"] as? [String])?.first?.hasPrefix("j: no entries from Tacet") == true)
    }
}
