import AudioSession
import Configuration
import GPIO

extension WantedLine {
    /// As configured. Tacet debounces, not the kernel: for most chips the kernel debounces with its timer ticks, which
    /// would delay every edge and its time stamp by up to 10 ms, and hide a chattering contact.
    init(_ id: ID, _ wiring: Wiring) {
        self.init(id, LineSelector(wiring), bias: LineBias(wiring.bias))
    }
}

extension LineSelector {
    init(_ wiring: Wiring) {
        self =
            switch wiring.line {
            case .named(let name, let chip): .named(name, chip: chip)
            case .offset(let offset, let chip): .offset(offset, chip: chip)
            }
    }
}

extension LineBias {
    init(_ bias: Wiring.Bias) {
        self =
            switch bias {
            case .asIs: .asIs
            case .disabled: .disabled
            case .pullUp: .pullUp
            case .pullDown: .pullDown
            }
    }
}

/// The use of a line.
enum WireID: Hashable, Sendable, CustomStringConvertible {
    case signal(SignalID)
    case button(String)

    var description: String {
        switch self {
        case .signal(let signal): "[Signal \(signal)]"
        case .button(let name): "[Button \(name)]"
        }
    }
}

/// A line that the daemon holds; other programs cannot read its level.
struct HeldLine: Hashable {
    /// `signal phone-call`, `button play`.
    let title: String
    /// The chip's path.
    let chip: String
    /// On the chip.
    let offset: Int
    /// Electrical: true is high.
    let level: Bool
}
