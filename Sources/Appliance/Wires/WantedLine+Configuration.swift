import Configuration
import GPIO

extension WantedLine {
    /// As configured. The kernel does not debounce: the software does, and a chattering line is to be seen.
    init(_ id: ID, _ wiring: Wiring) {
        let selector: LineSelector =
            switch wiring.line {
            case .named(let name, let chip): .named(name, chip: chip)
            case .offset(let offset, let chip): .offset(offset, chip: chip)
            }
        self.init(id, selector, bias: LineBias(wiring.bias))
    }
}

extension LineBias {
    fileprivate init(_ bias: Wiring.Bias) {
        self =
            switch bias {
            case .asIs: .asIs
            case .disabled: .disabled
            case .pullUp: .pullUp
            case .pullDown: .pullDown
            }
    }
}
