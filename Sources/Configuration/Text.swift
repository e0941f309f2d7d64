extension StringProtocol {
    /// Without the spaces and tabs at both ends.
    var trimmed: SubSequence {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        let start = firstIndex { !isBlank($0) } ?? endIndex
        let end = lastIndex { !isBlank($0) }.map(index(after:)) ?? endIndex
        return start < end ? self[start..<end] : self[endIndex...]
    }
}

extension Sequence<String> {
    /// `play, pause or stop`
    public var alternatives: String {
        let all = Array(self)
        guard all.count > 1, let last = all.last else { return all.first ?? "" }
        return all.dropLast().joined(separator: ", ") + " or " + last
    }
}
