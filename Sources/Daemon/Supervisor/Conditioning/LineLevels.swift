import AudioSession

/// The electrical levels of all lines, which are read together. A line that cannot be read is missing.
public struct LineLevels: Hashable, Sendable {
    /// The level of each signal's line.
    public var main: [SignalID: Bool]
    /// The levels of the lines with the opposite contacts.
    public var complement: [SignalID: Bool]

    public init(_ main: [SignalID: Bool], complement: [SignalID: Bool] = [:]) {
        self.main = main
        self.complement = complement
    }
}
