import CGPIOD

/// The resistor that holds a line that nothing drives; in the words of libgpiod's tools.
public enum LineBias: String, Hashable, Sendable, CaseIterable {
    /// Of a request: leave it as it is. Of a line: nobody knows.
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
