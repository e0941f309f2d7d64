import GPIO
import Signals

/// The GPIO line of a signal, a button or an output.
public struct Wiring: Hashable, Sendable, CustomStringConvertible {
    public var line: LineSelector
    public var bias: LineBias

    public init(line: LineSelector, bias: LineBias = .asIs) {
        self.line = line
        self.bias = bias
    }

    /// `PHONE_CALL`, `PHONE_CALL on gpiochip0`, `line 5 of gpiochip0`.
    public var description: String {
        switch line {
        case .named(let name, nil): name
        case .named(let name, let chip?): "\(name) on \(chip)"
        case .offset(let offset, let chip): "line \(offset) of \(chip)"
        }
    }
}

extension Wiring {
    /// Whether both can be the same line. A name without a chip can be on any chip. A name and an offset never collide
    /// here, as only the board knows which name belongs to which offset.
    func collides(with other: Wiring) -> Bool {
        switch (line, other.line) {
        case (.named(let a, let chipA), .named(let b, let chipB)):
            guard let chipA, let chipB else { return a == b }
            return a == b && Wiring.bare(chipA) == Wiring.bare(chipB)
        case (.offset(let a, let chipA), .offset(let b, let chipB)):
            return a == b && Wiring.bare(chipA) == Wiring.bare(chipB)
        default:
            return false
        }
    }

    /// `/dev/gpiochip0` and `gpiochip0` are the same chip.
    private static func bare(_ chip: String) -> Substring {
        chip.hasPrefix("/dev/") ? chip.dropFirst("/dev/".count) : Substring(chip)
    }
}

/// The keys of a section that specify its line or another source, as written.
struct WiringSettings: Hashable, Sendable {
    var line: String?
    var chip: String?
    var offset: Int?
    var bias = LineBias.asIs
    var source: LevelSource.Kind?
    var input: String?
    var code: String?
    var isGrabbed = false
    var jack: String?
    var card: String?
    var call: CallState?
    var lease: Duration? = .seconds(30)
}

/// The settings of a section that has a line.
protocol WiredSettings: Sendable {
    var wiring: WiringSettings { get set }
    /// Whether the low level means asserted.
    var isActiveLow: Bool { get set }
    /// Whether this board has it; if not, the section is ignored.
    var isEnabled: Bool { get set }
}

/// The settings of a section that has a line to read: a signal's or a button's.
protocol ReadSettings: WiredSettings {
    var line: LinePolicy { get set }
}

extension ReadSettings {
    var isActiveLow: Bool {
        get { line.isActiveLow }
        set { line.isActiveLow = newValue }
    }
}
