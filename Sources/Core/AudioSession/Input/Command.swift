import Time

/// A user's command, which comes from D-Bus, the command line or a button (Apple: `MPRemoteCommandCenter`). See
/// <doc:Semantics#Commands>.
public enum Command: Hashable, Sendable {
    case play, pause, playPause, stop, next, previous
    /// Plays these tracks in place of the library's list.
    case choose(Choice)
    /// Plays the track with this number, which is one of the list that is played, from its start.
    case goTo(track: Int)
    /// Moves to a position in the current track. `trackLength` is the length of the track, or nil if it is unknown.
    case seek(to: Duration, trackLength: Duration? = nil)
    /// Sets the music's level, or the policy's maximum if the level is above it.
    case volume(Level)
    /// Plays a sound once.
    case announce(Announcement)
    /// Withdraws all announcements.
    case hush
    /// Starts or stops recording from the microphone.
    case record, stopRecording
}

extension Command {
    /// The limit for positive and negative positions, which is one year. No track is that long, and arithmetic on such
    /// positions cannot overflow.
    public static let longestPosition = Duration.seconds(366 * 86_400)

    /// The commands without an argument.
    public static let plain: [Command] = [
        .play, .pause, .playPause, .stop, .next, .previous, .hush, .record, .stopRecording,
    ]

    /// Creates the command that has this name and no argument.
    /// - Returns: nil if no such command exists.
    public init?(plain name: String) {
        guard let command = Self.plain.first(where: { $0.description == name }) else { return nil }
        self = command
    }
}

extension Command: CustomStringConvertible {
    /// The text of the command in a scenario and on the bus, such as `play`, `seek 12.5s`, `volume -6dB`, `volume mute`
    /// or `announce gong`. A position before the start is written as the start, because a sign would make it relative.
    public var description: String {
        switch self {
        case .play: "play"
        case .choose(let choice): "play \(choice.request)"
        // The number has a meaning only in the process that numbered the tracks.
        case .goTo: "goTo"
        case .pause: "pause"
        case .playPause: "playPause"
        case .stop: "stop"
        case .next: "next"
        case .previous: "previous"
        case .seek(let position, _): "seek \(Seconds(max(position, .zero)))s"
        case .volume(let level): "volume \(level == .mute ? "mute" : "\(level)dB")"
        case .announce(let announcement): "announce \(announcement.sound)"
        case .hush: "hush"
        case .record: "record"
        case .stopRecording: "stopRecording"
        }
    }
}

/// The answer to a command (Apple: `MPRemoteCommandHandlerStatus`). See <doc:Semantics#Commands>.
public enum Answer: Hashable, Sendable {
    /// The command has been executed.
    case success
    /// The intent has changed, but playing or recording must wait until nothing blocks it and the device is available.
    case deferred
    /// There is no track, playback is stopped, or recording is not wanted.
    case noActionableNowPlayingItem
    /// There is no such sound, or its file cannot be read.
    case noSuchContent
    /// The command cannot be executed, for this reason.
    case commandFailed(String)

    /// The answer without its reason, for traces and the command line.
    public var name: String {
        switch self {
        case .success: "success"
        case .deferred: "deferred"
        case .noActionableNowPlayingItem: "noActionableNowPlayingItem"
        case .noSuchContent: "noSuchContent"
        case .commandFailed: "commandFailed"
        }
    }

    /// Creates the answer with this name. `commandFailed` gets an empty reason.
    ///
    /// - Returns: nil if no answer has this name.
    public init?(name: String) {
        switch name {
        case "success": self = .success
        case "deferred": self = .deferred
        case "noActionableNowPlayingItem": self = .noActionableNowPlayingItem
        case "noSuchContent": self = .noSuchContent
        case "commandFailed": self = .commandFailed("")
        default: return nil
        }
    }
}
