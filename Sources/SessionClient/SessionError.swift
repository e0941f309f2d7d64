import Systemd

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
