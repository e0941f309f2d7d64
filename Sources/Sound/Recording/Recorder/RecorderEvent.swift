import ALSA
import Synchronization
import Threads

/// An event of a recorder.
public enum RecorderEvent: Hashable, Sendable {
    /// The device has been opened. It delivers frames in this format, which is also the format of the files.
    case deviceOpened(RecordedFormat)
    /// The device cannot be opened or has stopped delivering frames. This is reported only once until the device
    /// returns. The frames that the device had delivered are on the disk or will be soon. The recorder tries repeatedly
    /// to open the device, even if recording is no longer wanted.
    case deviceLost(PCMError)
    /// The device that was lost delivers frames again.
    case deviceReturned
    /// Recording begins, or continues in the same file if one is open.
    /// - order: the number of the order, or 0 if the device had to be opened first or has returned.
    /// - frame: the first frame according to the capture clock, which counts the device's frames while the device is
    ///   open.
    case recording(order: Int, frame: Int)
    /// Recording has paused, as ordered, and everything recorded is on the disk.
    /// - frames: the number of frames recorded since the start.
    /// - frame: the frame of the capture clock after the last one.
    /// - isComplete: false if the storage is failing. The frames then wait in memory.
    case paused(order: Int, frames: Int, frame: Int, isComplete: Bool)
    /// The recording has finished, as ordered, and the file is complete. The values have the same meaning as in
    /// `paused`.
    case finished(order: Int, frames: Int, isComplete: Bool)
    /// Recording has paused for a sleep, as ordered. The device is also closed or is being closed. The values have the
    /// same meaning as in `paused`.
    case asleep(order: Int, frames: Int, isComplete: Bool)
    /// From this frame of the recording on, silence replaces the sound of the microphone (true) or no longer does
    /// (false).
    case muted(Bool, order: Int, frames: Int)
    case fileBegan(path: String)
    case fileEnded(path: String, frames: Int, RecordingEnd)
    /// The oldest recording, or one whose name is ahead of the clock, has been deleted to keep within
    /// `RecorderSettings.keep`.
    case removed(path: String, isFromFuture: Bool)
    /// A recording cannot be deleted. Recording continues.
    case notRemoved(RecordingError)
    /// Frames are lost because the device was read too late, or because the disk has been too slow for seconds. Silence
    /// of the same length replaces them. If they are longer than a minute, a new file begins instead.
    case overrun(frames: Int)
    /// The files cannot be written. This is reported again only if the reason changes. The recorder retries until
    /// writing succeeds. Until then, memory holds the frames of several seconds, and further frames are lost.
    case storageFailed(RecordingError)
    /// All frames that were waiting are now on the disk.
    case storageRecovered
    /// The disk has taken this long for a call, or has not answered for this long.
    case storageSlow(Duration)
    /// Frames are permanently lost because the recorder has stopped.
    case abandoned(frames: Int)
    /// The reason why the capturing thread does not have real-time priority.
    case notRealTime(String)
}

/// The events that control has not taken yet, and the state that it can query. Any thread can post an event. None of
/// these calls may be made from the `CaptureLoop`.
final class RecorderInbox: Sendable {
    private struct State {
        var events: [RecorderEvent] = []
        var isLost = false
        var file: String?
    }

    private let state = Mutex(State())
    private let bell: WakeUp

    init(bell: WakeUp) { self.bell = bell }

    func post(_ event: RecorderEvent) {
        state.withLock { $0.events.append(event) }
        bell.ring()
    }

    func take() -> [RecorderEvent] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    var isLost: Bool { state.withLock { $0.isLost } }
    var file: String? { state.withLock { $0.file } }

    /// Reports the loss of the device, unless it has already been reported.
    func lose(_ error: PCMError) {
        let isNew = state.withLock { state in
            defer { state.isLost = true }
            if !state.isLost { state.events.append(.deviceLost(error)) }
            return !state.isLost
        }
        if isNew { bell.ring() }
    }

    /// Reports the return of a lost device. Control calls this when it is about to take the events.
    func regain() {
        state.withLock { state in
            if state.isLost { state.events.append(.deviceReturned) }
            state.isLost = false
        }
    }

    func post(_ events: [RecordingWriter.Event], file: String?) {
        state.withLock { state in
            state.file = file
            for event in events {
                let event: RecorderEvent =
                    switch event {
                    case .began(let path): .fileBegan(path: path)
                    case .ended(let path, let frames, let reason): .fileEnded(path: path, frames: frames, reason)
                    case .removed(let path, let isFromFuture): .removed(path: path, isFromFuture: isFromFuture)
                    case .notRemoved(let error): .notRemoved(error)
                    }
                state.events.append(event)
            }
        }
        if !events.isEmpty { bell.ring() }
    }
}
