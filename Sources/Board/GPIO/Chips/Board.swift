/// A machine's GPIO chips and all their lines at the time of listing.
public struct Board: Hashable, Sendable {
    /// In order of their numbers.
    public var chips: [ChipInfo]
    /// One error for each chip that exists but could not be inspected.
    public var problems: [GPIOError]
    /// The most specific name in `compatible` of its device tree, such as `raspberrypi,4-model-b`; nil without one.
    public var model: String?

    public init(chips: [ChipInfo], problems: [GPIOError] = [], model: String? = nil) {
        self.chips = chips
        self.problems = problems
        self.model = model
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
