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
}

extension LevelSource {
    public static func line(_ wiring: Wiring) -> LevelSource { LevelSource(wiring) }
}

extension Wiring: SourceKind {
    struct Keys: WrittenKeys {
        var line: String?
        var chip: String?
        var offset: Int?
        var bias = LineBias.asIs
    }

    static let name = "line"
    static let summary = "a GPIO line, which Line= specifies"
    static let location = ["Line", "Offset", "Chip"]
    static let servesButtons = true
    var ignored: [String] { [] }
    static let keys: [Key<Keys>] = [
        // The kernel limits line names to 31 bytes.
        Key(
            "Line", optional: \.line, .text(upTo: 31),
            """
            Specifies the GPIO line by the name that the board gives it. Use tacet lines to list the names. A line \
            that does not have a name needs Chip= and Offset= instead.
            """),
        Key(
            "Chip", optional: \.chip, .text(upTo: 255),
            """
            Specifies the GPIO chip by its label, such as pinctrl-rp1, which tacet lines lists. Its name, such as \
            gpiochip0, is also accepted, but an update of the kernel may change the number. With Offset=, this is the \
            chip that has the line. With Line=, this setting is only necessary if several chips have a line of that \
            name.
            """),
        Key(
            "Offset", optional: \.offset, .count(0...65_535),
            """
            Specifies the number of the line on Chip=, starting from 0. In a drop-in, also write Line= without a \
            value if the vendor file names a line.
            """),
        Key(
            "Bias", \.bias, .choice(),
            "Selects the resistor of the chip that holds the line while it is open. With as-is, it stays unchanged."),
    ]

    static func read<Settings: WiredSettings>(
        _ section: SectionDraft<Settings>, _ title: String, _ draft: inout Draft
    ) -> Wiring? {
        guard let place = section.places["Line"] ?? section.places["Offset"] ?? section.places["Chip"] else {
            return nil
        }
        let keys = section.settings.source[Wiring.self]
        switch (keys.line, keys.offset, keys.chip) {
        case (let name?, nil, let chip): return Wiring(line: .named(name, chip: chip), bias: keys.bias)
        case (nil, let offset?, let chip?): return Wiring(line: .offset(offset, chip: chip), bias: keys.bias)
        case (_?, _?, _):
            let other = section.places["Offset"].map { " and \($0)" } ?? ""
            draft.report(
                .error, place, "\(title) specifies its line twice: with Line= and with Offset= (\(place)\(other))",
                "remove one of them, or unset it in a drop-in with an empty Line= or Offset=")
        case (nil, _?, nil):
            if section.sets("Chip") { return nil }
            draft.report(
                .error, place, "\(title) has Offset= without Chip=",
                "write Chip= with the label of the chip that has this line, such as pinctrl-rp1")
        case (nil, nil, _):
            if section.sets("Line") || section.sets("Offset") { return nil }
            draft.report(.error, place, "\(title) has Chip= but no line", "add Line= or Offset=")
        }
        return nil
    }

    /// The name for people, such as `PHONE_CALL`, `PHONE_CALL on gpiochip0` or `line 5 of gpiochip0`.
    public var description: String {
        switch line {
        case .named(let name, nil): name
        case .named(let name, let chip?): "\(name) on \(chip)"
        case .offset(let offset, let chip): "line \(offset) of \(chip)"
        }
    }

    var noun: String { "line" }
    func details(_ level: String) -> String { "\(level), bias \(bias.rawValue)" }
    var lossAdvice: String { "is Line= right? see ‘tacet lines’" }
    var signalLossAdvice: String { "see ‘tacet lines’" }
    var stuckAdvice: String { "check its wire and contact" }

    /// Returns true if both may be the same line. A name without a chip may be on any chip. A name and an offset never
    /// collide here, because only the board can match a name with its offset.
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

    /// Returns the chip's name without its folder, because `/dev/gpiochip0` and `gpiochip0` are the same chip.
    private static func bare(_ chip: String) -> Substring {
        chip.hasPrefix("/dev/") ? chip.dropFirst("/dev/".count) : Substring(chip)
    }
}

extension Wiring {
    /// Returns advice for a technician about a line that cannot be found, in terms of a section's keys.
    public static func advice(_ miss: LineMiss) -> String? {
        switch miss {
        case .unnamed(let name, let model): return Overlay.advice(for: name, on: model)
        case .ambiguous(let found):
            let labels = Set(found.map(\.chip.label))
            let names = Set(found.map(\.chip.name))
            if names.count == 1 { return "specify Offset= instead of the name" }
            if labels.count == found.count { return "specify Chip=, preferably by label" }
            return labels.count > 1
                ? "specify Chip= and, if that is not enough, Offset="
                : "specify Chip=\(found[0].chip.name) or one of the others"
        }
    }
}

extension LineBias: DocumentedValue {}
