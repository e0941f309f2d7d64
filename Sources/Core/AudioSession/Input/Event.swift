/// Everything that can happen to a session.
public enum Event: Hashable, Sendable {
    /// The supervisor starts. Always the first event, and only the first.
    case boot(Boot)
    /// A signal, after conditioning. See `Session.handle(_:at:)` for edges that were read together.
    case edge(Edge)
    /// Signals whose levels were read together, as one event: for each signal the last level counts, and begins come
    /// before ends.
    case edges([Edge])
    /// The system was asleep, and these are the signals that changed meanwhile. An episode that begins with them has the
    /// reason `appWasSuspended`.
    case awoke([Edge])
    /// `Session.deadline` has passed, and this is over. Ignored unless it was running.
    case delayElapsed(DelayedEnd)
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
    /// A device earlier in the order of preference has returned and is used again.
    case routeBack
    /// The programme went on to a track by itself: the one before it ended, or could not be read.
    case trackBegan(Int)
    /// The last track ended, and nothing repeats.
    case programmeEnded
    /// There are this many tracks to choose from now; 0 when none can be read.
    case tracksAvailable(Int)
}

/// A signal that became asserted or deasserted, after conditioning.
public struct Edge: Hashable, Sendable {
    public var signal: SignalID
    public var isAsserted: Bool

    public init(_ signal: SignalID, asserted: Bool) {
        self.signal = signal
        isAsserted = asserted
    }

    /// Edges that were read together, in the one order in which they count: begins before ends, then by name, so
    /// that the outcome does not depend on the order of reading. Of several edges of one signal only the last counts.
    public static func inOrder(_ edges: some Sequence<Edge>) -> [Edge] {
        let last = Dictionary(edges.map { ($0.signal, $0) }) { _, later in later }
        return last.values.sorted { a, b in
            a.isAsserted != b.isAsserted ? a.isAsserted : a.signal < b.signal
        }
    }
}
