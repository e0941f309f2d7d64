/// What a user asks for: from D-Bus, the command line or a button (Apple: `MPRemoteCommandCenter`).
public enum Command: Hashable, Sendable {
    case play, pause, playPause, stop, next, previous
    /// A position of the current track, from its start. `trackLength` says where it ends, if that is known.
    case seek(to: Duration, trackLength: Duration? = nil)
    case volume(Level)
}

extension Command {
    /// No track is this long, and whatever is computed from a position within it, either way, cannot overflow.
    public static let longestPosition = Duration.seconds(366 * 86_400)

    /// Those that a name says it all of, by their names.
    public static let plain: [String: Command] = Dictionary(
        uniqueKeysWithValues: [Command.play, .pause, .playPause, .stop, .next, .previous].map { ($0.description, $0) })
}

extension Command: CustomStringConvertible {
    /// As scenarios and the bus write it: `play`, `seek 12.5s`, `volume -6dB`, `volume mute`.
    public var description: String {
        switch self {
        case .play: "play"
        case .pause: "pause"
        case .playPause: "playPause"
        case .stop: "stop"
        case .next: "next"
        case .previous: "previous"
        case .seek(let position, _): "seek \(Seconds(position))s"
        case .volume(let level): "volume \(level == .mute ? "mute" : "\(level)dB")"
        }
    }
}

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
