import AudioSession

/// What who follows a session is told.
public enum SessionUpdate: Hashable, Sendable {
    /// The supervisor is there, or is there again, and this is so. What happened before is not told; each `event` from
    /// now on is.
    case available(Snapshot)
    case event(SessionEvent)
    /// There is nobody to follow. `available` tells when there is.
    case unavailable(Unavailability)

    /// Why there is nobody to follow.
    public enum Unavailability: Hashable, Sendable, CustomStringConvertible {
        /// The bus is there, and the supervisor is not on it.
        case notRunning
        /// There is no bus, in the system's words.
        case noBus(String)
        /// What answers is no Tacet, or one of another version.
        case otherVersion
        /// The system has no more threads.
        case noThread

        public var description: String {
            switch self {
            case .notRunning: "tacetd is not running"
            case .noBus(let words): words
            case .otherVersion: "what answers is no Tacet of this version"
            case .noThread: "the system has no more threads"
            }
        }
    }

    /// What is so; nil where nobody knows.
    public var snapshot: Snapshot? {
        switch self {
        case .available(let snapshot): snapshot
        case .event(let event): event.snapshot
        case .unavailable: nil
        }
    }
}
