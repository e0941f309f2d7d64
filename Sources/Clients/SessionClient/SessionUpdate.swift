import AudioSession
import Systemd

/// An update that a follower of a session receives.
public enum SessionUpdate: Hashable, Sendable {
    /// The daemon is reachable, for the first time or again, and this is its state. Earlier events are not delivered.
    /// Each later one is delivered as `event`.
    case available(Snapshot)
    case event(SessionEvent)
    /// The daemon cannot be reached. The next `available` ends this.
    case unavailable(Unavailability)

    /// The reason why the daemon cannot be reached.
    public enum Unavailability: Hashable, Sendable, CustomStringConvertible {
        /// The bus is available, but `tacetd` is not on it.
        case notRunning
        /// The bus is unavailable or refused the connection. The value is the message of the system or the bus.
        case noBus(String)
        /// The service that owns Tacet's name is not Tacet, or is another version of it.
        case otherVersion
        /// The client's thread could not be created. This is final, because the client does not retry.
        case noThread

        public var description: String {
            switch self {
            case .notRunning: "tacetd is not running"
            case .noBus(let words): words
            case .otherVersion: "the service on the bus is not this version of Tacet"
            case .noThread: "the system cannot start another thread"
            }
        }
    }

    /// The state of the session, or nil while the daemon cannot be reached.
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
    /// The time since 1970 by the board's wall clock, which may be wrong.
    public let wallClock: Duration
    /// The time on the board's monotonic clock. Use it for the time between two events of one boot.
    public let time: Duration
    /// The event as in a trace, for example `assert phone-call`, `command pause`, `fault phone-call stuck`, `track
    /// ended` or `device lost`.
    public let name: String
    /// The state after the event, with the notifications that it posted and, for a command, the answer.
    public let snapshot: Snapshot

    public init(wallClock: Duration, time: Duration, name: String, snapshot: Snapshot) {
        self.wallClock = wallClock
        self.time = time
        self.name = name
        self.snapshot = snapshot
    }
}

/// The reason why a request failed. Each associated value is a message for people.
public enum SessionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The daemon could not be reached or did not answer in time. A request that was already sent may have been
    /// executed.
    case unavailable(String)
    /// The caller is neither root nor in the `tacet` group.
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

    /// - Parameter error: the answer to a call to one of the daemon's methods.
    public init(_ error: BusError) {
        self =
            switch error.name.split(separator: ".").last {
            case "ServiceUnknown", "NameHasNoOwner": .unavailable("tacetd is not running")
            // The bus itself refuses a message with LimitsExceeded while others fill the daemon's queue. That is
            // temporary.
            case "NoReply", "Disconnected", "Failed", "Timeout", "LimitsExceeded", "NoMemory":
                .unavailable(error.message)
            case "AccessDenied": .denied(error.message)
            case "InvalidArgs": .refused(error.message)
            default: .refused("\(error)")
            }
    }
}
