import ALSA
import Synchronization
import Threads

/// What the other threads have to tell control, when they have time.
enum EngineMessage: Sendable {
    /// - Parameter losses: as the render thread counts them: what is older than the last loss is void.
    case opened(PCMConfiguration, afterLoss: Bool, losses: Int)
    case closed
    case lost(PCMError, losses: Int)
    /// A device that was given up has played more than was known then.
    case heard(HeardProgramme)
    /// The render thread runs without a real-time priority, or the memory is not locked: why.
    case notRealTime(String)

    case loaded(Int, LoadedDeck)
    /// Nothing can be played for the request of this number.
    case nothingToLoad(Int)
    case skipped(track: Int, DecoderError)
    /// A deck's marks or its end have changed.
    case deckChanged
    case storageLost(StorageLoss)
    case storageBack
}

/// Messages on their way to control.
final class EngineInbox: Sendable {
    private let messages = Mutex<[EngineMessage]>([])
    private let bell: WakeUp

    init(bell: WakeUp) {
        self.bell = bell
    }

    func post(_ message: EngineMessage) {
        messages.withLock { $0.append(message) }
        bell.ring()
    }

    func take() -> [EngineMessage] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}

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

/// When a command was heard: measured, not assumed.
public struct CommandEffect: Sendable, Hashable {
    /// When it was given, on CLOCK_MONOTONIC.
    public let given: Duration
    /// When the first sample that it changed reaches the converter, on the same clock, as far as the driver knows its
    /// delay.
    public let heard: Duration
    /// That sample's frame, counted from the opening of the device.
    public let frame: Int

    public var latency: Duration { heard - given }
}
