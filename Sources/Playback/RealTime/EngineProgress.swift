/// What a watchdog asks of an engine: numbers that grow as long as its threads are alive.
public struct EngineProgress: Sendable, Hashable {
    /// Turns of the render thread; after `RealTimeEngine.poke` there is one more soon, though no device be open.
    public let renderTurns: Int
    /// Turns of the storage thread; likewise.
    public let storageTurns: Int
    /// Underruns of all time.
    public let underruns: Int

    public init(renderTurns: Int, storageTurns: Int, underruns: Int) {
        self.renderTurns = renderTurns
        self.storageTurns = storageTurns
        self.underruns = underruns
    }
}
