import Configuration
import GPIO
import Spelling

/// A signal, button or output of the configuration, and the line that it is wired to.
struct Wire {
    /// The title, such as `signal phone-call`, `button play-pause` or `output amplifier`.
    let title: String
    /// The heading of its section without brackets, such as `Signal phone-call`.
    let section: String
    let selector: LineSelector
    let isActiveLow: Bool
    var bias = LineBias.asIs

    /// Returns all wires of a configuration: its signals, then its buttons, then its outputs.
    static func all(of configuration: Configuration) -> [Wire] {
        let read = configuration.wires.compactMap { id, source, policy in
            source.as(Wiring.self).map { Wire(id.title, id.section, $0, isActiveLow: policy.isActiveLow) }
        }
        let driven = configuration.outputs.compactMap { output in
            output.wiring.map {
                Wire(
                    "output \(output.policy.id)", "Output \(output.policy.id)", $0, isActiveLow: output.isActiveLow)
            }
        }
        return read + driven
    }
}

extension Wire {
    private init(_ title: String, _ section: String, _ wiring: Wiring, isActiveLow: Bool) {
        self.init(title: title, section: section, selector: wiring.line, isActiveLow: isActiveLow, bias: wiring.bias)
    }
}
