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
            configuration.sources[signal.id]?.as(Wiring.self).map { wiring in
                Wire(
                    title: "signal \(signal.id)", selector: wiring.line,
                    isActiveLow: configuration.lines[signal.id]?.isActiveLow ?? false, bias: wiring.bias)
            }
        }
        let buttons = configuration.buttons.compactMap { button in
            button.source.as(Wiring.self).map { wiring in
                Wire(
                    title: "button \(button.name)", selector: wiring.line,
                    isActiveLow: button.linePolicy.isActiveLow, bias: wiring.bias)
            }
        }
        let outputs = configuration.outputs.compactMap { output in
            output.wiring.map { wiring in
                Wire(
                    title: "output \(output.policy.id)", selector: wiring.line,
                    isActiveLow: output.isActiveLow, bias: wiring.bias)
            }
        }
        return signals + buttons + outputs
    }
}
