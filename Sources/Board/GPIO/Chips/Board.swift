/// The GPIO chips of a machine and all their lines at the time of listing.
public struct Board: Hashable, Sendable {
    /// The chips in order of their numbers.
    public var chips: [ChipInfo]
    /// One error for each chip that exists but could not be inspected.
    public var problems: [GPIOError]
    /// The most specific name in the device tree's `compatible` property, such as `raspberrypi,4-model-b`, or nil if
    /// there is no device tree.
    public var model: String?

    public init(chips: [ChipInfo], problems: [GPIOError] = [], model: String? = nil) {
        self.chips = chips
        self.problems = problems
        self.model = model
    }

    /// The reason why there are no lines to search, or nil if at least one chip was inspected.
    public var absence: GPIOError? {
        guard chips.isEmpty else { return nil }
        return problems.first
            ?? GPIOError(
                .noChips, operation: "find", subject: "a GPIO chip", message: "the system has none",
                advice: "check that its driver is loaded (`dmesg`), and that the device tree describes it")
    }
}
