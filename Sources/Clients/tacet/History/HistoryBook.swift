/// The rows of a history while it is being read. Each row begins, and later ends or is cut short.
struct HistoryBook {
    private(set) var rows: [History.Row] = []
    /// The indices of the rows that are not over.
    private var open: [HistoryLane: Int] = [:]

    /// The row that is not over in a lane.
    subscript(_ lane: HistoryLane) -> History.Row? { open[lane].map { rows[$0] } }

    mutating func add(_ row: History.Row) { rows.append(row) }

    /// Adds a row that is not over. Whatever is not over in its lane must be ended first.
    mutating func begin(_ row: History.Row) {
        open[row.lane] = rows.count
        rows.append(row)
        rows[rows.count - 1].length.isOpen = true
    }

    /// Changes the row that is not over in a lane, if there is one.
    mutating func change(_ lane: HistoryLane, _ change: (inout History.Row) -> Void) {
        if let index = open[lane] { change(&rows[index]) }
    }

    /// Changes the newest row that meets a condition.
    mutating func changeLast(where condition: (History.Row) -> Bool, _ change: (inout History.Row) -> Void) {
        if let index = rows.lastIndex(where: condition) { change(&rows[index]) }
    }

    /// - Returns: false if nothing in that lane was open.
    @discardableResult mutating func end(
        _ lane: HistoryLane, at time: Int64, _ outcome: String = "", isCutShort: Bool = false
    ) -> Bool {
        guard let index = open.removeValue(forKey: lane) else { return false }
        rows[index].end(at: time, outcome, isCutShort: isCutShort)
        return true
    }

    /// Ends all rows that are not over, because nothing ran from then on.
    mutating func endAll(for outage: DaemonOutage) {
        for index in open.values { rows[index].end(at: outage.from, outage.verdict, isCutShort: true) }
        open = [:]
    }
}

extension History.Row {
    fileprivate mutating func end(at time: Int64, _ outcome: String, isCutShort: Bool) {
        length.isCutShort = isCutShort
        length.lasted = time.subtracting(began)
        self.outcome = outcome
        sequel = outcome
        length.isOpen = false
    }
}
