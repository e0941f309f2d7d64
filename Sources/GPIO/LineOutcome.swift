/// What came of asking for a line.
public struct LineOutcome<ID: Hashable & Sendable>: Hashable, Sendable {
    public var id: ID
    /// Its electrical level, or why it cannot be had.
    public var result: Result<Bool, GPIOError>

    public init(id: ID, result: Result<Bool, GPIOError>) {
        self.id = id
        self.result = result
    }
}
