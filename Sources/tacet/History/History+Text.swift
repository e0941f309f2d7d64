import Configuration
import Simulation
import Spelling

extension History {
    /// For people: a table, and whether a row is of an interruption.
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
            isOpen ? "not over" : lasted.map(span).map { isCutShort ? "\($0) or longer" : $0 } ?? "",
            latency.map { "\($0.adding(500) / 1000) ms" } ?? "",
            outcome.visible,
        ]
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
            ("what", JSON.string(what)), ("signals", JSON.array(signals)), ("is_over", "\(!isOpen)"),
            ("is_cut_short", "\(isCutShort)"),
            ("lasted_usec", lasted.map { "\($0)" } ?? "null"), ("latency_usec", latency.map { "\($0)" } ?? "null"),
            ("silent_usec", silent.map { "\($0)" } ?? "null"),
            ("then", JSON.string(outcome)),
        ])
    }
}
