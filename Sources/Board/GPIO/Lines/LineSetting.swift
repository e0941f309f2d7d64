import CGPIOD

/// How a line of a chip is to be requested.
public struct LineSetting: Hashable, Sendable {
    /// Its number on the chip, from 0.
    public var offset: Int
    public var bias: LineBias
    /// Levels shorter than this are kept back by the kernel, to whole microseconds, and what is not comes later by as
    /// much, with a time stamp to match. Nil: each edge. libgpiod 1 has none, and ignores it.
    public var debounce: Duration?

    public init(offset: Int, bias: LineBias = .asIs, debounce: Duration? = nil) {
        self.offset = offset
        self.bias = bias
        self.debounce = debounce
    }
}

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
