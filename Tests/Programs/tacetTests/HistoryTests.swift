import Foundation
import ServiceLab
import Systemd
import Testing
import Timeline

@testable import tacet

@Suite struct HistoryTests {
    private func parse(_ data: Data) throws -> (records: [JournalRecord], damaged: Int) {
        var parser = ExportParser()
        try parser.feed(data)
        try parser.finish()
        return (parser.records, parser.damaged)
    }

    private func folder() throws -> Folder {
        let folder = try Folder()
        try Export.morning.data.write(to: folder.url.appendingPathComponent("j"))
        return folder
    }

    // MARK: Reading

    @Test func readsAllFieldsOfEveryEntry() throws {
        let (records, damaged) = try parse(Export.morning.data)
        #expect(records.count == 18 && damaged == 0)
        #expect(records[2].message.hasPrefix("Interrupted by phone-call (PHONE_CALL); will resume ‘One.flac’"))
        #expect(records[2].signals == ["phone-call"] && records[2][.position] == "60000000")
        #expect(records[2].monotonic == 80_100_000 && records[2].realtime == 1_795_269_680_100_000)
    }

    /// An entry that waited for the journal is older than the journal says, and so can be one that comes later there.
    @Test func entryThatWaitedHasTheTimeAtWhichItWasWritten() throws {
        var export = Export()
        export.entry(10, "started", "Tacet runs.")
        export.entry(50, "command", "play", ["DELAY_USEC": "20000000"])
        for (delay, second) in [("-5", 60), ("soon", 61), ("99999999999999999999", 62), ("9223372036854775807", 63)] {
            export.entry(Double(second), "command", "pause", ["DELAY_USEC": delay])
        }
        let records = try parse(export.data).records
        #expect(records.map(\.monotonic) == [10, 30, 60, 61, 62, 0].map { $0 * 1_000_000 })
        let start = records[0].realtime - 10_000_000
        #expect(records[1].realtime == start + 30_000_000 && records[5].realtime == start)
    }

    @Test func valuesCanHoldAnyBytes() throws {
        var export = Export()
        export.text("__REALTIME_TIMESTAMP", "5")
        export.text("__MONOTONIC_TIMESTAMP", "5")
        export.text("_BOOT_ID", "b")
        export.binary("MESSAGE", "two\n\nlines = of it\n")
        export.binary("COREDUMP", String(repeating: "\n\nTACET_EVENT=x\n", count: 20_000))
        export.text("TACET_EVENT", "started")
        export.text("TACET_SIGNAL", "a=b")
        export.text("TACET_SIGNAL", "c")
        let (records, _) = try parse(export.data + Data("\n".utf8))
        #expect(records.count == 1 && records[0].message == "two\n\nlines = of it\n")
        #expect(records[0].signals == ["a=b", "c"])
    }

    @Test func parserSkipsEntriesWithoutATacetEvent() throws {
        var export = Export()
        export.entry(1, nil, "somebody else's")
        export.entry(2, "started", "Tacet runs: quiet.")
        #expect(try parse(export.data).records.map(\.event) == ["started"])
    }

    @Test(arguments: ["no journal\n", "{\"MESSAGE\":1}\n", "lower=case\n", "\u{0}\u{1}", "=\n"])
    func textInAnotherFormatIsRejected(text: String) {
        #expect(throws: ExportParser.NoExport.self) {
            var parser = ExportParser()
            try parser.feed(text.utf8)
            try parser.feed(Array(repeating: UInt8(0), count: 1 << 16))
            try parser.feed("x\n\n".utf8)
            try parser.finish()
        }
    }

    /// Wherever a copy was cut short, its complete entries are read.
    @Test func truncatedExportYieldsItsCompleteEntries() throws {
        let whole = Export.morning.data
        let all = try parse(whole).records
        for length in stride(from: 1, to: whole.count, by: 7) {
            guard let (records, damaged) = try? parse(whole.prefix(length)) else { continue }
            #expect(records.elementsEqual(all.prefix(records.count)) && damaged <= 1)
        }
    }

    /// As `tacet log` and `tacet timeline` show it.
    private func render(_ records: [JournalRecord], damaged: Int) -> (rows: [History.Row], text: [String]) {
        let chronicle = Chronicle(records)
        let rows = History(chronicle).rows
        _ = History.json(rows, damaged: damaged)
        _ = HistoryLanes(chronicle).json(HistoryRange.everything.bounded(by: chronicle), now: 0, problems: [])
        for range in [HistoryRange.everything, HistoryRange(since: nil, until: 0)] {
            _ = HistoryPicture(chronicle, range)?.timeline.svg()
        }
        return (rows, History.text(rows).map { $0.line })
    }

    /// A flipped bit causes at most an error.
    @Test(arguments: [Export.morning, .extreme])
    func anyFlippedByteIsHandled(export: Export) {
        let whole = Array(export.data)
        for index in stride(from: 0, to: whole.count, by: 11) {
            for flip in [UInt8(0x80), 0x0A, 0x3D] {
                var bytes = whole
                bytes[index] ^= flip
                var parser = ExportParser()
                guard (try? parser.feed(bytes)) != nil, (try? parser.finish()) != nil else { continue }
                _ = render(parser.records, damaged: parser.damaged)
            }
        }
    }

    @Test func absurdNumbersAreHandled() throws {
        var export = Export()
        for value in ["-1", "9223372036854775807", "99999999999999999999", "0", ""] {
            export.text("__REALTIME_TIMESTAMP", value)
            export.text("__MONOTONIC_TIMESTAMP", "9223372036854775807")
            export.text("_BOOT_ID", value)
            export.text("TACET_EVENT", "interruption-began")
            export.text("TACET_POSITION_USEC", "1e999")
            export.text("TACET_TRACK", "x")
            export.raw([0x0A])
        }
        let (records, damaged) = try parse(export.data)
        #expect(records.count == 2 && damaged == 3)
        // And the time between the two boots.
        #expect(render(records, damaged: damaged).rows.count == 3)
    }

    @Test func theLargestNumbersAreRendered() throws {
        let (records, damaged) = try parse(Export.extreme.data)
        #expect(records.count == 5 && damaged == 0)
        let (rows, text) = render(records, damaged: damaged)
        #expect(rows.map(\.what) == ["started", "no power", "started", "interrupted"])
        #expect(rows.first?.began == Int64.min + 5 && rows.last?.length.lasted == Int64.max - 1)
        #expect(rows.last?.latency == Int64.max && text.last?.contains(" 9223372036854775 ms") == true, "\(text)")
    }

    @Test func timeArithmeticSaturates() {
        let (first, last) = (Int64.min, Int64.max)
        #expect(last.adding(1) == last && first.adding(-1) == first && last.adding(first) == -1)
        #expect(first.subtracting(1) == first && last.subtracting(-1) == last && last.subtracting(last) == 0)
    }

    // MARK: Sleep

    @Test func sleepsHaveTheirTimeAlthoughTheMonotonicClockStandsStill() throws {
        var export = Export()
        export.entry(10, "started", "Tacet has started.")
        export.entry(20, "asleep", "The system is about to sleep.")
        // 600 s later by the wall clock.
        export.clock += 600
        export.entry(21, "awake", "Awake.", ["REASON": "suspended", "ASLEEP_USEC": "600000000", "OUTCOME": "plays"])
        export.entry(30, "awake", "Awake.", ["REASON": "stopped", "ASLEEP_USEC": "3000000", "OUTCOME": "plays on"])
        let rows = History(Chronicle(try parse(export.data).records)).rows
        #expect(rows.map(\.what) == ["started", "asleep", "stopped (SIGSTOP)"])
        let starts = rows.map { ($0.began - 1_795_269_600_000_000) / 1_000_000 }
        #expect(starts == [10, 20, 627])
        #expect(rows[1].length.lasted == 601_000_000 && rows[1].outcome == "plays")
        #expect(rows[2].length.lasted == 3_000_000 && !rows[2].length.isOpen)
    }

    // MARK: The order of time

    @Test func bootWithAWrongClockKeepsItsPlaceInTheOrder() throws {
        let chronicle = Chronicle(try parse(Export.morning.data).records)
        let moments = chronicle.moments
        #expect(zip(moments, moments.dropFirst()).allSatisfy { $0.time <= $1.time })
        // 1970 was set right while it ran: its first entry, too, was 18 s after that boot.
        let second = try #require(moments.first { $0.record.boot.hasPrefix("2") })
        #expect(
            second.time == 1_795_269_918_000_000 && chronicle.boot(second.record.boot)?.start == 1_795_269_900_000_000)
    }

    @Test func entriesOfABootAreOrderedByTheMonotonicClock() throws {
        var export = Export()
        export.entry(9, "stopping", "Tacet stops.")
        export.entry(2, "started", "Tacet runs: quiet.")
        #expect(Chronicle(try parse(export.data).records).moments.map(\.record.event) == ["started", "stopping"])
    }

    // MARK: The table

    @Test func recordingsAndTheirFaultsAreRows() throws {
        var export = Export()
        export.entry(10, "started", "Tacet has started.")
        export.entry(20, "recording-began", "The microphone is recorded.", ["RECORDING": "yes", "FILE": "/srv/1.flac"])
        export.entry(25, "recording-file", "The recording begins.", ["FILE": "/srv/1.flac"])
        export.entry(30, "recording-storage-lost", "Full.", ["REASON": "the disk is full"])
        export.entry(31, "recording-overrun", "Lost.", ["FRAMES": "480", "OUTCOME": "recording continues"])
        export.entry(33, "recording-storage-back", "Back.", ["OUTCOME": "recording continues"])
        export.entry(40, "capture-lost", "Lost.", ["REASON": "no such device"])
        export.entry(40, "recording-ended", "Ended.", ["RECORDING": "no", "REASON": "the capture device is lost"])
        export.entry(45, "capture-back", "Back.", ["OUTCOME": "it is recorded again"])
        export.entry(45, "recording-began", "Again.", ["RECORDING": "yes"])
        let (records, damaged) = try parse(export.data)
        let rows = render(records, damaged: damaged).rows
        #expect(
            rows.map(\.what) == [
                "started", "recording", "recording-file", "recordings not written", "recording-overrun",
                "capture device lost", "recording",
            ])
        #expect(rows[1].length.lasted == 20_000_000 && rows[1].outcome == "paused or ended: the capture device is lost")
        #expect(rows[3].length.lasted == 3_000_000 && rows[3].outcome == "recording continues")
        #expect(rows[5].length.lasted == 5_000_000 && rows[5].outcome == "it is recorded again")
        #expect(rows[6].length.isOpen)
    }

    @Test func listsOneRowPerEpisodeCommandAndFault() throws {
        let rows = History(Chronicle(try parse(Export.morning.data).records)).rows
        #expect(
            rows.map(\.what) == [
                "started", "interrupted", "ducked to -14 dB", "command pause", "command play", "interrupted",
                "no power", "interrupted", "started", "sound device lost", "fault: chatter",
            ])
        #expect(rows[1].signals == ["phone-call", "door"] && rows[1].length.lasted == 30_000_000)
        #expect(rows[1].latency == 52_000 && rows[1].silent == 112_000 && rows[1].outcome == "plays ‘One.flac’ at 1:00")
        #expect(rows[2].length.lasted == 5_000_000 && rows[3].outcome == "stays paused in ‘One.flac’ at 1:19")
        #expect(
            rows[5].length == History.Length(lasted: 5_000_000, isCutShort: true)
                && rows[5].outcome == "not over at the power cut")
        #expect(!rows[2].length.isCutShort)
        // From the last state that was saved to the first entry of the next boot.
        #expect(rows[6].began == 1_795_269_745_000_000)
        #expect(rows[6].length.lasted == 173_000_000 && !rows[6].length.isOpen)
        // At least from the boot on.
        #expect(rows[6].length.atLeast == 18_000_000)
        #expect(rows[7].length.lasted == 12_000_000)
        #expect(rows[9].length.lasted == 5_000_000 && rows[10].length.isOpen)
    }

    @Test func logPrintsTheHistoryOfAFile() throws {
        let folder = try folder()
        let result = try Program.run(["log", "--file", "j"], in: folder.url, environment: ["TZ": "UTC"])
        #expect(result.code == 0 && result.errors.isEmpty && !result.output.contains("\u{1B}"))
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 12 && lines[0].hasPrefix("BEGAN                WHAT"))
        #expect(
            lines[2].split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
                == "2026-11-21 14:01:20 interrupted phone-call, door 30s 52 ms plays ‘One.flac’ at 1:00", "\(lines[2])")

        let part = try Program.run(
            ["log", "--file", "j", "--since", "14:01:55", "--until", "2026-11-21 14:02:04", "--json"], in: folder.url,
            environment: ["TZ": "UTC"])
        let object = try JSONSerialization.jsonObject(with: Data(part.output.utf8)) as? [String: Any]
        let history = try #require(object?["history"] as? [[String: Any]])
        #expect(history.map { $0["what"] as? String } == ["ducked to -14 dB"])
        #expect(history[0]["began"] as? String == "2026-11-21T14:02:00.000000Z")
        #expect(history[0]["lasted_usec"] as? Int == 5_000_000 && history[0]["is_over"] as? Bool == true)
    }

    @Test func journalGivesTheSameRecordsAsItsExport() throws {
        let folder = try folder()
        try JournalFile.write(folder.url.path + "/j", to: folder.url.path + "/test.journal")
        let content = try JournalSource.journal(directory: folder.url.path).read()
        let (records, damaged) = (content.records, content.damaged)
        #expect(try records == parse(Export.morning.data).records)
        #expect(records.count == 18 && damaged == 0)
    }

    /// A program can write any entry, with any identifier and event, but not its unit.
    @Test func journalEntriesOfOtherProgramsAreSkipped() throws {
        var export = Export()
        export.entry(1, nil, "Not one of Tacet's events.")
        export.entry(2, "started", "Tacet runs: quiet.")
        export.unit = "user@1000.service"
        export.entry(2.5, "interruption-began", "Forged.")
        export.unit = "tacet.service"
        export.entry(3, "stopping", "Tacet stops.")
        let folder = try Folder()
        try export.data.write(to: folder.url.appendingPathComponent("j"))
        try JournalFile.write(folder.url.path + "/j", to: folder.url.path + "/test.journal")
        let records = try JournalSource.journal(directory: folder.url.path).read().records
        #expect(records.map(\.event) == ["started", "stopping"])
    }

    @Test func journalThatCannotBeReadIsAnErrorWithAdvice() {
        func message(_ code: Int32) -> String {
            "\(JournalSource.unreadable(SystemdError("open the journal", code: code)))"
        }
        #expect(
            message(ENOENT).hasPrefix("tacet: this machine has no journal (is systemd-journald running?); for another"))
        #expect(
            message(EACCES).hasSuffix(
                "cannot open the journal: Permission denied: run it as root, or in the group systemd-journal"))
        #expect(throws: HistoryError.self) { try JournalSource.journal(directory: "/nowhere/at/all").read() }
    }

    @Test(arguments: [
        (["log", "--file", "nowhere"], 1, "tacet: cannot read nowhere: No such file or directory; create it with"),
        (["log", "--file", "other"], 1, "tacet: other:1: this is not an export of a journal"),
        (["log", "--file", "empty"], 0, "tacet: empty: no entries from Tacet; create it with"),
        (["log", "--file", "cut"], 0, "tacet: cut: skipped 1 damaged or truncated entry"),
        (["log", "--file", "j", "--since", "soon"], 64, "tacet: --since: ‘soon’ is no time: write 2026-11-21 14:03"),
        (["log", "--file", "j", "--since", "14:00", "--until", "13:00"], 64, "tacet: --until is before --since"),
        (["log", "--file", "j", "--until", "2001-01-01"], 0, "tacet: j: no entries in this time range"),
        (["timeline", "--file", "j"], 64, "tacet: say where to draw it: -o FILE.svg"),
        (["timeline", "--file", "j", "-o", "j"], 64, "tacet: the picture would replace the journal"),
        (["timeline", "--file", "empty", "-o", "p.svg"], 1, "tacet: empty: no entries from Tacet; create it with"),
        (["timeline", "--file", "j", "-o", "no/p.svg"], 1, "cannot write no/p.svg: No such file or directory"),
    ]) func errorsNameTheFileAndTheOption(arguments: [String], code: Int32, complaint: String) throws {
        let folder = try folder()
        try Data("Nov 21 14:00:00 board tacetd[1]: hello\n".utf8).write(to: folder.url.appendingPathComponent("other"))
        try Data().write(to: folder.url.appendingPathComponent("empty"))
        try Export.morning.data.dropLast(40).write(to: folder.url.appendingPathComponent("cut"))
        let result = try Program.run(arguments, in: folder.url, environment: ["TZ": "UTC"])
        #expect(result.code == code && result.errors.hasPrefix(complaint), "\(result.code) \(result.errors)")
    }

    @Test func logNamesWhoGaveACommandAndTheDevicesOfARoute() throws {
        var export = Export()
        export.entry(10, "configuration-changed", "The sound device hw:0 plays.", ["DEVICE": "hw:0"])
        export.entry(
            20, "command", "volume -6dB: success.",
            [
                "COMMAND": "volume -6dB", "ANSWER": "success", "LEVEL": "-6", "OUTCOME": "plays ‘a’", "ISSUER": "bus",
                "ISSUER_UID": "1000", "ISSUER_PID": "812", "ISSUER_COMM": "playerctl",
            ])
        export.entry(
            21, "command", "pause: success.",
            ["COMMAND": "pause", "ANSWER": "success", "ISSUER": "button", "BUTTON": "stop"])
        export.entry(
            30, "route-changed", "Replaced.",
            ["DEVICE": "hw:1", "REASON": "oldDeviceUnavailable", "OUTCOME": "stays paused"])
        export.entry(40, "route-changed", "Unplugged.", ["DEVICE": "hw:1", "REASON": "oldDeviceUnavailable"])
        let rows = History(Chronicle(try parse(export.data).records)).rows
        #expect(rows.map(\.what) == ["command volume -6dB", "command pause", "route changed", "route changed"])
        #expect(rows.map(\.issuer) == ["playerctl (uid 1000)", "button stop", nil, nil])
        #expect(
            rows.suffix(2).map(\.outcome) == [
                "from hw:0 to hw:1; oldDeviceUnavailable; stays paused", "on hw:1; oldDeviceUnavailable",
            ])
        let lines = History.text(rows).map { $0.line }
        #expect(lines[1].hasSuffix("plays ‘a’; by playerctl (uid 1000)") && lines[2].hasSuffix(" by button stop"))
        #expect(History.json(rows, damaged: 0).contains("\"by\":\"playerctl (uid 1000)\""))
    }

    // MARK: The picture

    /// As a rehearsal draws it. An entry that does not have the volume changes nothing.
    @Test func pictureShowsTheVolume() throws {
        var export = Export()
        let plays: [(String, String)] = [("PLAYING", "yes"), ("INTENT", "playing")]
        export.entry(10, "started", "Tacet has started.", plays + [("VOLUME", "-6")])
        export.entry(20, "command", "Mute.", plays + [("COMMAND", "volume mute"), ("VOLUME", "mute")])
        export.entry(30, "interruption-ended", "Over.", plays)
        // An older version's entry.
        export.entry(
            40, "command", "Louder.", plays + [("COMMAND", "volume -20dB"), ("LEVEL", "-20"), ("ANSWER", "success")])
        export.entry(50, "duck-began", "Alarm.", plays + [("SIGNAL", "alarm"), ("LEVEL", "-20")])
        // The volume is saved, so the next run has it, too.
        export.process = 401
        export.entry(60, "started", "Tacet has started.", plays + [("LAST_RUN", "stopped")])
        let timeline = try #require(HistoryPicture(Chronicle(try parse(export.data).records), .everything)?.timeline)
        func gain(at time: Double) -> Int? {
            timeline.gain.last { $0.time == time }.map { Int(($0.gain * 1000).rounded()) }
        }
        let gains = [0.0, 10, 20, 30, 40, 50].map(gain)
        #expect(gains == [501, 0, 0, 100, 10, 100], "\(gains)")
    }

    @Test func pictureShowsTheSameHistoryAsTheLog() throws {
        let chronicle = Chronicle(try parse(Export.morning.data).records)
        let timeline = try #require(HistoryPicture(chronicle, .everything)?.timeline)
        #expect(timeline.signals.map(\.name) == ["phone-call", "door", "alarm"])
        #expect(timeline.signals.map(\.effect) == ["pause", "pause", "duck -14 dB"])
        // The boot of the second began at 300 s; its first entry is 18 s later, 298 s after the first one of all.
        let asserted = timeline.signals[0].asserted
        #expect(asserted.map { (span) -> Int in Int(span.from.rounded()) } == [60, 120, 298])
        #expect(asserted.map { (span) -> Int in Int(span.to.rounded()) } == [90, 125, 310])
        #expect(timeline.signals[0].faults.map(\.value) == ["chatter"])
        #expect(timeline.session.map(\.value).filter { $0 != .active }.count == 3)
        // The power returned at 280.
        #expect(
            timeline.outages == [
                .init(from: 125, to: 280, value: .unknown), .init(from: 280, to: 298, value: .powerCut),
            ])
        let lost = timeline.servicesLost.map { (span) -> Int in Int(span.upperBound - span.lowerBound) }
        #expect(lost == [5])
        #expect(
            timeline.marks.prefix(4).map(\.text) == [
                "began(default)", "ended(shouldResume)", "duckBegan(-14)", "duckEnded",
            ])
        #expect(timeline.commands.map(\.text) == ["pause → success", "play → success"])
        #expect(timeline.intent.prefix(3).map(\.value) == [.playing, .paused, .playing])
        let quiet = timeline.programme.filter { $0.motion == .held }
        #expect(quiet.contains { $0.fromPosition == 60 && $0.toPosition == 60 })
        #expect(timeline.programme.filter { $0.motion == .playing }.allSatisfy { $0.toPosition >= $0.fromPosition })
        #expect(timeline.gain.contains { abs($0.gain - 0.1995) < 0.001 } && timeline.gain.contains { $0.gain == 0 })
    }

    @Test func positionStaysWithinTheTrack() throws {
        var export = Export()
        func playing(_ track: String, _ position: Int, _ length: Int) -> KeyValuePairs<String, String> {
            [
                "TRACK": "/m/\(track)", "POSITION_USEC": "\(position)000000", "LENGTH_USEC": "\(length)000000",
                "PLAYING": "yes", "INTENT": "playing",
            ]
        }
        export.entry(10, "started", "Tacet runs.", playing("a.flac", 0, 60))
        // 190 s later, 20 s of the third track have been heard.
        export.entry(200, "duck-began", "alarm.", playing("c.flac", 20, 300))
        export.entry(205, "duck-ended", "alarm.", playing("c.flac", 25, 300))
        let chronicle = Chronicle(try parse(export.data).records)
        let programme = try #require(HistoryPicture(chronicle, .everything)?.timeline.programme)
        #expect(
            programme.map { [$0.from, $0.to, $0.fromPosition, $0.toPosition].map { Int($0.rounded()) } } == [
                [0, 60, 0, 60], [170, 190, 0, 20], [190, 195, 20, 25], [195, 199, 25, 29],
            ])
        #expect(programme.map(\.track) == ["a.flac", "c.flac", "c.flac", "c.flac"])
    }

    @Test func trackOfUnknownLengthIsDrawnOnlyAsFarAsEntriesConfirmIt() throws {
        var export = Export()
        for (time, position) in [(10, 0), (20, 10), (90, 5)] {
            export.entry(
                Double(time), "interruption-ended", "over",
                ["TRACK": "/m/a.mp3", "POSITION_USEC": "\(position)000000", "PLAYING": "yes"])
        }
        let chronicle = Chronicle(try parse(export.data).records)
        let programme = try #require(HistoryPicture(chronicle, .everything)?.timeline.programme)
        #expect(programme.map { [$0.from, $0.to] } == [[0, 10], [75, 80]])
    }

    // MARK: When nothing ran

    /// Stopped and started again, killed, shut down, and without power; each run is another process.
    private static var runs: Export {
        var export = Export()
        let plays: KeyValuePairs = [
            "TRACK": "/m/a.flac", "POSITION_USEC": "0", "LENGTH_USEC": "9000000000", "PLAYING": "yes",
            "INTENT": "playing", "OUTCOME": "plays ‘a.flac’ at 0:00",
        ]
        func started(_ seconds: Double, _ lastRun: String, saved: Double, in boot: String) {
            let message =
                "Tacet has started, and continues from state 7, in slot 1; slot 0 is ignored: the checksum does not match: "
                + "plays ‘a.flac’ at 0:00."
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
        let chronicle = Chronicle(try parse(Self.runs.data).records)
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
        // A message can contain any number of colons: only the fields count.
        #expect(rows[3].outcome == "plays ‘a.flac’ at 0:05")
        #expect(rows[4].length.isCutShort && rows[4].length.lasted == 15_000_000)
        #expect(rows[4].outcome == "not over when Tacet was killed")
        #expect(rows[9].outcome.hasPrefix("the last state was saved at 20"))
    }

    /// A silent board that is killed after 150 s of pause, and returns 4 s later.
    private func kill(_ invocation: String?, exit: (inout Export) -> Void = { _ in }) throws -> Chronicle {
        var export = Export()
        export.invocation = invocation
        export.entry(20, "command", "pause.", ["COMMAND": "pause", "PLAYING": "no", "INTENT": "paused"])
        exit(&export)
        (export.process, export.invocation) = (401, "ffff")
        export.entry(174, "started", "Tacet has started.", ["LAST_RUN": "killed", "PLAYING": "no"])
        export.entry(180, "command", "play.", ["COMMAND": "play", "PLAYING": "yes", "INTENT": "playing"])
        var parser = ExportParser()
        try parser.feed(export.data)
        try parser.finish()
        return Chronicle(parser.records, exits: parser.exits)
    }

    private func lengths(_ chronicle: Chronicle) -> [String] {
        History.text(History(chronicle).rows).map { $0.line }.filter { $0.contains("killed") }
    }

    @Test func systemdKnowsWhenASilentBoardWasKilled() throws {
        let chronicle = try kill("aaaa") { $0.exit(170, of: "aaaa") }
        let row = try #require(History(chronicle).rows.first { $0.what == "killed" })
        #expect(row.length.lasted == 4_000_000 && row.length.atLeast == nil && row.began == 1_795_269_770_000_000)
        #expect(lengths(chronicle).first?.contains("killed  ") == true && lengths(chronicle)[0].contains("4.0s"))
        let outages = try #require(HistoryPicture(chronicle, .everything)?.timeline.outages)
        #expect(outages == [.init(from: 150, to: 154, value: .killed)])
    }

    @Test func killWithoutItsEndHasBounds() throws {
        // Of another start, by another program, and without any.
        let others: [(inout Export) -> Void] = [
            { $0.exit(170, of: "bbbb") }, { $0.exit(170, of: "aaaa", by: 300) }, { _ in },
        ]
        for other in others {
            let chronicle = try kill("aaaa", exit: other)
            let row = try #require(History(chronicle).rows.first { $0.what == "killed" })
            #expect(row.length.lasted == 154_000_000 && row.length.atLeast == 0)
            #expect(lengths(chronicle).first?.contains("at most 2min 34s") == true, "\(lengths(chronicle))")
            let timeline = try #require(HistoryPicture(chronicle, .everything)?.timeline)
            #expect(timeline.outages == [.init(from: 0, to: 154, value: .unknown)])
            #expect(timeline.marks.contains { $0.text == "killed" && $0.time == 154 })
            #expect(timeline.svg().contains("not known whether it ran"))
        }
        #expect(try kill(nil) { $0.exit(170, of: "aaaa") }.outages.map(\.certainFrom) == [1_795_269_774_000_000])
    }

    @Test func powerCutHasBounds() throws {
        let lines = History.text(History(Chronicle(try parse(Export.morning.data).records)).rows).map { $0.line }
        #expect(lines.contains { $0.contains("no power") && $0.contains("18s to 2min 53s") }, "\(lines)")
    }

    @Test func exitIsReadFromTheJournalAndFromItsExport() throws {
        var export = Export()
        export.invocation = "aaaa"
        export.entry(20, "started", "Tacet has started.")
        export.exit(30, of: "aaaa")
        let folder = try Folder()
        try export.data.write(to: folder.url.appendingPathComponent("j"))
        try JournalFile.write(folder.url.path + "/j", to: folder.url.path + "/test.journal")
        let journal = try JournalSource.journal(directory: folder.url.path).read()
        let exported = try JournalSource.export(folder.url.path + "/j").read()
        #expect(journal.exits.map(\.monotonic) == [30_000_000] && journal.exits.map(\.invocation) == ["aaaa"])
        #expect(journal.exits == exported.exits && journal.records == exported.records)
        #expect(journal.records.map(\.invocation) == ["aaaa"])
    }

    @Test func pictureShowsNoProgrammeDuringAnOutage() throws {
        let chronicle = Chronicle(try parse(Self.runs.data).records)
        let timeline = try #require(HistoryPicture(chronicle, .everything)?.timeline)
        let outages = timeline.outages.map { ($0.from.rounded(), $0.to.rounded(), $0.value) }
        #expect(outages.map(\.2) == [.stopped, .unknown, .shutDown, .unknown, .powerCut])
        #expect(outages.map(\.0) == [80, 135, 180, 360, 580] && outages.map(\.1) == [110, 141, 290, 580, 595])
        for span in timeline.programme {
            #expect(!outages.contains { span.from < $0.1 - 1 && span.to > $0.0 + 1 }, "\(span)")
        }
        #expect(timeline.intent.map(\.value).allSatisfy { $0 == .playing })
        #expect(timeline.marks.contains { $0.text == "start refused" && Int($0.time) == 100 })
        let svg = timeline.svg()
        for word in ["stopped", "not known whether it ran", "shut down", "no power"] {
            #expect(svg.contains("<title>\(word), 14:"), "\(word)")
        }
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
            Chronicle(try parse(export.data).records).outages.map(\.cause) == [.stopped, .killed, .powerCut])
    }

    @Test func stopWithoutALaterStartHasNoEnd() throws {
        var export = Export()
        export.entry(20, "started", "Tacet runs.")
        export.entry(60, "stopping", "Tacet stops.")
        let chronicle = Chronicle(try parse(export.data).records)
        #expect(History(chronicle).rows.last.map { $0.what == "stopped" && $0.length.isOpen } == true)
        let outages = try #require(HistoryPicture(chronicle, .everything)?.timeline.outages)
        #expect(outages.map(\.to) == [.infinity])
    }

    // MARK: The time of day

    /// The network set the time after the last entry: the present clock dates all of them.
    @Test func entriesOfThePresentBootHaveTheSameDateInEachRun() throws {
        var export = Export()
        // The clock was set after the first entry.
        export.clock = 0
        export.entry(10, "configuration-changed", "Opens.")
        export.clock = 1_795_269_600
        export.entry(20, "started", "Tacet runs.")
        // Its clocks were read at slightly different instants.
        export.clock += 0.000_004
        export.entry(30, "stopping", "Tacet stops.")
        let records = try parse(export.data).records
        // So are those of each run.
        let runs = [Int64(-3), 0, 7, 200_000].map { jitter in
            let boot = Chronicle.Boot(id: export.boot, start: 1_795_269_600_000_000 + jitter)
            return Chronicle(records, now: boot).moments.map(\.time)
        }
        #expect(Set(runs).count == 1 && runs[0][0] == 1_795_269_610_000_000, "\(runs)")
        // The clock has been set again since.
        let later = Chronicle.Boot(id: export.boot, start: 1_795_269_700_000_000)
        #expect(Chronicle(records, now: later).moments.first?.time == 1_795_269_710_000_000)
    }

    @Test func presentBootIsDatedByThePresentClock() throws {
        var export = Export()
        export.clock = 0
        export.entry(20, "started", "Tacet runs.")
        let records = try parse(export.data).records
        let boot = Chronicle.Boot(id: export.boot, start: 1_795_269_600_000_000)
        #expect(Chronicle(records, now: boot).moments.map(\.time) == [1_795_269_620_000_000])
        #expect(Chronicle(records).moments.map(\.time) == [20_000_000])
    }

    /// After the network had set the time there was no entry, but the position was saved.
    @Test func bootIsDatedByItsLastSavedState() throws {
        var export = Export()
        let boot = export.boot
        export.clock = 0
        export.entry(20, "started", "Tacet runs.")
        (export.boot, export.clock) = (String(repeating: "2", count: 32), 1_795_270_000)
        export.entry(
            10, "started", "Tacet runs.",
            [
                "LAST_RUN": "power-cut", "SAVED_AT_USEC": "1795269700000000", "SAVED_MONOTONIC_USEC": "100000000",
                "SAVED_BOOT_ID": boot,
            ])
        let chronicle = Chronicle(try parse(export.data).records)
        #expect(chronicle.moments.map(\.time) == [1_795_269_620_000_000, 1_795_270_010_000_000])
        #expect(chronicle.outages.map(\.from) == [1_795_269_700_000_000])
    }

    @Test func pictureShowsTheTimeOfDayAndEachNewDate() throws {
        let folder = try Folder()
        var export = Export()
        // 2026-11-21 23:58 UTC.
        export.clock = 1_795_305_480
        export.entry(0, "started", "Tacet runs.", ["PLAYING": "yes"])
        export.entry(300, "stopping", "Tacet stops.")
        try export.data.write(to: folder.url.appendingPathComponent("j"))
        let result = try Program.run(
            ["timeline", "--file", "j", "-o", "-"], in: folder.url, environment: ["TZ": "UTC"])
        for text in [">21 Nov 2026<", ">22 Nov 2026<", ">23:59<", ">00:00<", ">00:01<"] {
            #expect(result.output.contains(text), "\(text)")
        }
        #expect(result.output.contains("stopped, 2026-11-22 00:03:00.0 – …"))
    }

    @Test func timelineDrawsAFileOrToStandardOutput() throws {
        let folder = try folder()
        let result = try Program.run(["timeline", "--file", "j", "-o", "p.svg"], in: folder.url)
        #expect(result.code == 0 && result.output.isEmpty && result.errors.isEmpty)
        let svg = try String(contentsOf: folder.url.appendingPathComponent("p.svg"), encoding: .utf8)
        #expect(svg.hasPrefix("<svg") && svg.contains("phone-call") && svg.contains("duckBegan(-14)"))
        let again = try Program.run(["timeline", "--file", "j", "-o", "-"], in: folder.url)
        #expect(again.output == svg)
    }
}

extension HistoryRange {
    fileprivate static var everything: HistoryRange { HistoryRange(since: nil, until: nil) }
}
