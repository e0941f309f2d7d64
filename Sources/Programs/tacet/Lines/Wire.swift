import Configuration
import GPIO

/// A signal, button or output of the configuration, and the line that it is wired to.
struct Wire {
    /// `signal phone-call`, `button play-pause`, `output amplifier`.
    let title: String
    let selector: LineSelector
    let isActiveLow: Bool
    var bias = LineBias.asIs

    /// The heading of its section, without brackets: `Signal phone-call`.
    var section: String { title.prefix(1).uppercased() + title.dropFirst() }

    /// All wires of a configuration: its signals, then its buttons, then its outputs.
    static func all(of configuration: Configuration) -> [Wire] {
        let signals = configuration.session.signals.compactMap { signal in
            configuration.sources[signal.id]?.wiring.map { wiring in
                Wire(
                    title: "signal \(signal.id)", selector: LineSelector(wiring.line),
                    isActiveLow: configuration.lines[signal.id]?.isActiveLow ?? false, bias: LineBias(wiring.bias))
            }
        }
        let buttons = configuration.buttons.compactMap { button in
            button.source.wiring.map { wiring in
                Wire(
                    title: "button \(button.name)", selector: LineSelector(wiring.line),
                    isActiveLow: button.linePolicy.isActiveLow, bias: LineBias(wiring.bias))
            }
        }
        let outputs = configuration.outputs.compactMap { output in
            output.wiring.map { wiring in
                Wire(
                    title: "output \(output.policy.id)", selector: LineSelector(wiring.line),
                    isActiveLow: output.isActiveLow, bias: LineBias(wiring.bias))
            }
        }
        return signals + buttons + outputs
    }
}

extension LineSelector {
    init(_ line: Wiring.Line) {
        switch line {
        case .named(let name, let chip): self = .named(name, chip: chip)
        case .offset(let offset, let chip): self = .offset(offset, chip: chip)
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
