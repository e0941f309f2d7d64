extension StringProtocol {
    /// The text without the spaces and tabs at both ends.
    public var trimmed: SubSequence {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        let start = firstIndex { !isBlank($0) } ?? endIndex
        let end = lastIndex { !isBlank($0) }.map(index(after:)) ?? endIndex
        return start < end ? self[start..<end] : self[endIndex...]
    }
}
