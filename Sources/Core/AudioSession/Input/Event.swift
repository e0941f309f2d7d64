/// Something that can happen to a session.
public enum Event: Hashable, Sendable {
    /// The program has started. This must be the first event, and must not occur again.
    case boot(Boot)
    /// A signal has changed, after conditioning. Pass edges that were read together as `edges`.
    case edge(Edge)
    /// Signals whose levels were read together, as one event. Only the last level of each signal is used, and
    /// assertions are applied before deassertions.
    case edges([Edge])
    /// The system has woken from sleep, and these signals changed while it was asleep. `devices` contains the separate
    /// events of the audio devices and the route. Any other event in it has no effect. An episode that begins has the
    /// reason `appWasSuspended`.
    indirect case awoke([Edge], devices: [Event] = [])
    /// A `ResumeDelay` has elapsed. Send this at `Session.deadline`, with the result of `Session.elapsed(by:)`. It has
    /// no effect if no such delay is running.
    case delayElapsed(DelayedEnd)
    /// A signal has become faulty.
    case fault(Fault)
    /// A fault has cleared.
    case cleared(Fault)
    /// A user has sent a command. The actions include the answer.
    case command(Command)
    /// The audio device or its server has disappeared.
    case mediaServicesLost
    /// The audio device or its server has returned.
    case mediaServicesReset
    /// The device's rate, channels or format have changed.
    case configurationChanged
    /// The capture device has disappeared or returned. Neither affects playback.
    case captureLost, captureReturned
    /// The jack or device in use has been unplugged, and another device has replaced it.
    case routeLost
    /// A device earlier in the order of preference has returned and is used again.
    case routeBack
    /// The first device that could be opened, or its jack, is not the preferred one. No notification is posted before
    /// the preferred one returns.
    case routeFound
    /// The player has continued with this track (numbered from 0), because the previous one ended or could not be read.
    case trackBegan(Int)
    /// The last track has ended, and nothing repeats.
    case playbackEnded
    /// The last track of the choice has ended, and the choice does not repeat.
    case choiceEnded
    /// No track of the choice can be played any more.
    case choiceLost
    /// The number of tracks has changed. It is 0 if none can be read.
    case tracksAvailable(Int)
    /// The due sound has played to its end. Do not send this for a sound that an order has already replaced or stopped.
    case soundEnded
    /// The due sound has ended before its last frame, because the rest of its file cannot be read. The sound is not
    /// repeated.
    case soundBroken
    /// The announcement that expires next has expired. Send this while `Session.expiredAnnouncement(by:)` returns a
    /// sound.
    case announcementExpired
    /// A sound's file has become readable or unreadable, or its state is known for the first time. Until then, the file
    /// is assumed to be readable.
    case soundReadable(SoundID, Bool)
    /// An input has begun to sound, or has ceased.
    case inputBegan(InputID), inputCeased(InputID)
    /// There has been no command for so long that these tracks are chosen as by a command.
    case idle(Choice)
    /// A player has reported this on its own, and not because of an order.
    case player(PlayerID, PlayerReport)
    /// A player was found in this state without having changed on its own. This is the state in which it is when it
    /// can be reached again, or the outcome of an order.
    case playerFound(PlayerID, PlayerReport)
}

extension Event: CustomStringConvertible {
    /// The text of the event in a trace and, if scenarios support the event, in a scenario, such as
    /// `assert phone-call`, `device lost` or `command pause`.
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
        case .choiceEnded: "track ended"
        case .choiceLost: "choice lost"
        case .tracksAvailable(let count): count > 0 ? "tracks found" : "tracks gone"
        case .soundEnded: "sound ended"
        case .soundBroken: "sound broken off"
        case .announcementExpired: "sound expired"
        case .soundReadable(let sound, let isReadable):
            "\(isReadable ? Event.cleared(Fault(sound: sound)) : .fault(Fault(sound: sound)))"
        case .idle: "idle"
        case .inputBegan(let input): "sounds \(input)"
        case .inputCeased(let input): "silent \(input)"
        case .player(let player, let report): "player \(player) \(report.rawValue)"
        case .playerFound(let player, let report): "player \(player) found \(report.rawValue)"
        }
    }
}

/// A signal that has become asserted or deasserted, after conditioning.
public struct Edge: Hashable, Sendable {
    public var signal: SignalID
    public var isAsserted: Bool

    public init(_ signal: SignalID, asserted: Bool) {
        self.signal = signal
        isAsserted = asserted
    }

    /// Returns edges that were read together in the order in which they apply. Assertions come before deassertions, and
    /// both are sorted by name, so that the outcome does not depend on the order of reading. If a signal has several
    /// edges, only the last one is returned.
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
