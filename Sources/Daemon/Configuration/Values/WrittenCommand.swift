import AudioSession
import Time

/// A command as people write it on the command line, on the bus, for a button and in a scenario, such as `play`,
/// `seek 1:30`, `seek +10s`, `volume -6dB` or `announce gong`. See `WrittenCommand.parse`.
public enum WrittenCommand: Hashable, Sendable {
    /// A command that does not depend on the present position or volume. The receiver numbers an announcement.
    case command(Command)
    /// Plays a track, folder or playlist, which the receiver finds in the library.
    case choose(ChoiceRequest)
    /// Moves the position by this time.
    case seek(by: Duration)
    /// Changes the volume by −60…60 dB, never 0.
    case changeVolume(decibels: Double)
    /// Changes the volume by −100…100 percent of the maximum, never 0. See `Level.amplitude`.
    case changeAmplitude(percent: Double)
}

extension WrittenCommand {
    /// True if the command changes the volume by a step.
    public var isVolumeStep: Bool {
        switch self {
        case .changeVolume, .changeAmplitude: true
        case .command, .choose, .seek: false
        }
    }

    /// Returns the session's command at the present volume and position, or nil for a choice, whose tracks must be found
    /// first.
    ///
    /// A relative seek follows MPRIS: a position before the start means the start, and one past the end means the next
    /// track.
    /// - Parameters:
    ///   - position: The present position, or nil if there is no track.
    ///   - trackLength: The length of the current track, or nil if it is unknown.
    public func sessionCommand(at volume: Level, position: Duration? = nil, trackLength: Duration? = nil) -> Command? {
        switch self {
        case .command(let command): return command
        case .choose: return nil
        case .seek(let offset):
            let limit = Command.longestPosition
            let target = (position ?? .zero) + min(max(offset, .zero - limit), limit)
            if let trackLength, target > trackLength { return .next }
            return .seek(to: max(.zero, target))
        case .changeVolume(let step):
            let range = Level.range
            let decibels = min(max(volume.decibels + step, range.lowerBound), range.upperBound)
            return .volume(Level(decibels: decibels) ?? volume)
        case .changeAmplitude(let percent): return .volume(Level(amplitude: volume.amplitude + percent / 100))
        }
    }
}

extension WrittenCommand: CustomStringConvertible {
    /// The text that `parse` reads, such as `playPause`, `seek +10.0s`, `volume +3dB` or `announce gong`.
    public var description: String {
        switch self {
        case .command(let command): command.description
        case .choose(let request): "play \(request)"
        case .seek(let offset): "seek \(offset < .zero ? "" : "+")\(Seconds(offset))s"
        case .changeVolume(let decibels): "volume \(decibels > 0 ? "+" : "")\(Level.number(decibels))dB"
        case .changeAmplitude(let percent): "volume \(percent > 0 ? "+" : "")\(Level.number(percent))%"
        }
    }
}
