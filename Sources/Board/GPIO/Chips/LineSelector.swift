import Signals

/// Identifies a line by name or number.
///
/// A chip is specified by its path (`/dev/gpiochip0`, or a link to one), its name (`gpiochip0`) or its label
/// (`pinctrl-bcm2711`). Labels stay the same when the kernel numbers the chips differently.
public enum LineSelector: Hashable, Sendable, CustomStringConvertible {
    /// The name of a line on this chip or, if `chip` is nil, on any chip.
    case named(String, chip: String?)
    /// The number of the line on a chip, counted from 0.
    case offset(Int, chip: String)

    public var chip: String? {
        switch self {
        case .named(_, let chip): chip
        case .offset(_, let chip): chip
        }
    }

    /// The text of the selector, such as `line PHONE_CALL`, `line PHONE_CALL of gpiochip0` or `line 5 of gpiochip0`.
    public var description: String {
        switch self {
        case .named(let name, nil): "line \(name)"
        case .named(let name, let chip?): "line \(name) of \(chip)"
        case .offset(let offset, let chip): "line \(offset) of \(chip)"
        }
    }
}

/// A line for a `LineReader` to read.
public struct WantedLine<ID: Hashable & Sendable>: Hashable, Sendable {
    /// The identifier that the caller uses. It is unique within a reader.
    public var id: ID
    public var selector: LineSelector
    public var bias: LineBias
    /// The time between two readings if the chip cannot report edges.
    public var poll: Duration

    public init(
        _ id: ID, _ selector: LineSelector, bias: LineBias = .asIs, poll: Duration = LinePolicy.defaultPoll
    ) {
        self.id = id
        self.selector = selector
        self.bias = bias
        self.poll = poll
    }
}

/// The line that a selector identifies.
public struct FoundLine: Hashable, Sendable, CustomStringConvertible {
    public var chip: ChipInfo
    public var line: LineInfo

    public init(chip: ChipInfo, line: LineInfo) {
        self.chip = chip
        self.line = line
    }

    /// Returns true if both are the same physical line, even if its other properties have changed.
    func isSameWire(as other: FoundLine) -> Bool { chip.path == other.chip.path && line.offset == other.line.offset }

    /// The location of the line, such as `line PHONE_CALL, gpiochip0 5` or `gpiochip0 5`.
    public var place: String { (line.name.map { "line \($0), " } ?? "") + "\(chip.name) \(line.offset)" }

    /// The text of the line, such as `PHONE_CALL (line 5 of gpiochip0)` or `line 5 of gpiochip0`.
    public var description: String {
        let place = "line \(line.offset) of \(chip.name)"
        return line.name.map { "\($0) (\(place))" } ?? place
    }
}
