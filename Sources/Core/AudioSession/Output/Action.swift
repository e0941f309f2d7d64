/// What is to be done after an event, in this order.
public enum Action: Hashable, Sendable {
    /// Make a track the current one, at its start. Whether it sounds is the directive's business.
    case load(track: Int, direction: Direction)
    /// Go to a position of the current track.
    case seek(Duration)
    /// Throw every playback object away: the device is gone.
    case tearDown
    /// Throw every playback object away and make them anew for what the device is now.
    case rebuild
    /// Make it so. With `rewinding`, the programme was stopped by an interruption, a lost device or a boot, and goes
    /// on a little earlier (`ResumeRewind`).
    case apply(Directive, rewinding: Bool)
    case setVolume(Level)
    case muteMicrophone(Bool)
    /// Save the state; `urgently`: ahead of everything else.
    case save(urgently: Bool)
    case post(SessionNotification)
    case log(Remark)
    case answer(Answer)

    /// Where to look for another track when the one asked for cannot be read.
    public enum Direction: Hashable, Sendable { case forwards, backwards }
}

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
