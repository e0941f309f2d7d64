import Signals

/// A button on a GPIO line, or a key of an input device, that sends a command when it is pressed.
public struct Button: Hashable, Sendable {
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
    /// An announcement has its sound's own priority and `Expire`.
    public var command: WrittenCommand

    public init(name: String, source: LevelSource, linePolicy: LinePolicy = Button.defaultLine, command: WrittenCommand)
    {
        self.name = name
        self.source = source
        self.linePolicy = linePolicy
        self.command = command
    }
}

/// The keys of a section `[Button NAME]`.
struct ButtonSettings: ReadSettings {
    var command: WrittenCommand?
    var line = Button.defaultLine
    var source = WrittenSource()
    var isEnabled = true
}
