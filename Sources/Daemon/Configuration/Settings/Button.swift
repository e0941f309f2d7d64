import AudioSession
import Signals

/// A button on a GPIO line, or a key of an input device, that sends a command when it is pressed.
public struct Button: Hashable, Sendable {
    /// An action of a button.
    public enum Action: Hashable, Sendable, CustomStringConvertible {
        /// Sends a command without an argument, or requests a sound with its own priority and `Expire`.
        case command(Command)
        /// Changes the volume by −60…60 dB, never 0.
        case changeVolume(decibels: Double)

        /// The action as written in the configuration, such as `playPause`, `volume +3dB` or `announce gong`.
        public var description: String {
            switch self {
            case .command(let command): command.description
            case .changeVolume(let decibels): "volume \(decibels > 0 ? "+" : "")\(Level.number(decibels))dB"
            }
        }
    }

    /// The default policy. Its chatter limit is higher than a signal's, because a button that is pressed in quick
    /// succession bounces each time.
    public static let defaultLine: LinePolicy = {
        var line = LinePolicy()
        line.chatterLimit = 40
        return line
    }()

    /// The name as in `[Button NAME]`. Each name is unique.
    public var name: String
    public var source: LevelSource
    public var linePolicy: LinePolicy
    public var command: Action

    public init(name: String, source: LevelSource, linePolicy: LinePolicy = Button.defaultLine, command: Action) {
        self.name = name
        self.source = source
        self.linePolicy = linePolicy
        self.command = command
    }
}

extension Button.Action {
    /// Returns the session's command for this button at the current volume. The receiver numbers an announcement.
    public func sessionCommand(at volume: Level) -> Command {
        switch self {
        case .command(let command): command
        case .changeVolume(let decibels):
            .volume(
                Level(
                    decibels: min(max(volume.decibels + decibels, Level.range.lowerBound), Level.range.upperBound))
                    ?? volume)
        }
    }
}

/// The keys of a section `[Button NAME]`.
struct ButtonSettings: ReadSettings {
    var command: Button.Action?
    var line = Button.defaultLine
    var source = WrittenSource()
    var isEnabled = true
}
