import AudioSession
import Signals

/// A button or key on a GPIO line that gives a command when it is pressed.
public struct Button: Hashable, Sendable {
    /// What a button can ask for.
    public enum Command: Hashable, Sendable, CustomStringConvertible {
        case play, pause, playPause, stop, next, previous
        /// Turns the programme up (above 0) or down (below 0); never 0, −60…60.
        case changeVolume(decibels: Double)

        /// Those that a name says it all of.
        public static let plain: [Command] = [.play, .pause, .playPause, .stop, .next, .previous]

        /// As the configuration writes it: `playPause`, `volume +3dB`.
        public var description: String {
            guard case .changeVolume(let decibels) = self else { return asked(at: .full).description }
            return "volume \(decibels > 0 ? "+" : "")\(Level.number(decibels))dB"
        }
    }

    /// A button that is pressed in quick succession bounces each time: it needs a higher limit than a signal.
    public static let usualLine: LinePolicy = {
        var line = LinePolicy()
        line.chatterLimit = 40
        return line
    }()

    /// As in `[Button NAME]`; each name once.
    public var name: String
    public var wiring: Wiring
    public var linePolicy: LinePolicy
    public var command: Command

    public init(name: String, wiring: Wiring, linePolicy: LinePolicy = Button.usualLine, command: Command) {
        self.name = name
        self.wiring = wiring
        self.linePolicy = linePolicy
        self.command = command
    }
}

extension Button.Command {
    /// What it asks of a session whose volume is this.
    public func asked(at volume: Level) -> Command {
        switch self {
        case .play: .play
        case .pause: .pause
        case .playPause: .playPause
        case .stop: .stop
        case .next: .next
        case .previous: .previous
        case .changeVolume(let decibels):
            .volume(
                Level(
                    decibels: min(max(volume.decibels + decibels, Level.range.lowerBound), Level.range.upperBound))
                    ?? volume)
        }
    }
}

/// A section `[Button NAME]`, key by key.
struct ButtonSettings: WiredSettings, Hashable {
    var command: Button.Command?
    var line = Button.usualLine
    var wiring = WiringSettings()
    var isEnabled = true
}
