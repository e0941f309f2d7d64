/// Everything that can happen to a session.
public enum Event: Hashable, Sendable {
    /// The program starts. This must be the first event, and only the first.
    case boot(Boot)
    /// A signal changed, after conditioning. Pass edges that were read together as `edges`.
    case edge(Edge)
    /// Signals whose levels were read together, as one event: for each signal only the last level counts, and begins are
    /// applied before ends.
    case edges([Edge])
    /// The system woke from sleep, and these signals have changed meanwhile. What happened to the audio devices and the
    /// route are events of their own; others among them change nothing. An episode that begins has the reason
    /// `appWasSuspended`.
    indirect case awoke([Edge], devices: [Event] = [])
    /// A `ResumeDelay` has elapsed: send this when `Session.deadline` is due, with the result of `Session.elapsed(by:)`.
    /// Changes nothing if no such delay runs.
    case delayElapsed(DelayedEnd)
    /// A signal has become faulty.
    case fault(Fault)
    /// A fault has cleared.
    case cleared(Fault)
    /// A user's command. The actions include its answer.
    case command(Command)
    /// The audio device or its server has disappeared.
    case mediaServicesLost
    /// The audio device or its server has returned.
    case mediaServicesReset
    /// The device's rate, channels or format have changed.
    case configurationChanged
    /// The capture device has disappeared, or returned. Neither affects playback.
    case captureLost, captureReturned
    /// The jack or device in use was unplugged, and another device replaced it.
    case routeLost
    /// A device earlier in the order of preference has returned and is used again.
    case routeBack
    /// The first device that could be opened, or its jack, is not the preferred one. Nothing is notified before it returns.
    case routeFound
    /// The player continued with this track (numbered from 0), because the previous one ended or could not be read.
    case trackBegan(Int)
    /// The last track ended, and nothing repeats.
    case playbackEnded
    /// The number of tracks has changed; 0 if none can be read.
    case tracksAvailable(Int)
    /// The due sound was heard to its end. Not for a sound that an order replaced or stopped meanwhile.
    case soundEnded
    /// The due sound ended before its last frame, because its file cannot be read any further. It is not repeated.
    case soundBroken
    /// The announcement that expires next has expired: send this while `Session.expiredAnnouncement(by:)` names one.
    case announcementExpired
    /// Whether a sound's file can be read has changed, or is known for the first time; until then it counts as readable.
    case soundReadable(SoundID, Bool)
}

extension Event: CustomStringConvertible {
    /// The event in a trace, and in a scenario if scenarios have it: `assert phone-call`, `device lost`, `command pause`.
    public var description: String {
        switch self {
        case .boot: "boot"
        case .edge(let edge): "\(edge)"
        case .edges(let edges): edges.map(\.description).joined(separator: ", ")
        case .awoke: "awake"
        case .delayElapsed(let end): "\(end.rawValue) ended"
        case .fault(let fault): "fault \(fault.name) \(fault.kind.rawValue)"
        case .cleared(let fault): "cleared \(fault.name) \(fault.kind.rawValue)"
        case .command(let command): "command \(command)"
        case .mediaServicesLost: "device lost"
        case .mediaServicesReset: "device reset"
        case .configurationChanged: "configuration"
        case .captureLost: "capture lost"
        case .captureReturned: "capture back"
        case .routeLost: "route lost"
        case .routeBack: "route back"
        case .routeFound: "route found"
        case .trackBegan: "track ended"
        case .playbackEnded: "playlist ended"
        case .tracksAvailable(let count): count > 0 ? "tracks found" : "tracks gone"
        case .soundEnded: "sound ended"
        case .soundBroken: "sound broken off"
        case .announcementExpired: "sound expired"
        case .soundReadable(let sound, let isReadable):
            "\(isReadable ? Event.cleared(Fault(sound: sound)) : .fault(Fault(sound: sound)))"
        }
    }
}

/// A signal that became asserted or deasserted, after conditioning.
public struct Edge: Hashable, Sendable {
    public var signal: SignalID
    public var isAsserted: Bool

    public init(_ signal: SignalID, asserted: Bool) {
        self.signal = signal
        isAsserted = asserted
    }

    /// Edges read together, in the order in which they apply: begins before ends, then by name, so that the outcome does
    /// not depend on the order of reading. If a signal has several edges, only the last one counts.
    public static func inOrder(_ edges: some Sequence<Edge>) -> [Edge] {
        let last = Dictionary(edges.map { ($0.signal, $0) }) { _, later in later }
        return last.values.sorted { a, b in
            a.isAsserted != b.isAsserted ? a.isAsserted : a.signal < b.signal
        }
    }
}

extension Edge: CustomStringConvertible {
    public var description: String { "\(isAsserted ? "assert" : "deassert") \(signal)" }
}
