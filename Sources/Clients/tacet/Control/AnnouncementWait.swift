import AudioSession
import SessionClient
import Systemd

/// Waits for the end of an announcement.
struct AnnouncementWait {
    enum End: String, Hashable, CustomStringConvertible {
        case heard, expired, hushed
        /// The supervisor has stopped or left the bus, so the announcement is lost.
        case gone

        /// The sentence for people.
        var description: String {
            switch self {
            case .heard: "The announcement was played to its end."
            case .expired: "The announcement has expired and will not be played."
            case .hushed: "The announcement was cancelled."
            case .gone: "The announcement is lost because the daemon has stopped."
            }
        }
    }

    /// The time within which the supervisor must report its state.
    private static let timeout = Duration.seconds(5)

    private let follower: SessionFollower

    /// Follows the bus from now on. Create it before the request.
    init(_ bus: BusKind) throws {
        follower = SessionFollower(bus)
        guard let first = follower.next(within: Self.timeout) else {
            throw DaemonConnection.Unreachable(
                description: "the daemon does not report its state\n\(DaemonConnection.Unreachable.advice)")
        }
        if case .unavailable(let reason) = first {
            throw DaemonConnection.Unreachable(description: "\(reason)\n\(DaemonConnection.Unreachable.advice)")
        }
    }

    /// Waits until the announcement with this number has ended.
    func end(of id: Announcement.ID) -> End {
        while true {
            if let update = follower.next(), let end = Self.end(of: id, in: update) { return end }
        }
    }

    /// Returns the end of an announcement if an update contains it. Every announcement ends in exactly one of three
    /// ways: it has been played to its end, it has expired, or a hush has cut it. After any other cut it may be played
    /// again.
    static func end(of id: Announcement.ID, in update: SessionUpdate) -> End? {
        guard case .event(let event) = update else {
            if case .unavailable = update { return .gone }
            return nil
        }
        for notification in event.snapshot.notifications {
            switch notification {
            case .soundEnded(_, id: id): return .heard
            case .soundExpired(_, id: id): return .expired
            case .soundCut(_, id: id, because: .withdrawn): return .hushed
            default: continue
            }
        }
        return nil
    }
}
