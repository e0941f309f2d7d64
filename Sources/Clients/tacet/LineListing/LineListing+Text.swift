extension LineListing {
    /// Returns the list for people.
    ///
    /// - Parameter all: true to include lines that have no name and no user.
    func text(all: Bool) -> [String] {
        chips.flatMap { chip in
            let count = chip.rows.count
            let title = "\(chip.info), \(count) line\(count == 1 ? "" : "s")"
            let rows = chip.rows.filter { all || $0.isNotable }
            guard !rows.isEmpty else {
                return [title] + (count == 0 ? [] : ["  no line has a name or a user; --all lists all lines"])
            }
            return [title] + Self.table([Self.head] + rows.map(\.cells))
        }
    }

    private static let head = ["LINE", "NAME", "DIRECTION", "BIAS", "LEVEL", "USER", "FOR"]

    private static func table(_ rows: [[String]]) -> [String] {
        let widths = head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            let line = "  " + cells.joined(separator: "  ")
            return String(line.prefix(through: line.lastIndex { $0 != " " } ?? line.startIndex))
        }
    }
}

extension LineListing.Row {
    fileprivate var cells: [String] {
        [
            "\(line.offset)", line.name ?? "–", line.direction.rawValue,
            line.bias == .asIs ? "–" : line.bias.rawValue, level.map { $0 ? "high" : "low" } ?? "–",
            line.isUsed ? line.consumer ?? "unknown" : "–", wires.map(describe).joined(separator: ", "),
        ]
    }

    private func describe(_ wire: Wire) -> String {
        let state = level.map { $0 == wire.isActiveLow ? "not asserted" : "asserted" }
        let poll = pollInterval.map { "polled every \($0) ms" }
        let details = [state, poll].compactMap { $0 }
        return details.isEmpty ? wire.title : "\(wire.title) (\(details.joined(separator: ", ")))"
    }
}
