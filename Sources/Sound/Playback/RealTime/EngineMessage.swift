import ALSA
import Synchronization
import Threads

/// A message from another thread to control. Posting a message allocates and locks, so the render loop uses a
/// `RenderEvent` instead.
enum EngineMessage: Sendable {
    /// - Parameters:
    ///   - device: the index of the device in the order of preference.
    ///   - reason: the reason why none of the preferred devices could be opened, or nil if the device is the first one.
    ///   - losses: the number of losses that the render thread had seen. Control ignores messages that were sent before
    ///     the last loss.
    case opened(PCMConfiguration, device: Int, reason: PCMError?, afterLoss: Bool, losses: Int)
    case closed
    case lost(PCMError, losses: Int)
    /// No device could be opened after a loss.
    case unavailable(PCMError, losses: Int)
    /// The device has been closed, as ordered, so that another one can be opened. This is counted as a loss.
    case left(losses: Int)
    /// A preferred device has returned.
    /// - Parameter watch: the number of the order to watch for the device.
    case returned(device: Int, watch: Int)
    /// A device that was declared lost has played more than was known at that time.
    case heard(HeardPlayback)
    /// The reason why the render thread does not have real-time priority, or why the memory is not locked.
    case notRealTime(String)

    /// The buffer for the request with this number is ready.
    case loaded(Int, LoadedBuffer)
    /// No track can be played for the request with this number.
    case nothingToLoad(Int)
    case skipped(track: Int, DecoderError)
    /// The marks or the end of a buffer have changed.
    case bufferChanged
    case storageLost(StorageLoss)
    case storageReturned

    /// A sound has been read in this format, or cannot be read.
    case soundRead(Int, StreamFormat, Result<SoundMemory, DecoderError>)
    /// The clip of the call to `playSound` with this number has been decoded in this format, or cannot be decoded.
    case clipRead(Int, StreamFormat, Result<SoundMemory, DecoderError>)
    /// The rest with which a sound starts has been opened.
    case restOpened(SoundStream)
    /// The rest of a sound cannot be read, or a part of the rest cannot be decoded and is replaced with silence.
    case soundBroken(Int, DecoderError)
    /// Because its file is damaged, so much of a sound is silent that the sound is not treated as played.
    case soundMutilated(Int)
}

/// The messages that control has not taken yet. Any thread can post a message.
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

/// Counters for a watchdog, which increase as long as the threads of an engine are alive.
public struct EngineProgress: Sendable, Hashable {
    /// The number of passes of the render thread. `RealTimeEngine.poke` soon causes another pass, even if no device is
    /// open.
    public let renderTurns: Int
    /// The number of passes of the storage thread. `RealTimeEngine.poke` also causes another pass.
    public let storageTurns: Int
    /// True if the render thread waits inside a call for the device. If the call takes long, the engine reports the
    /// device as lost. Restarting the process would not help.
    public let isHeldByDevice: Bool
    /// The number of underruns since the engine was created.
    public let underruns: Int
    /// The number of rewinds since the engine was created that came too late.
    public let lateRewinds: Int

    public init(
        renderTurns: Int, storageTurns: Int, isHeldByDevice: Bool = false, underruns: Int, lateRewinds: Int = 0
    ) {
        self.renderTurns = renderTurns
        self.storageTurns = storageTurns
        self.isHeldByDevice = isHeldByDevice
        self.underruns = underruns
        self.lateRewinds = lateRewinds
    }
}

/// The measured time at which the effect of a command was heard.
public struct CommandEffect: Sendable, Hashable {
    /// The time at which the command was given, on CLOCK_MONOTONIC.
    public let given: Duration
    /// The time at which the first sample that it changed reaches the converter, on the same clock. It is as accurate
    /// as the delay that the driver reports.
    public let heard: Duration
    /// The frame of that sample, counted from the opening of the device.
    public let frame: Int

    /// The time from the command to its first changed sample.
    public var latency: Duration { heard - given }

    /// Returns the same effect with its times on a clock that is ahead of CLOCK_MONOTONIC by this much.
    public func shifted(by offset: Duration) -> CommandEffect {
        CommandEffect(given: given + offset, heard: heard + offset, frame: frame)
    }
}
