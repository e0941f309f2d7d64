import Configuration
import Spelling
import Time

/// The interruptions of the music with their causes, times and lengths, from the journal. It contains one row per
/// interruption, fault or command, not per entry.
struct History {
    /// The length of an event.
    struct Length: Hashable {
        /// The time in µs, or nil for an instant, and while the event is not over.
        var lasted: Int64?
        /// The minimum time that it lasted, in µs, if the journal does not contain its beginning. `lasted` is then the
        /// maximum.
        var atLeast: Int64?
        /// True if its end was not logged, so that it lasted at least this long.
        var isCutShort = false
        var isOpen = false

        /// The length for a table.
        var words: String {
            if isOpen { return "not over" }
            guard let lasted else { return "" }
            if isCutShort { return "\(Self.span(atLeast ?? lasted)) or longer" }
            guard let atLeast else { return Self.span(lasted) }
            return atLeast > 0
                ? "\(Self.span(atLeast)) to \(Self.span(lasted))" : "at most \(Self.span(lasted))"
        }

        private static func span(_ time: Int64) -> String {
            let step: Int64 = time < 10_000_000 ? 100_000 : 1_000_000
            let rounded = time.adding(step / 2) / step * step
            if time < 10_000_000 { return "\((rounded / 100_000).decimal(places: 1))s" }
            return TimeSpan.format(.microseconds(rounded))
        }
    }

    struct Row: Hashable {
        let lane: HistoryLane
        var kind: HistoryLane.Kind
        var began: Int64
        let boot: String
        var what: String
        var signals: [String]
        /// The sound that was played, or nil if the row is not about a sound.
        var sound: String?
        var length = Length()
        /// The person or program that caused it, such as `playerctl (uid 1000)` or `button volume-up`, or nil if there
        /// is none or it is unknown.
        var issuer: String?
        /// The time from the assertion of the signal to the first changed sample, in µs.
        var latency: Int64?
        /// The time from the first changed sample to complete silence or to the ducked level, in µs.
        var silent: Int64?
        /// The consequence. Until it is known, this is the reason.
        var outcome = ""
        /// Facts that were known at the beginning, in words, besides the signals.
        var notes: [String] = []
        /// The consequence. It is empty if it is unknown.
        var sequel = ""

        init(_ lane: HistoryLane, _ what: String, _ moment: Chronicle.Moment) {
            (self.lane, kind, self.what) = (lane, lane.kind, what)
            (began, boot, signals) = (moment.time, moment.record.boot, moment.record.signals)
        }

        /// - Parameter outage: the time during which nothing ran.
        init(_ outage: DaemonOutage) {
            (lane, kind, what) = (.outage, .outage, outage.cause.rawValue)
            (began, boot, signals) = (outage.from, outage.boot, [])
            length = Length(
                lasted: outage.to.map { $0.subtracting(outage.from) },
                atLeast: outage.certainFrom > outage.from ? outage.to.map { $0.subtracting(outage.certainFrom) } : nil,
                isCutShort: outage.isLengthUncertain, isOpen: outage.to == nil)
            let isSudden = outage.cause == .powerCut || outage.cause == .killed
            if isSudden, let saved = outage.saved {
                outcome = "the last state was saved at \(WrittenTime.format(saved))"
                notes = [outcome]
            }
        }
    }

    private var book = HistoryBook()
    /// The sound device in use, as far as it was logged.
    private var device: String?

    var rows: [Row] { book.rows }

    init(_ chronicle: Chronicle) {
        for step in chronicle.steps {
            switch step {
            case .moment(let moment): take(moment)
            case .outage(let outage):
                // Nothing ran, so nothing was logged. Whatever was not over lasted at least until then.
                book.endAll(for: outage)
                book.add(Row(outage))
            }
        }
    }

    private mutating func take(_ moment: Chronicle.Moment) {
        let record = moment.record
        switch record.kind {
        case .interruptionBegan: beginInterruption(moment)
        case .interruptionEnded: end(.interruption, moment, record.outcome)
        case .duckBegan: begin(.duck, "ducked to \(record.level)", moment)
        case .duckChanged: book.change(.duck) { $0.what += ", \(record.level)" }
        case .duckEnded: end(.duck, moment, record.outcome)
        case .interruptionHeard: heard(record, isSound: false)
        // Only one sound is played at a time.
        case .soundBegan: begin(.sound, record.sound ?? "sound", moment) { $0.sound = record[.sound] }
        case .soundHeard: heard(record, isSound: true)
        case .soundEnded: endSound(moment, "played to its end")
        case .soundCut: endSound(moment, record.outcome)
        case .soundExpired: add(.sound, "\(record.sound ?? "sound") expired", moment) { $0.kind = .fault }
        case .signal: signal(moment)
        case .fault:
            let whose = (record.button ?? record.output ?? record[.sound]).map { " (\($0))" } ?? ""
            begin(.fault(record), "fault: \(record[.fault] ?? "")\(whose)", moment, because: record[.reason])
        case .faultCleared: end(.fault(record), moment, "no longer \(record.faultState)")
        case .mediaServicesLost: begin(.device, "sound device lost", moment, because: record[.reason])
        case .mediaServicesReset: end(.device, moment, record.outcome)
        case .asleep: begin(.sleep, "asleep", moment)
        case .awake: awake(moment)
        case .recordingBegan: begin(.recording, "recording", moment, because: record[.file])
        case .recordingEnded: end(.recording, moment, "paused or ended: \(record[.reason] ?? "")")
        case .recordingStorageLost:
            begin(.recordingStorage, "recordings not written", moment, because: record[.reason])
        case .recordingStorageBack: end(.recordingStorage, moment, record.outcome)
        case .captureLost: begin(.capture, "capture device lost", moment, because: record[.reason])
        case .captureReturned: end(.capture, moment, record.outcome)
        case .storageLost: begin(.storage, "storage lost", moment)
        case .storageSlow: begin(.slowStorage, "storage too slow", moment)
        case .storageRecovered: end(.slowStorage, moment, moment.record.outcome)
        case .storageReturned: end(.storage, moment, "the storage has returned")
        case .command:
            add(.command, "command \(record[.command] ?? "")", moment) {
                $0.issuer = record.issuer
                $0.notes = record[.answer].map { ["answer: \($0)"] } ?? []
            }
        case .routeChanged: changeRoute(moment)
        case .sourceChanged: add(.notice, "source \(record[.source] ?? "")", moment) { $0.notes = [record.outcome] }
        case .configurationChanged: device = record[.device] ?? device
        case .started: add(.notice, "started", moment)
        case .startRefused:
            add(.notice, "start refused", moment, because: record[.reason]) { $0.kind = .fault }
        case .reloadRefused, .configurationRejected:
            add(.notice, record.event, moment, because: record[.reason]) { $0.kind = .fault }
        // Stops are shown as outages. The other events are not part of the history.
        case .stopping, .noOpReason: break
        // Only the picture shows outputs, because they merely follow the other events.
        case .output: break
        default: add(.notice, record.event, moment, because: record[.reason])
        }
    }

    // MARK: Rows

    /// Adds a row with both devices, because the entry contains only the new one.
    private mutating func changeRoute(_ moment: Chronicle.Moment) {
        let record = moment.record
        let new = record[.device]
        let change =
            if let old = device, let new, old != new { "from \(old) to \(new)" } else { new.map { "on \($0)" } }
        device = new ?? device
        let words = [change, record[.reason], record.outcome].compactMap { $0 }.filter { !$0.isEmpty }
        add(.notice, "route changed", moment, because: words.joined(separator: "; "))
    }

    /// - Parameter reason: the reason in words, or nil if the entry contains the consequence.
    private mutating func add(
        _ lane: HistoryLane, _ what: String, _ moment: Chronicle.Moment, because reason: String? = nil,
        _ change: (inout Row) -> Void = { _ in }
    ) {
        var row = Row(lane, what, moment)
        if let reason { row.give(reason) } else { row.follow(moment.record.outcome) }
        change(&row)
        book.add(row)
    }

    private mutating func begin(
        _ lane: HistoryLane, _ what: String, _ moment: Chronicle.Moment, because reason: String? = nil,
        _ change: (inout Row) -> Void = { _ in }
    ) {
        // A daemon that died did not log the end.
        book.end(lane, at: moment.time, "its end was not logged", isCutShort: true)
        var row = Row(lane, what, moment)
        if let reason { row.give(reason) }
        change(&row)
        book.begin(row)
    }

    private mutating func end(_ lane: HistoryLane, _ moment: Chronicle.Moment, _ outcome: String) {
        guard !book.end(lane, at: moment.time, outcome) else { return }
        // The journal no longer contains its beginning.
        var row = Row(lane, "\(lane.id) over", moment)
        row.follow(outcome)
        book.add(row)
    }

    private mutating func beginInterruption(_ moment: Chronicle.Moment) {
        begin(.interruption, "interrupted", moment) { row in
            guard let reason = moment.record[.reason], !["", "default"].contains(reason) else { return }
            row.notes = ["reason: \(reason)"]
        }
    }

    /// Adds a change in the level of a signal. A signal that joins an interruption belongs to the interruption's row.
    private mutating func signal(_ moment: Chronicle.Moment) {
        guard let name = moment.record.signals.first, let isAssertion = moment.record.isAssertion else { return }
        if book[.interruption] != nil {
            book.change(.interruption) { if isAssertion, !$0.signals.contains(name) { $0.signals.append(name) } }
        } else if isAssertion {
            begin(.signal(name), "asserted", moment, because: moment.record[.effect])
        } else {
            end(.signal(name), moment, "released")
        }
    }

    /// Ends the row of a sound. A hush also cuts queued announcements, which have no row.
    private mutating func endSound(_ moment: Chronicle.Moment, _ outcome: String) {
        guard let row = book[.sound], row.what == moment.record.sound else { return }
        end(.sound, moment, outcome)
    }

    /// Ends the row of a sleep. If the sleep was not announced, its beginning is only found when it ends.
    private mutating func awake(_ moment: Chronicle.Moment) {
        if book[.sleep] == nil {
            let length = max(0, moment.record.number(.asleep) ?? 0)
            begin(.sleep, moment.record[.reason] == "stopped" ? "stopped (SIGSTOP)" : "asleep", moment) {
                $0.began = moment.time.subtracting(length)
            }
        }
        end(.sleep, moment, moment.record.outcome)
    }

    private mutating func heard(_ record: JournalRecord, isSound: Bool) {
        book.changeLast {
            ($0.sound != nil) == isSound && !Set($0.signals).isDisjoint(with: record.signals)
        } _: { row in
            guard row.latency == nil else { return }
            (row.latency, row.silent) = (record.number(.latency), record.number(.silent))
        }
    }
}

extension History.Row {
    /// Records the reason.
    fileprivate mutating func give(_ reason: String) {
        outcome = reason
        if !reason.isEmpty { notes.append(reason) }
    }

    /// Records the consequence.
    fileprivate mutating func follow(_ outcome: String) { (self.outcome, sequel) = (outcome, outcome) }
}

/// The reason why the history cannot be read, with the attempted action, its object and advice.
struct HistoryError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = "tacet: \(description)" }
}

extension History {
    /// Returns a table for people. The flag of a line is true if it describes an interruption.
    static func text(_ rows: [Row]) -> [(line: String, isInterruption: Bool)] {
        let cells = rows.map(\.cells)
        let head = ["BEGAN", "WHAT", "SIGNALS", "LASTED", "EFFECT AFTER", "THEN"]
        let widths = head.indices.map { column in ([head] + cells).map { $0[column].count }.max() ?? 0 }
        let lines = ([head] + cells).map { row in
            let line = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(
                separator: "  ")
            return String(line.prefix(through: line.lastIndex { $0 != " " } ?? line.startIndex))
        }
        return zip(lines, [false] + rows.map { $0.what == "interrupted" }).map { ($0, $1) }
    }

    /// Returns one object for programs.
    static func json(_ rows: [Row], damaged: Int) -> String {
        JSON.object([("history", JSON.list(rows.map(\.json))), ("damaged", "\(damaged)")])
    }
}

extension History.Row {
    fileprivate var cells: [String] {
        [
            WrittenTime.format(began), what.visible, signals.joined(separator: ", ").visible,
            length.words,
            latency.map { "\($0.milliseconds) ms" } ?? "",
            (outcome + (issuer.map { "\(outcome.isEmpty ? "" : "; ")by \($0)" } ?? "")).visible,
        ]
    }

    fileprivate var json: String {
        JSON.object([
            ("began", JSON.string(Timestamp.format(.microseconds(began), decimals: 6))), ("boot", JSON.string(boot)),
            ("what", JSON.string(what)), ("signals", JSON.array(signals)),
            ("sound", sound.map(JSON.string) ?? "null"), ("is_over", "\(!length.isOpen)"),
            ("is_cut_short", "\(length.isCutShort)"),
            ("lasted_usec", length.lasted.map { "\($0)" } ?? "null"),
            ("at_least_usec", (length.atLeast ?? length.lasted).map { "\($0)" } ?? "null"),
            ("latency_usec", latency.map { "\($0)" } ?? "null"),
            ("silent_usec", silent.map { "\($0)" } ?? "null"),
            ("then", JSON.string(outcome)), ("by", issuer.map(JSON.string) ?? "null"),
        ])
    }
}
