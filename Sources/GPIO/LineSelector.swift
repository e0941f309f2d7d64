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
