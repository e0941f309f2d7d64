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

    /// Why there is nothing to be found at all; nil if there is a chip.
    public var absence: GPIOError? {
        guard chips.isEmpty else { return nil }
        return problems.first
            ?? GPIOError(
                .noChips, operation: "find", subject: "a GPIO chip", message: "the system has none",
                advice: "see whether its driver is loaded (`dmesg`), and whether the device tree has it")
    }
}
