import AudioSession
import Systemd

/// What a follower of a session receives.
public enum SessionUpdate: Hashable, Sendable {
    /// The daemon is reachable, for the first time or again, and this is its state. Earlier events are not delivered;
    /// each later one is, as `event`.
    case available(Snapshot)
    case event(SessionEvent)
    /// The daemon cannot be reached. The next `available` ends this.
    case unavailable(Unavailability)

    /// Why the daemon cannot be reached.
    public enum Unavailability: Hashable, Sendable, CustomStringConvertible {
        /// The bus is available, but `tacetd` is not on it.
        case notRunning
        /// The bus is unavailable or refused the connection; the system's or the bus's message.
        case noBus(String)
        /// The service that owns Tacet's name is not Tacet, or another version of it.
        case otherVersion
        /// The client's thread could not be created. This is final: the client does not retry.
        case noThread

        public var description: String {
            switch self {
            case .notRunning: "tacetd is not running"
            case .noBus(let words): words
            case .otherVersion: "the service on the bus is not this version of Tacet"
            case .noThread: "the system has no more threads"
            }
        }
    }

    /// The state of the session; nil while the daemon cannot be reached.
    public var snapshot: Snapshot? {
        switch self {
        case .available(let snapshot): snapshot
        case .event(let event): event.snapshot
        case .unavailable: nil
        }
    }
}

/// An event of the session, and the state that follows from it.
public struct SessionEvent: Hashable, Sendable {
    /// Time since 1970 by the board's wall clock, which can be wrong.
    public let wallClock: Duration
    /// Time on the board's monotonic clock; use it for the time between two events of one boot.
    public let time: Duration
    /// The event as in a trace: `assert phone-call`, `command pause`, `fault phone-call stuck`, `track ended`,
    /// `device lost`.
    public let name: String
    /// The state after the event, with the notifications that it posted and, if it was a command, the answer.
    public let snapshot: Snapshot

    public init(wallClock: Duration, time: Duration, name: String, snapshot: Snapshot) {
        self.wallClock = wallClock
        self.time = time
        self.name = name
        self.snapshot = snapshot
    }
}

/// Why a request failed. Each associated value is a message for people.
public enum SessionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The daemon could not be reached, or did not answer in time; a request that was already sent may have been
    /// executed.
    case unavailable(String)
    /// The caller is neither root nor in the group `tacet`.
    case denied(String)
    /// The daemon understood the request and rejected it.
    case refused(String)
    /// The client was closed, or has too many requests waiting to be sent.
    case closed

    public var description: String {
        switch self {
        case .unavailable(let words): "the supervisor cannot be reached: \(words)"
        case .denied(let words): "only root and members of the group tacet may send commands: \(words)"
        case .refused(let words): words
        case .closed: "the client is closed, or has too many requests waiting"
        }
    }

    /// - Parameter error: the answer to a call of the daemon's methods.
    public init(_ error: BusError) {
        self =
            switch error.name.split(separator: ".").last {
            case "ServiceUnknown", "NameHasNoOwner": .unavailable("tacetd is not running")
            // The bus itself refuses a message with LimitsExceeded while others fill the daemon's queue: that passes.
            case "NoReply", "Disconnected", "Failed", "Timeout", "LimitsExceeded", "NoMemory":
                .unavailable(error.message)
            case "AccessDenied": .denied(error.message)
            case "InvalidArgs": .refused(error.message)
            default: .refused("\(error)")
            }
    }
}
