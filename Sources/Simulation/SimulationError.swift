/// Why a rehearsal could not be done, or could not be written down: what was tried, on what, and in whose words.
public struct SimulationError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
