import Configuration
import Spelling

/// What interrupted the music, when and for how long, from the journal: a row per interruption, fault or command, not per
/// entry.
struct History {
    struct Row: Hashable {
        var began: Int64
        let boot: String
        var what: String
        var signals: [String]
        /// The sound that was heard; nil if the row is not about one.
        var sound: String?
        /// In µs; nil for an instant, and while it is not over.
        var lasted: Int64?
        /// If the journal does not say when it began, the least time that it lasted, in µs; `lasted` is then the most.
        var atLeast: Int64?
        /// Whether its end was not logged: it lasted at least this long.
        var isCutShort = false
        /// Who caused it: `playerctl (uid 1000)`, `button volume-up`; nil if nobody, or if it is not known.
        var issuer: String?
        /// From the edge of the wire to the first changed sample, in µs.
        var latency: Int64?
        /// From there until silence, or the ducked level, was complete, in µs.
        var silent: Int64?
        /// What followed.
        var outcome: String
        var isOpen = false
    }

    private(set) var rows: [Row] = []
    /// The rows of those that are not over.
    private var open: [String: Int] = [:]
    /// The sound device in use, as far as it was logged.
    private var device: String?

    init(_ chronicle: Chronicle) {
        var outages = chronicle.outages[...]
        for moment in chronicle.moments {
            while let outage = outages.first, outage.from < moment.time {
                take(outage)
                outages = outages.dropFirst()
            }
            take(moment)
        }
        for outage in outages { take(outage) }
    }

    /// The rows that overlap the range.
    func rows(in range: HistoryRange) -> [Row] {
        rows.filter { row in
            guard row.began <= range.until ?? .max else { return false }
            return row.isOpen || row.began.adding(row.lasted ?? 0) >= range.since ?? .min
        }
    }

    private mutating func take(_ moment: Chronicle.Moment) {
        let record = moment.record
        switch record.kind {
        case .interruptionBegan: begin("interruption", "interrupted", moment)
        case .interruptionEnded: end("interruption", moment, record.outcome)
        case .duckBegan: begin("duck", "ducked to \(record.level)", moment)
        case .duckChanged: change("duck", "\(record.level)")
        case .duckEnded: end("duck", moment, record.outcome)
        case .interruptionHeard: heard(record, isSound: false)
        // Only one sound is heard at a time.
        case .soundBegan:
            begin("sound", record.sound ?? "sound", moment)
            rows[rows.count - 1].sound = record[.sound]
        case .soundHeard: heard(record, isSound: true)
        case .soundEnded: endSound(moment, "heard to its end")
        case .soundCut: endSound(moment, record.outcome)
        case .soundExpired: add("\(record.sound ?? "sound") expired", moment, record.outcome)
        case .signal: signal(moment)
        case .fault:
            let whose = (record.button ?? record.output ?? record[.sound]).map { " (\($0))" } ?? ""
            begin(record.faultKey, "fault: \(record[.fault] ?? "")\(whose)", moment, record[.reason] ?? "")
        case .faultCleared: end(record.faultKey, moment, "no longer \(record[.fault] ?? "at fault")")
        case .mediaServicesLost: begin("device", "sound device lost", moment, record[.reason] ?? "")
        case .mediaServicesReset: end("device", moment, record.outcome)
        case .asleep: begin("sleep", "asleep", moment)
        case .awake: awake(moment)
        case .recordingBegan: begin("recording", "recording", moment, record[.file] ?? "")
        case .recordingEnded: end("recording", moment, "paused or ended: \(record[.reason] ?? "")")
        case .recordingStorageLost:
            begin("recording storage", "recordings not written", moment, record[.reason] ?? "")
        case .recordingStorageBack: end("recording storage", moment, record.outcome)
        case .captureLost: begin("capture", "capture device lost", moment, record[.reason] ?? "")
        case .captureReturned: end("capture", moment, record.outcome)
        case .storageLost: begin("storage", "storage lost", moment)
        case .storageReturned: end("storage", moment, "the storage has returned")
        case .command:
            add("command \(record[.command] ?? "")", moment, record.outcome)
            rows[rows.count - 1].issuer = record.issuer
        case .routeChanged: changeRoute(moment)
        case .configurationChanged: device = record[.device] ?? device
        case .started: add("started", moment, record.outcome)
        case .startRefused: add("start refused", moment, record[.reason] ?? record.outcome)
        // The outages show stops; the others are no history.
        case .stopping, .remark: break
        // The picture has them; they only follow the rest.
        case .output: break
        default: add(record.event, moment, record[.reason] ?? record.outcome)
        }
    }

    /// Nothing ran, so nothing was logged. Whatever was not over lasted at least until then.
    private mutating func take(_ outage: DaemonOutage) {
        let end =
            switch outage.cause {
            case .powerCut: "not over at the power cut"
            case .killed: "not over when Tacet was killed"
            case .stopped, .shutDown: "not over when Tacet was stopped"
            case .asleep: "not over when the system was suspended"
            case .unknown: "not over when Tacet ended"
            }
        closeAll(at: outage.from, end)
        let isSudden = outage.cause == .powerCut || outage.cause == .killed
        let saved = isSudden ? outage.saved.map { "the last state was saved at \(LocalTime.format($0))" } : nil
        rows.append(
            Row(
                began: outage.from, boot: outage.boot, what: outage.cause.rawValue, signals: [],
                lasted: outage.to.map { $0.subtracting(outage.from) },
                atLeast: outage.certainFrom > outage.from ? outage.to.map { $0.subtracting(outage.certainFrom) } : nil,
                isCutShort: outage.isLengthUncertain,
                outcome: saved ?? "", isOpen: outage.to == nil))
    }

    // MARK: Rows

    /// Names the devices: only the new one is in the entry.
    private mutating func changeRoute(_ moment: Chronicle.Moment) {
        let record = moment.record
        let new = record[.device]
        let change =
            if let old = device, let new, old != new { "from \(old) to \(new)" } else { new.map { "on \($0)" } }
        device = new ?? device
        let words = [change, record[.reason], record.outcome].compactMap { $0 }.filter { !$0.isEmpty }
        add("route changed", moment, words.joined(separator: "; "))
    }

    private mutating func add(_ what: String, _ moment: Chronicle.Moment, _ outcome: String) {
        rows.append(
            Row(
                began: moment.time, boot: moment.record.boot, what: what, signals: moment.record.signals,
                outcome: outcome))
    }

    private mutating func begin(
        _ key: String, _ what: String, _ moment: Chronicle.Moment, _ outcome: String = ""
    ) {
        // A daemon that died logged no end.
        if let row = open[key] { close(row, at: moment.time, "its end was not logged", isCutShort: true) }
        add(what, moment, outcome)
        rows[rows.count - 1].isOpen = true
        open[key] = rows.count - 1
    }

    private mutating func change(_ key: String, _ what: String) {
        guard let row = open[key] else { return }
        rows[row].what += ", \(what)"
    }

    private mutating func end(_ key: String, _ moment: Chronicle.Moment, _ outcome: String) {
        guard let row = open.removeValue(forKey: key) else {
            // Its begin is no longer in the journal.
            return add("\(key) over", moment, outcome)
        }
        close(row, at: moment.time, outcome)
    }

    private mutating func close(_ row: Int, at time: Int64, _ outcome: String, isCutShort: Bool = false) {
        rows[row].isCutShort = isCutShort
        rows[row].lasted = time.subtracting(rows[row].began)
        rows[row].outcome = outcome
        rows[row].isOpen = false
    }

    private mutating func closeAll(at time: Int64, _ outcome: String) {
        for row in open.values { close(row, at: time, outcome, isCutShort: true) }
        open = [:]
    }

    /// A signal that joins an interruption belongs to the interruption's row.
    private mutating func signal(_ moment: Chronicle.Moment) {
        guard let name = moment.record.signals.first, let isAssertion = moment.record.isAssertion else { return }
        if let row = open["interruption"] {
            if isAssertion, !rows[row].signals.contains(name) { rows[row].signals.append(name) }
        } else if isAssertion {
            begin("signal \(name)", "asserted", moment, moment.record[.effect] ?? "")
        } else {
            end("signal \(name)", moment, "released")
        }
    }

    /// A hush also cuts announcements that wait, which have no row.
    private mutating func endSound(_ moment: Chronicle.Moment, _ outcome: String) {
        guard let row = open["sound"], rows[row].what == moment.record.sound else { return }
        end("sound", moment, outcome)
    }

    /// A sleep that was not announced is found out at its end.
    private mutating func awake(_ moment: Chronicle.Moment) {
        if open["sleep"] == nil {
            let length = max(0, moment.record.number(.asleep) ?? 0)
            add(moment.record[.reason] == "stopped" ? "stopped (SIGSTOP)" : "asleep", moment, "")
            rows[rows.count - 1].began = moment.time.subtracting(length)
            open["sleep"] = rows.count - 1
        }
        end("sleep", moment, moment.record.outcome)
    }

    private mutating func heard(_ record: JournalRecord, isSound: Bool) {
        guard
            let row = rows.lastIndex(where: {
                ($0.sound != nil) == isSound && !Set($0.signals).isDisjoint(with: record.signals)
            }), rows[row].latency == nil
        else { return }
        rows[row].latency = record.number(.latency)
        rows[row].silent = record.number(.silent)
    }
}

/// Why the history cannot be read: what was attempted, on what, and what to do.
struct HistoryError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = "tacet: \(description)" }
}

extension History {
    /// A table for people; each line with whether it is an interruption.
    static func text(_ rows: [Row]) -> [(line: String, isInterruption: Bool)] {
        let cells = rows.map(\.cells)
        let head = ["BEGAN", "WHAT", "SIGNALS", "LASTED", "HEARD AFTER", "THEN"]
        let widths = head.indices.map { column in ([head] + cells).map { $0[column].count }.max() ?? 0 }
        let lines = ([head] + cells).map { row in
            let line = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(
                separator: "  ")
            return String(line.prefix(through: line.lastIndex { $0 != " " } ?? line.startIndex))
        }
        return zip(lines, [false] + rows.map { $0.what == "interrupted" }).map { ($0, $1) }
    }

    /// One object, for programs.
    static func json(_ rows: [Row], damaged: Int) -> String {
        JSON.object([("history", JSON.list(rows.map(\.json))), ("damaged", "\(damaged)")])
    }
}

extension History.Row {
    fileprivate var cells: [String] {
        [
            LocalTime.format(began), what.visible, signals.joined(separator: ", ").visible,
            isOpen ? "not over" : length,
            latency.map { "\($0.adding(500) / 1000) ms" } ?? "",
            (outcome + (issuer.map { "\(outcome.isEmpty ? "" : "; ")by \($0)" } ?? "")).visible,
        ]
    }

    private var length: String {
        guard let lasted else { return "" }
        if isCutShort { return "\(span(atLeast ?? lasted)) or longer" }
        guard let atLeast else { return span(lasted) }
        return atLeast > 0 ? "\(span(atLeast)) to \(span(lasted))" : "at most \(span(lasted))"
    }

    private func span(_ time: Int64) -> String {
        let step: Int64 = time < 10_000_000 ? 100_000 : 1_000_000
        let rounded = time.adding(step / 2) / step * step
        if time < 10_000_000 { return "\(rounded / 1_000_000).\(rounded / 100_000 % 10)s" }
        return TimeSpan.format(.microseconds(rounded))
    }

    fileprivate var json: String {
        JSON.object([
            ("began", JSON.string(LocalTime.universal(began))), ("boot", JSON.string(boot)),
            ("what", JSON.string(what)), ("signals", JSON.array(signals)),
            ("sound", sound.map(JSON.string) ?? "null"), ("is_over", "\(!isOpen)"),
            ("is_cut_short", "\(isCutShort)"),
            ("lasted_usec", lasted.map { "\($0)" } ?? "null"),
            ("at_least_usec", (atLeast ?? lasted).map { "\($0)" } ?? "null"),
            ("latency_usec", latency.map { "\($0)" } ?? "null"),
            ("silent_usec", silent.map { "\($0)" } ?? "null"),
            ("then", JSON.string(outcome)), ("by", issuer.map(JSON.string) ?? "null"),
        ])
    }
}
