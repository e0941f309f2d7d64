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

    /// The time for which a long press holds the button, unless the configuration specifies another one.
    public static let defaultLongPress = Duration.milliseconds(600)
    /// The longest time between the beginnings of the two presses of a double press.
    public static let doublePress = Duration.milliseconds(400)

    /// The kinds of presses. The raw values are the words in scenarios and in the journal.
    public enum Press: String, Hashable, Sendable, CaseIterable {
        case short = "press"
        case long, double
    }

    /// The name as in `[Button NAME]`. Each name is unique.
    public var name: String
    public var source: LevelSource
    public var linePolicy: LinePolicy
    /// The command of a short press.
    public var command: WrittenCommand
    /// The command of a long press, or nil if a press acts at once, however long it lasts.
    public var longCommand: WrittenCommand?
    /// The time for which a long press holds the button.
    public var longPress: Duration
    /// The command of a double press, or nil if a short press does not wait for a second one.
    public var doubleCommand: WrittenCommand?

    public init(
        name: String, source: LevelSource, linePolicy: LinePolicy = Button.defaultLine, command: WrittenCommand,
        longCommand: WrittenCommand? = nil, longPress: Duration = Button.defaultLongPress,
        doubleCommand: WrittenCommand? = nil
    ) {
        self.name = name
        self.source = source
        self.linePolicy = linePolicy
        self.command = command
        self.longCommand = longCommand
        self.longPress = longPress
        self.doubleCommand = doubleCommand
    }

    /// Returns the command of a kind of press, or nil if the button does not have one.
    public func command(of press: Press) -> WrittenCommand? {
        switch press {
        case .short: command
        case .long: longCommand
        case .double: doubleCommand
        }
    }

    /// The commands that the button can give.
    public var commands: [WrittenCommand] { Press.allCases.compactMap(command(of:)) }
}

/// The keys of a section `[Button NAME]`.
struct ButtonSettings: ReadSettings {
    static var keys: [Key<ButtonSettings>] { KeyTable.button }
    var command: WrittenCommand?
    var longCommand: WrittenCommand?
    var longPress = Button.defaultLongPress
    var doubleCommand: WrittenCommand?
    var line = Button.defaultLine
    var source = WrittenSource()
    var isEnabled = true

    /// The commands with their keys.
    var commands: [(key: String, command: WrittenCommand)] {
        [("Command", command), ("LongCommand", longCommand), ("DoubleCommand", doubleCommand)].compactMap {
            key, value in
            value.map { (key, $0) }
        }
    }
}
