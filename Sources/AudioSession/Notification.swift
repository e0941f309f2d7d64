/// What the session tells those who observe it.
///
/// There is no promise that a begin is followed by an end (the power may go): nothing may wait for one.
public enum Notification: Hashable, Sendable {
    /// An episode has begun: playback has been told to stop.
    case began(InterruptionReason)
    /// The last blocking interruption of an episode is over.
    case ended(InterruptionOptions)
    /// The lowest ducking level in force, whether or not anything plays. Ducking is no interruption.
    case duckBegan(Level)
    case duckChanged(Level)
    case duckEnded
    /// The sound device or its server is gone. Commands still change the intent.
    case mediaServicesWereLost
    /// It is back, and every playback object was made anew.
    case mediaServicesWereReset
    /// Rate, channels or format of the device changed: the graph was rebuilt.
    case configurationChanged
    case routeChanged(RouteChangeReason)
}

extension Notification: CustomStringConvertible {
    /// As traces and the journal write it: `began(default)`, `ended(shouldResume)`, `ended()`, `duckBegan(-14)`.
    public var description: String {
        switch self {
        case .began(let reason): "began(\(reason.rawValue))"
        case .ended(let options): options.contains(.shouldResume) ? "ended(shouldResume)" : "ended()"
        case .duckBegan(let level): "duckBegan(\(level))"
        case .duckChanged(let level): "duckChanged(\(level))"
        case .duckEnded: "duckEnded"
        case .mediaServicesWereLost: "mediaServicesWereLost"
        case .mediaServicesWereReset: "mediaServicesWereReset"
        case .configurationChanged: "configurationChanged"
        case .routeChanged(let reason): "routeChanged(\(reason.rawValue))"
        }
    }
}
