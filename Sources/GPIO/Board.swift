/// The GPIO chips of a machine with all their lines, as they were when they were listed.
public struct Board: Hashable, Sendable {
    /// In the order of their numbers.
    public var chips: [ChipInfo]
    /// Chips that are there and cannot be looked at: why.
    public var problems: [GPIOError]

    public init(chips: [ChipInfo], problems: [GPIOError] = []) {
        self.chips = chips
        self.problems = problems
    }
}
