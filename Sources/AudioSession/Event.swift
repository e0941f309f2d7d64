/// Everything that can happen to a session.
public enum Event: Hashable, Sendable {
    /// The supervisor starts. Always the first event, and only the first.
    case boot(Boot)
    /// A signal, after conditioning. See `AudioSession.handle(_:at:)` for edges that were read together.
    case edge(Edge)
    case fault(Fault)
    case cleared(Fault)
    case command(Command)
    /// The sound device or its server is gone, and is back.
    case mediaServicesLost
    case mediaServicesReset
    /// Rate, channels or format of the device changed under us.
    case configurationChanged
    /// A jack or device that was playing was unplugged, and another is used in its place.
    case routeLost
    /// The programme went on to a track by itself: the one before it ended, or could not be read.
    case trackBegan(Int)
    /// The last track ended, and nothing repeats.
    case programmeEnded
    /// There are this many tracks to choose from now; 0 when none can be read.
    case tracksAvailable(Int)
}
