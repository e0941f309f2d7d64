import Spelling
import Timeline
import Vocabulary

/// The history in a form that another program can draw. It contains the rows of `tacet log` and the states of the
/// music, the signals and the outputs.
struct HistoryLanes {
    /// The version of the JSON object. It changes if a reader of the last version would misunderstand the next.
    static let version = 1
    /// The maximum number of rows. If there are more, the oldest are omitted.
    static let mostRows = 10_000
    /// The length, in bytes, to which longer texts are cut.
    static let longestText = 500

    /// The rows of all lanes, in no particular order.
    private(set) var rows: [History.Row] = []
    private var book = HistoryBook()
    private var music = MusicState()

    init(_ chronicle: Chronicle) {
        for step in chronicle.steps {
            switch step {
            case .moment(let moment): take(moment)
            case .outage(let outage):
                book.endAll(for: outage)
                music = MusicState()
            }
        }
        // The log omits signals that are part of an interruption.
        rows = History(chronicle).rows.filter { $0.lane.kind != .signal } + book.rows
    }

    private mutating func take(_ moment: Chronicle.Moment) {
        let record = moment.record
        // A daemon whose start was refused did not run.
        guard record.kind != .startRefused else { return }
        takeSignals(moment)
        if record.kind == .output, let output = record[.output] {
            let means = record[.effect].map { "means: \($0)" }
            show(.output(output), record.isAssertion == true ? "\(output) on" : nil, moment, note: means)
        }
        music.take(record)
        if record.kind != .stopping { showMusic(moment) }
    }

    private mutating func takeSignals(_ moment: Chronicle.Moment) {
        let record = moment.record
        let isHeld = record.signals.first.map { book[.signal($0)] != nil } ?? false
        guard let change = record.signalChange(isHeld: isHeld) else { return }
        let effect = record[.effect].map { "effect: \($0)" }
        for signal in record.signals {
            switch change {
            case .asserted: show(.signal(signal), "\(signal) asserted", moment, note: effect)
            case .suppressed:
                show(.signal(signal), "\(signal) asserted, but suppressed", moment, as: .suppressed, note: effect)
            case .released: show(.signal(signal), nil, moment)
            }
        }
    }

    private mutating func showMusic(_ moment: Chronicle.Moment) {
        guard let plays = music.plays else { return }
        if !plays {
            let intent = music.intent.flatMap { $0 == .playing ? nil : $0.rawValue }
            let cause = music.interrupting == nil ? intent : "interrupted"
            show(.music, (["quiet"] + [cause].compactMap { $0 }).joined(separator: ": "), moment, as: .quiet)
        } else if let level = music.duckLevel ?? music.soundLevel {
            let words = JournalRecord.words(ofLevel: level)
            show(.music, "turned down to \(words)", moment, as: .ducked, note: moment.record.track)
        } else if case .input(let input)? = moment.record.selectedSource {
            show(.music, "playing \(input)", moment)
        } else {
            show(.music, "playing", moment, note: moment.record.track)
        }
    }

    /// Begins a row unless it exists already, and ends the previous one.
    /// - Parameter what: the text of the row, or nil if the lane is empty from then on.
    private mutating func show(
        _ lane: HistoryLane, _ what: String?, _ moment: Chronicle.Moment, as kind: HistoryLane.Kind? = nil,
        note: String? = nil
    ) {
        guard book[lane]?.what != what else { return }
        book.end(lane, at: moment.time)
        guard let what else { return }
        var row = History.Row(lane, what, moment)
        row.signals = []
        row.kind = kind ?? lane.kind
        row.notes = [note].compactMap { $0 }
        book.begin(row)
    }
}

extension HistoryLanes {
    /// Returns one object for programs.
    /// - Parameters:
    ///   - range: a range that has a beginning.
    ///   - now: the current time on the clock of the history, in µs since 1970.
    func json(_ range: HistoryRange, now: Int64, problems: [String]) -> String {
        let shown = rows.filter { range.overlaps($0) }.enumerated().sorted {
            ($0.element.began, $0.offset) < ($1.element.began, $1.offset)
        }.map(\.element)
        var problems = problems
        if shown.count > Self.mostRows {
            problems.append("only the newest \(Self.mostRows) of \(shown.count) spans of this time are listed")
        }
        let lanes = Dictionary(grouping: shown.suffix(Self.mostRows), by: \.lane).sorted {
            ($0.key.order, $0.value[0].began, $0.key.id) < ($1.key.order, $1.value[0].began, $1.key.id)
        }
        let since = range.since ?? now
        return JSON.object([
            ("version", "\(Self.version)"), ("now_usec", "\(now)"), ("since_usec", "\(since)"),
            ("until_usec", range.until.map { "\($0)" } ?? "null"),
            ("offsets", JSON.list(Self.offsets(from: since, to: range.until ?? now))),
            ("lanes", JSON.list(lanes.map(Self.json))),
            ("problems", JSON.list(problems.map(Self.text))),
        ])
    }

    private static func json(_ lane: HistoryLane, _ rows: [History.Row]) -> String {
        JSON.object([
            ("id", text(lane.id)), ("title", text(lane.title)), ("spans", JSON.list(rows.map(json))),
        ])
    }

    private static func json(_ row: History.Row) -> String {
        JSON.object([
            ("kind", JSON.string(row.kind.rawValue)), ("what", text(row.caption)), ("began_usec", "\(row.began)"),
            ("lasted_usec", row.length.lasted.map { "\($0)" } ?? "null"),
            ("at_least_usec", (row.length.atLeast ?? row.length.lasted).map { "\($0)" } ?? "null"),
            ("is_over", "\(!row.length.isOpen)"), ("is_cut_short", "\(row.length.isCutShort)"),
            ("details", JSON.list(row.details.map(text))),
        ])
    }

    private static func text(_ text: String) -> String { JSON.string(text.visible(limit: longestText)) }

    /// Returns each difference between local time and UTC, with the time from which it applies.
    private static func offsets(from since: Int64, to until: Int64) -> [String] {
        WrittenTime.clock(from: since, to: until).offsets.map { offset in
            let from = since.adding(Int64(exactly: (offset.from * 1_000_000).rounded()) ?? 0)
            return JSON.object([("from_usec", "\(from)"), ("ahead_sec", "\(offset.ahead)")])
        }
    }
}

extension History.Row {
    /// A description in words that needs no columns.
    fileprivate var caption: String {
        let names = signals.joined(separator: ", ")
        if names.isEmpty || sound != nil { return what }
        return lane == .interruption || lane == .duck ? "\(what) by \(names)" : "\(what) (\(names))"
    }

    /// Other known facts, in words.
    var details: [String] {
        var details = notes
        if let latency {
            let complete = silent.map { ", complete after \($0.milliseconds) ms" } ?? ""
            details.append("took effect after \(latency.milliseconds) ms\(complete)")
        }
        if !sequel.isEmpty { details.append(length.isCutShort ? sequel : "then: \(sequel)") }
        if let issuer { details.append("by \(issuer)") }
        return details
    }
}
