/// Why the history cannot be told: what was tried, on what, and what to do.
struct HistoryError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = "tacet: \(description)" }
}
