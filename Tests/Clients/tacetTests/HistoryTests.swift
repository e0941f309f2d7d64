import Foundation
import ServiceLab
import Systemd
import Testing

@testable import tacet

@Suite struct HistoryTests {
    // MARK: Reading

    @Test func readsAllFieldsOfEveryEntry() throws {
        let parser = try Export.morning.read()
        let records = parser.records
        #expect(records.count == 18 && parser.damaged == 0)
        #expect(records[2].message.hasPrefix("Interrupted by phone-call (PHONE_CALL). Tacet will resume ‘One.flac’"))
        #expect(records[2].signals == ["phone-call"] && records[2][.position] == "60000000")
        #expect(records[2].monotonic == 80_100_000 && records[2].realtime == 1_795_269_680_100_000)
    }

    /// If an entry was delayed before the journal received it, its date in the journal is too late.
    @Test func entryThatWaitedHasTheTimeAtWhichItWasWritten() throws {
        var export = Export()
        export.entry(10, "started", "Tacet runs.")
        export.entry(50, "command", "play", ["DELAY_USEC": "20000000"])
        for (delay, second) in [("-5", 60), ("soon", 61), ("99999999999999999999", 62), ("9223372036854775807", 63)] {
            export.entry(Double(second), "command", "pause", ["DELAY_USEC": delay])
        }
        let records = try export.read().records
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
        export.raw([0x0A])
        let records = try export.read().records
        #expect(records.count == 1 && records[0].message == "two\n\nlines = of it\n")
        #expect(records[0].signals == ["a=b", "c"])
    }

    @Test func parserSkipsEntriesWithoutATacetEvent() throws {
        var export = Export()
        export.entry(1, nil, "somebody else's")
        export.entry(2, "started", "Tacet runs: quiet.")
        #expect(try export.read().records.map(\.event) == ["started"])
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

    /// Wherever a copy is cut off, its complete entries are read.
    @Test func truncatedExportYieldsItsCompleteEntries() throws {
        let whole = Export.morning.data
        let all = try Export.morning.read().records
        for length in stride(from: 1, to: whole.count, by: 7) {
            guard let parser = try? ExportParser(reading: whole.prefix(length)) else { continue }
            #expect(parser.records.elementsEqual(all.prefix(parser.records.count)) && parser.damaged <= 1)
        }
    }

    /// Renders the history like `tacet log` and `tacet timeline`.
    @discardableResult
    private func render(_ parser: ExportParser) -> (rows: [History.Row], text: [String]) {
        let chronicle = Chronicle(parser.records)
        let rows = History(chronicle).rows
        _ = History.json(rows, damaged: parser.damaged)
        _ = HistoryLanes(chronicle).json(HistoryRange.everything.bounded(by: chronicle), now: 0, problems: [])
        for range in [HistoryRange.everything, HistoryRange(since: nil, until: 0)] {
            _ = HistoryPicture(chronicle, range)?.timeline.svg()
        }
        return (rows, History.text(rows).map { $0.line })
    }

    /// A flipped bit causes an error at worst.
    @Test(arguments: [Export.morning, .extreme])
    func anyFlippedByteIsHandled(export: Export) {
        let whole = Array(export.data)
        for index in stride(from: 0, to: whole.count, by: 11) {
            for flip in [UInt8(0x80), 0x0A, 0x3D] {
                var bytes = whole
                bytes[index] ^= flip
                if let parser = try? ExportParser(reading: Data(bytes)) { render(parser) }
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
        let parser = try export.read()
        #expect(parser.records.count == 2 && parser.damaged == 3)
        // The time between the two boots is also handled.
        #expect(render(parser).rows.count == 3)
    }

    @Test func theLargestNumbersAreRendered() throws {
        let parser = try Export.extreme.read()
        #expect(parser.records.count == 5 && parser.damaged == 0)
        let (rows, text) = render(parser)
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
        let rows = History(try export.chronicle()).rows
        #expect(rows.map(\.what) == ["started", "asleep", "stopped (SIGSTOP)"])
        let starts = rows.map { ($0.began - 1_795_269_600_000_000) / 1_000_000 }
        #expect(starts == [10, 20, 627])
        #expect(rows[1].length.lasted == 601_000_000 && rows[1].outcome == "plays")
        #expect(rows[2].length.lasted == 3_000_000 && !rows[2].length.isOpen)
    }

    // MARK: The order of time

    @Test func bootWithAWrongClockKeepsItsOrder() throws {
        let chronicle = try Export.morning.chronicle()
        let moments = chronicle.moments
        #expect(zip(moments, moments.dropFirst()).allSatisfy { $0.time <= $1.time })
        // The clock was corrected during the second boot, which began in 1970, so the first entry of that boot is also
        // 18 s after its beginning.
        let second = try #require(moments.first { $0.record.boot.hasPrefix("2") })
        #expect(
            second.time == 1_795_269_918_000_000 && chronicle.boot(second.record.boot)?.start == 1_795_269_900_000_000)
    }

    @Test func entriesOfABootAreOrderedByTheMonotonicClock() throws {
        var export = Export()
        export.entry(9, "stopping", "Tacet stops.")
        export.entry(2, "started", "Tacet runs: quiet.")
        #expect(try export.chronicle().moments.map(\.record.event) == ["started", "stopping"])
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
        let rows = render(try export.read()).rows
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
        let rows = History(try Export.morning.chronicle()).rows
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
        // The outage lasts from the last saved state to the first entry of the next boot.
        #expect(rows[6].began == 1_795_269_745_000_000)
        #expect(rows[6].length.lasted == 173_000_000 && !rows[6].length.isOpen)
        // It is certain only from the boot on.
        #expect(rows[6].length.atLeast == 18_000_000)
        #expect(rows[7].length.lasted == 12_000_000)
        #expect(rows[9].length.lasted == 5_000_000 && rows[10].length.isOpen)
    }

    @Test func logPrintsTheHistoryOfAFile() throws {
        let folder = try Export.morning.folder()
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
        let folder = try Export.morning.folder()
        try JournalFile.write(folder.url.path + "/j", to: folder.url.path + "/test.journal")
        let content = try JournalSource.journal(directory: folder.url.path).read()
        #expect(try content.records == Export.morning.read().records)
        #expect(content.records.count == 18 && content.damaged == 0)
    }

    /// A program can write any entry, with any identifier and event, but it cannot choose its unit.
    @Test func journalEntriesOfOtherProgramsAreSkipped() throws {
        var export = Export()
        export.entry(1, nil, "Not one of Tacet's events.")
        export.entry(2, "started", "Tacet runs: quiet.")
        export.unit = "user@1000.service"
        export.entry(2.5, "interruption-began", "Forged.")
        export.unit = "tacet.service"
        export.entry(3, "stopping", "Tacet stops.")
        let folder = try export.folder()
        try JournalFile.write(folder.url.path + "/j", to: folder.url.path + "/test.journal")
        let records = try JournalSource.journal(directory: folder.url.path).read().records
        #expect(records.map(\.event) == ["started", "stopping"])
    }

    @Test func journalThatCannotBeReadIsAnErrorWithAdvice() {
        func message(_ code: Int32) -> String {
            "\(JournalSource.unreadable(SystemdError("open the journal", code: code)))"
        }
        #expect(
            message(ENOENT).hasPrefix(
                "tacet: this machine has no journal: check that systemd-journald runs, or read the journal of "))
        #expect(
            message(EACCES).hasSuffix(
                "cannot open the journal: Permission denied: run this as root or as a member of the group systemd-journal"
            ))
        #expect(throws: HistoryError.self) { try JournalSource.journal(directory: "/nowhere/at/all").read() }
    }

    @Test(arguments: [
        (["log", "--file", "nowhere"], 1, "tacet: cannot read nowhere: No such file or directory; create it with"),
        (["log", "--file", "other"], 1, "tacet: other:1: this is not an export of a journal"),
        (["log", "--file", "empty"], 0, "tacet: empty: no entries from Tacet; create it with"),
        (["log", "--file", "cut"], 0, "tacet: cut: skipped 1 damaged or truncated entry"),
        (
            ["log", "--file", "j", "--since", "soon"], 64,
            "tacet: --since: ‘soon’ is not a time: write 2026-11-21 14:03"
        ),
        (["log", "--file", "j", "--since", "14:00", "--until", "13:00"], 64, "tacet: --until is before --since"),
        (["log", "--file", "j", "--until", "2001-01-01"], 0, "tacet: j: no entries in this time range"),
        (["timeline", "--file", "j"], 64, "tacet: name the file of the picture: -o FILE.svg"),
        (
            ["timeline", "--file", "j", "--json", "--title", "x"], 64,
            "tacet: --title is for a picture, and --json prints"
        ),
        (["timeline", "--file", "j", "-o", "j"], 64, "tacet: the picture would replace the journal"),
        (["timeline", "--file", "empty", "-o", "p.svg"], 1, "tacet: empty: no entries from Tacet; create it with"),
        (["timeline", "--file", "j", "-o", "no/p.svg"], 1, "cannot write no/p.svg: No such file or directory"),
    ]) func errorsNameTheFileAndTheOption(arguments: [String], code: Int32, complaint: String) throws {
        let folder = try Export.morning.folder()
        try Data("Nov 21 14:00:00 board tacetd[1]: hello\n".utf8).write(to: folder.url.appendingPathComponent("other"))
        try Data().write(to: folder.url.appendingPathComponent("empty"))
        try Export.morning.data.dropLast(40).write(to: folder.url.appendingPathComponent("cut"))
        let result = try Program.run(arguments, in: folder.url, environment: ["TZ": "UTC"])
        #expect(result.code == code && result.errors.hasPrefix(complaint), "\(result.code) \(result.errors)")
    }

    @Test func logNamesTheIssuerOfACommandAndTheDevicesOfARoute() throws {
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
        let rows = History(try export.chronicle()).rows
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

    // MARK: The time of day

    /// The network set the time after the last entry, so the current clock dates all of them.
    @Test func entriesOfThePresentBootHaveTheSameDateInEachRun() throws {
        var export = Export()
        // The clock was set after the first entry.
        export.clock = 0
        export.entry(10, "configuration-changed", "Opens.")
        export.clock = 1_795_269_600
        export.entry(20, "started", "Tacet runs.")
        // The clocks of this entry were read at slightly different instants.
        export.clock += 0.000_004
        export.entry(30, "stopping", "Tacet stops.")
        let records = try export.read().records
        // The readings also differ slightly from run to run.
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
        let records = try export.read().records
        let boot = Chronicle.Boot(id: export.boot, start: 1_795_269_600_000_000)
        #expect(Chronicle(records, now: boot).moments.map(\.time) == [1_795_269_620_000_000])
        #expect(Chronicle(records).moments.map(\.time) == [20_000_000])
    }

    /// After the network had set the time, the position was saved, but no entry was written.
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
        let chronicle = try export.chronicle()
        #expect(chronicle.moments.map(\.time) == [1_795_269_620_000_000, 1_795_270_010_000_000])
        #expect(chronicle.outages.map(\.from) == [1_795_269_700_000_000])
    }
}
