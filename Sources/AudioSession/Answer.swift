/// What a command answers (Apple: `MPRemoteCommandHandlerStatus`).
public enum Answer: Hashable, Sendable {
    case success
    /// It is taken down, and is heard as soon as nothing blocks and the media services are there.
    case deferred
    case noActionableNowPlayingItem
    /// It cannot be done, for the reason given in words.
    case commandFailed(String)

    /// The answer without its reason, as traces and the command line print it.
    public var name: String {
        switch self {
        case .success: "success"
        case .deferred: "deferred"
        case .noActionableNowPlayingItem: "noActionableNowPlayingItem"
        case .commandFailed: "commandFailed"
        }
    }

    /// The answer of this name; that of a command that failed has no reason then.
    /// - Returns: nil where there is none of this name.
    public init?(name: String) {
        switch name {
        case "success": self = .success
        case "deferred": self = .deferred
        case "noActionableNowPlayingItem": self = .noActionableNowPlayingItem
        case "commandFailed": self = .commandFailed("")
        default: return nil
        }
    }
}
