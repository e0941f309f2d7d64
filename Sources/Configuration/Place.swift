/// A line of a file.
struct Place: Hashable, Sendable, CustomStringConvertible {
    let file: String
    /// From 1.
    let line: Int

    var description: String { "\(file):\(line)" }
}
