/// How somebody names a line.
///
/// A chip is named by its path (`/dev/gpiochip0`, or a link to one), its name (`gpiochip0`) or its label
/// (`pinctrl-bcm2711`). Labels stay when numbers move.
public enum LineSelector: Hashable, Sendable, CustomStringConvertible {
    /// By the name the board gives it, on this chip or, if nil, on whichever chip has it.
    case named(String, chip: String?)
    /// By its number on a chip, from 0.
    case offset(Int, chip: String)

    public var chip: String? {
        switch self {
        case .named(_, let chip): chip
        case .offset(_, let chip): chip
        }
    }

    /// `line PHONE_CALL`, `line PHONE_CALL of gpiochip0`, `line 5 of gpiochip0`.
    public var description: String {
        switch self {
        case .named(let name, nil): "line \(name)"
        case .named(let name, let chip?): "line \(name) of \(chip)"
        case .offset(let offset, let chip): "line \(offset) of \(chip)"
        }
    }
}

/// A line that a `LineReader` is to read.
public struct WantedLine<ID: Hashable & Sendable>: Hashable, Sendable {
    /// What the caller calls it; each once.
    public var id: ID
    public var selector: LineSelector
    public var bias: LineBias
    /// By the kernel, where there is one (see `LineSetting`); nil: each edge.
    public var debounce: Duration?

    public init(_ id: ID, _ selector: LineSelector, bias: LineBias = .asIs, debounce: Duration? = nil) {
        self.id = id
        self.selector = selector
        self.bias = bias
        self.debounce = debounce
    }
}

/// A line that a selector means.
public struct FoundLine: Hashable, Sendable, CustomStringConvertible {
    public var chip: ChipInfo
    public var line: LineInfo

    public init(chip: ChipInfo, line: LineInfo) {
        self.chip = chip
        self.line = line
    }

    /// Whether both are the same wire, whatever else has changed about it.
    func isSameWire(as other: FoundLine) -> Bool { chip.path == other.chip.path && line.offset == other.line.offset }

    /// `PHONE_CALL (line 5 of gpiochip0)`, `line 5 of gpiochip0`.
    public var description: String {
        let place = "line \(line.offset) of \(chip.name)"
        return line.name.map { "\($0) (\(place))" } ?? place
    }
}
