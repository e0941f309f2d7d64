import Configuration

/// What interrupted the music, when and for how long, as the journal tells it: a row for each matter, not for each entry.
struct History {
    struct Row: Hashable {
        let began: Int64
        let boot: String
        var what: String
        var signals: [String]
        /// In µs; nil: it was an instant, or is not over.
        var lasted: Int64?
        /// Whether nobody was left to tell its end: it lasted so long at the least.
        var isCutShort = false
        /// From the edge of the wire to the first changed sample, in µs.
        var latency: Int64?
        /// What came of it.
        var outcome: String
        var isOpen = false
    }

    private(set) var rows: [Row] = []
    /// Of each matter that is not over: its row.
    private var open: [String: Int] = [:]
    private var last: Chronicle.Moment?

    init(_ chronicle: Chronicle) {
        for moment in chronicle.moments { take(moment) }
    }

    /// Those that were so at some time of it.
    func rows(in range: HistoryRange) -> [Row] {
        rows.filter { row in
            guard row.began <= range.until ?? .max else { return false }
            return row.isOpen || row.began + (row.lasted ?? 0) >= range.since ?? .min
        }
    }

    private mutating func take(_ moment: Chronicle.Moment) {
        let record = moment.record
        if let last {
            // Without power nothing can be told: it was so at least until the last entry.
            if last.record.boot != record.boot { closeAll(at: last.time, "not over when the board went off") }
            if last.record.event == "stopping" { closeAll(at: last.time, "not over when Tacet was stopped") }
        }
        switch record.event {
        case "interruption-began": begin("interruption", "interrupted", moment)
        case "interruption-ended": end("interruption", moment, record.sequel)
        case "duck-began": begin("duck", "ducked to \(record.level)", moment)
        case "duck-changed": change("duck", "\(record.level)")
        case "duck-ended": end("duck", moment, record.sequel)
        case "interruption-heard": heard(record)
        case "signal": signal(moment)
        case "fault":
            let whose = record.button.map { " (\($0))" } ?? ""
            begin(record.faultKey, "fault: \(record["FAULT"] ?? "")\(whose)", moment)
        case "fault-cleared": end(record.faultKey, moment, "no longer \(record["FAULT"] ?? "at fault")")
        case "media-services-lost": begin("device", "sound device gone", moment, record["REASON"] ?? "")
        case "media-services-reset": end("device", moment, record.sequel)
        case "storage-lost": begin("storage", "storage gone", moment)
        case "storage-back": end("storage", moment, "the storage is back")
        case "command": add("command \(record["COMMAND"] ?? "")", moment, record.sequel)
        case "started": add("started", moment, record.sequel + unannounced(moment))
        case "remark", "configuration-changed": break
        default: add(record.event, moment, record.message)
        }
        last = moment
    }

    /// Whether whoever ran before was not stopped by anybody.
    private func unannounced(_ moment: Chronicle.Moment) -> String {
        guard let before = rows.last(where: { $0.what == "started" || $0.what == "stopping" }), before.what == "started"
        else { return "" }
        return before.boot == moment.record.boot ? " (it had died)" : " (the board had gone off in mid-run)"
    }

    // MARK: Rows

    private mutating func add(_ what: String, _ moment: Chronicle.Moment, _ outcome: String) {
        rows.append(
            Row(
                began: moment.time, boot: moment.record.boot, what: what, signals: moment.record.signals,
                outcome: outcome))
    }

    private mutating func begin(
        _ key: String, _ what: String, _ moment: Chronicle.Moment, _ outcome: String = ""
    ) {
        // One that died cannot tell an end.
        if let row = open[key] { close(row, at: moment.time, "no end was told", isCutShort: true) }
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
        rows[row].lasted = time - rows[row].began
        rows[row].outcome = outcome
        rows[row].isOpen = false
    }

    private mutating func closeAll(at time: Int64, _ outcome: String) {
        for row in open.values { close(row, at: time, outcome, isCutShort: true) }
        open = [:]
    }

    /// One that only joins an interruption belongs to it.
    private mutating func signal(_ moment: Chronicle.Moment) {
        let name = moment.record.signals.first ?? ""
        if let row = open["interruption"] {
            if moment.record.isAssertion, !rows[row].signals.contains(name) { rows[row].signals.append(name) }
        } else if moment.record.isAssertion {
            begin("signal \(name)", "asserted", moment, moment.record["EFFECT"] ?? "")
        } else {
            end("signal \(name)", moment, "released")
        }
    }

    private mutating func heard(_ record: JournalRecord) {
        guard let row = rows.lastIndex(where: { !Set($0.signals).isDisjoint(with: record.signals) }),
            rows[row].latency == nil
        else { return }
        rows[row].latency = record["LATENCY_USEC"].flatMap { Int64($0) }
    }
}
