/// What a watchdog asks of an engine: numbers that grow as long as its threads are alive.
public struct EngineProgress: Sendable, Hashable {
    /// Turns of the render thread; after `RealTimeEngine.poke` there is one more soon, though no device be open.
    public let renderTurns: Int
    /// Turns of the storage thread; likewise.
    public let storageTurns: Int
    /// Whether the render thread is inside a call of the device, which alone can let it continue. If that takes long, the
    /// device is reported as lost; restarting the process would not help.
    public let isHeldByDevice: Bool
    /// Underruns of all time.
    public let underruns: Int

    public init(renderTurns: Int, storageTurns: Int, isHeldByDevice: Bool = false, underruns: Int) {
        self.renderTurns = renderTurns
        self.storageTurns = storageTurns
        self.isHeldByDevice = isHeldByDevice
        self.underruns = underruns
    }
}
