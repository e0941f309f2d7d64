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
