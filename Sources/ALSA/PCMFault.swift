/// A call that failed, in a form that a real-time thread can throw: no words, nothing to allocate. `PCMError` has the
/// words.
public struct PCMFault: Error, Sendable, Hashable {
    public let operation: PCMOperation
    /// `errno` code, positive.
    public let code: Int32

    @_noLocks @_noAllocation
    public init(_ operation: PCMOperation, code: Int32) {
        self.operation = operation
        self.code = code < 0 ? 0 &- code : code
    }
}

/// What was tried with a running PCM.
public enum PCMOperation: Int, Sendable, Hashable, CustomStringConvertible {
    case write, askRoom, askDelay, prepare, start, resume, rewind, drop, play, open

    public var description: String {
        switch self {
        case .write: "write to"
        case .askRoom: "ask for room in"
        case .askDelay: "ask for the delay of"
        case .prepare: "prepare"
        case .start: "start"
        case .resume: "resume"
        case .rewind: "take back from"
        case .drop: "stop"
        case .play: "play on"
        case .open: "open"
        }
    }
}
