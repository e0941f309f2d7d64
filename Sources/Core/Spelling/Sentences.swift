extension StringProtocol {
    /// The text with its first letter in upper case, as at the beginning of a sentence.
    public var sentenceCased: String { prefix(1).uppercased() + dropFirst() }
}

extension Sequence<String> {
    /// The elements as a list for people, such as `play, pause or stop`.
    public var alternatives: String { list("or") }

    /// The elements as a list for people, such as `play, pause and stop`.
    public var enumeration: String { list("and") }

    private func list(_ conjunction: String) -> String {
        let all = Array(self)
        guard all.count > 1, let last = all.last else { return all.first ?? "" }
        return all.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }
}
