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
