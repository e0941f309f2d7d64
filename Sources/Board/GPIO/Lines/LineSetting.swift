import CGPIOD

/// The settings with which a line of a chip is requested as an input.
public struct LineSetting: Hashable, Sendable {
    /// The number of the line on the chip, counted from 0.
    public var offset: Int
    public var bias: LineBias

    public init(offset: Int, bias: LineBias = .asIs) {
        self.offset = offset
        self.bias = bias
    }
}

/// The pull resistor that defines the level of an undriven line. The raw values are the ones that libgpiod's tools use.
public enum LineBias: String, Hashable, Sendable, CaseIterable {
    /// In a request, this leaves the bias unchanged. In a `LineInfo`, it means that the bias is unknown.
    case asIs = "as-is"
    case disabled
    case pullUp = "pull-up"
    case pullDown = "pull-down"

    init(code: Int32) {
        switch code {
        case CGPIOD_BIAS_DISABLED: self = .disabled
        case CGPIOD_BIAS_PULL_UP: self = .pullUp
        case CGPIOD_BIAS_PULL_DOWN: self = .pullDown
        default: self = .asIs
        }
    }

    var code: Int32 {
        switch self {
        case .asIs: CGPIOD_BIAS_UNKNOWN
        case .disabled: CGPIOD_BIAS_DISABLED
        case .pullUp: CGPIOD_BIAS_PULL_UP
        case .pullDown: CGPIOD_BIAS_PULL_DOWN
        }
    }
}
