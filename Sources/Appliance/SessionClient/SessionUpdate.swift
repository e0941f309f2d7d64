import AudioSession
import Systemd

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

/// Something that happened to the session, and what is so since.
public struct SessionEvent: Hashable, Sendable {
    /// Since 1970, by the board's wall clock, which need not be right.
    public let wallClock: Duration
    /// On the board's monotonic clock: the time between two events of one boot is known for sure.
    public let time: Duration
    /// In a trace's words: `assert phone-call`, `command pause`, `fault phone-call stuck`, `track ended`, `device lost`.
    public let name: String
    /// What is so afterwards; its notifications and its answer are the event's.
    public let snapshot: Snapshot

    public init(wallClock: Duration, time: Duration, name: String, snapshot: Snapshot) {
        self.wallClock = wallClock
        self.time = time
        self.name = name
        self.snapshot = snapshot
    }
}

/// Why something that was asked for was not done.
public enum SessionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is nobody who could do it: neither now nor, perhaps, when it was on its way.
    case unavailable(String)
    /// Only root and the group `tacet` may command.
    case denied(String)
    /// It was understood, and refused.
    case refused(String)
    /// The client was closed, or too much waits for an answer already.
    case closed

    public var description: String {
        switch self {
        case .unavailable(let words): "the supervisor cannot be reached: \(words)"
        case .denied(let words): "only root and the group tacet may command it: \(words)"
        case .refused(let words): words
        case .closed: "the client takes nothing any more"
        }
    }

    public init(_ error: BusError) {
        self =
            switch error.name.split(separator: ".").last {
            case "ServiceUnknown", "NameHasNoOwner": .unavailable("tacetd is not running")
            case "NoReply", "Disconnected", "Failed", "Timeout":
                .unavailable(error.message)
            case "AccessDenied": .denied(error.message)
            case "InvalidArgs": .refused(error.message)
            default: .refused("\(error)")
            }
    }
}
