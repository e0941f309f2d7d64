/// A machine's GPIO chips and all their lines at the time of listing.
public struct Board: Hashable, Sendable {
    /// In order of their numbers.
    public var chips: [ChipInfo]
    /// One error for each chip that exists but could not be inspected.
    public var problems: [GPIOError]

    public init(chips: [ChipInfo], problems: [GPIOError] = []) {
        self.chips = chips
        self.problems = problems
    }

    /// Why no line can be found; nil if at least one chip was inspected.
    public var absence: GPIOError? {
        guard chips.isEmpty else { return nil }
        return problems.first
            ?? GPIOError(
                .noChips, operation: "find", subject: "a GPIO chip", message: "the system has none",
                advice: "check that its driver is loaded (`dmesg`), and that the device tree describes it")
    }
}
