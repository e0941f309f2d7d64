/// A line that a selector means.
public struct FoundLine: Hashable, Sendable, CustomStringConvertible {
    public var chip: ChipInfo
    public var line: LineInfo

    public init(chip: ChipInfo, line: LineInfo) {
        self.chip = chip
        self.line = line
    }

    /// Whether both are the same wire, whatever else has changed about it.
    func isSameWire(as other: FoundLine) -> Bool { chip.path == other.chip.path && line.offset == other.line.offset }

    /// `PHONE_CALL (line 5 of gpiochip0)`, `line 5 of gpiochip0`.
    public var description: String {
        let place = "line \(line.offset) of \(chip.name)"
        return line.name.map { "\($0) (\(place))" } ?? place
    }
}
