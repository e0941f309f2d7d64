/// What changed nothing, but belongs in the journal.
public enum Remark: Hashable, Sendable, CustomStringConvertible {
    case suppressed(SignalID)
    case endWithoutBegin(SignalID)
    case lateEnd(SignalID)
    case unknownSignal(SignalID)
    case resetWithoutLoss
    case routeBackWithoutLoss

    public var description: String {
        switch self {
        case .suppressed(let signal): "\(signal) is suppressed: a system alert, and the session prefers none"
        case .endWithoutBegin(let signal): "\(signal) ended, but was not in force"
        case .lateEnd(let signal): "\(signal) ended late: its effect had been dropped or suppressed"
        case .unknownSignal(let signal): "\(signal) is no signal of this session"
        case .resetWithoutLoss: "the media services were reset, but had not been lost"
        case .routeBackWithoutLoss: "the preferred device returned, but was in use already"
        }
    }
}
