import AudioSession
import Playback
import Signals
import Vocabulary

/// What happened, and the session's reaction. When it is delivered, the supervisor has the resulting state.
public struct Report: Hashable, Sendable {
    public let time: Duration
    public let happening: Happening
    public var notifications: [SessionNotification] = []
    /// A command's answer.
    public var answer: Answer?
    public var remarks: [Remark] = []
    /// The signals that are no longer active, for any reason, including an end while the power was off.
    public var over = ActiveSignals()
    /// The signals that have become active, for any reason.
    public var begun = ActiveSignals()
    /// `tracksFound` or `tracksGone`, if a search completed during the event. A search that completes later has a
    /// report of its own.
    public var searchResult: Happening?
    /// The file that an announcement is heard with instead of its sound's own; nil for that.
    public var file: AnnouncedFile?
}

/// The file of an announcement.
public struct AnnouncedFile: Hashable, Sendable {
    public let path: String
    /// Why it is not heard; nil if the announcement has been requested.
    public let problem: String?

    public init(_ path: String, problem: String? = nil) {
        self.path = path
        self.problem = problem
    }
}

/// What a report is about.
public enum Happening: Hashable, Sendable, CustomStringConvertible {
    case boot
    /// Another configuration is active.
    case reloaded
    /// A program prefers, or no longer, that alerts do not interrupt.
    case preferenceChanged
    /// A line's raw level; nil if the line is lost.
    case line(SignalID, level: Bool?)
    case edge(Edge)
    case fault(Fault)
    case cleared(Fault)
    case command(Command)
    case deviceLost, deviceReset
    case captureLost, captureReturned
    case configurationChanged
    case routeLost, routeBack
    /// The route in use from the start is not the preferred one.
    case routeFound
    /// The system was asleep, and these signals changed meanwhile.
    case awoke([Edge])
    /// A `ResumeDelay` has passed.
    case delayElapsed(DelayedEnd)
    /// The due sound has been heard to its end.
    case soundEnded(SoundID)
    /// The due sound has ended before its last frame, because its file cannot be read any further.
    case soundBrokenOff(SoundID)
    /// A waiting announcement of this sound has expired.
    case announcementExpired(SoundID)
    /// A sound cannot be read, for the reason given; or it can be read again.
    case soundUnreadable(SoundID, reason: String)
    case soundReadable(SoundID)
    /// The rest of a long sound cannot be read, for the reason given.
    /// - Parameter isPlayed: whether only a part of it is silent.
    case soundBroken(SoundID, reason: String, isPlayed: Bool = false)
    /// Only an output has changed.
    case output(OutputID, asserted: Bool)
    /// A track ended, and the next one has begun.
    case trackEnded(next: Int)
    case playlistEnded
    /// The search has found this track.
    case trackFound(Int)
    /// The storage is slow to deliver the selected track: the previous one continues.
    case trackDelayed
    /// A track is playable again; no track is playable any more.
    case tracksFound(Int)
    case tracksGone
    /// A search for playable tracks has begun.
    case tracksSought
    /// An event that the session ignores, but that helps a technician.
    case noticed(PlaybackEvent)
    /// A track cannot be read, for the reason given, and was skipped.
    case trackSkipped(path: String, reason: String, isPlayed: Bool = false)
    /// The saved state cannot be read, for the reason given; a damaged one is kept aside. The boot is a first one.
    case stateUnreadable(String)
    /// The track that was played, of this path, is no longer in the library: the programme starts over.
    case placeLost(String)

    /// The event's text in traces and on the bus.
    public var description: String {
        switch self {
        case .reloaded: "reloaded"
        case .preferenceChanged: "preference changed"
        case .line(let signal, let level):
            "\(ScenarioWord.line.rawValue) \(signal) \(level.map { $0 ? "1" : "0" } ?? "lost")"
        case .soundEnded(let sound): "\(Event.soundEnded) \(sound)"
        case .soundBrokenOff(let sound): "\(Event.soundBroken) \(sound)"
        case .announcementExpired(let sound): "\(Event.announcementExpired) \(sound)"
        case .soundBroken(let sound, _, let isPlayed): "sound \(isPlayed ? "damaged" : "broken") \(sound)"
        case .output(let output, let isAsserted): "output \(output) \(isAsserted ? "1" : "0")"
        case .trackFound: "track found"
        case .trackDelayed: "track delayed"
        case .tracksSought: "tracks sought"
        case .noticed(let event): event.words
        case .trackSkipped(let path, _, let isPlayed): "track \(isPlayed ? "damaged" : "skipped") \(path)"
        case .stateUnreadable: "state unreadable"
        case .placeLost: "place lost"
        case .boot: ScenarioWord.boot.rawValue
        case .edge, .fault, .cleared, .command, .deviceLost, .deviceReset, .captureLost, .captureReturned,
            .configurationChanged, .routeLost, .routeBack, .routeFound, .awoke, .delayElapsed, .soundUnreadable,
            .soundReadable, .trackEnded, .playlistEnded, .tracksFound, .tracksGone:
            event?.description ?? ""
        }
    }
}

extension PlaybackEvent {
    fileprivate var words: String {
        switch self {
        case .deviceOpened: "device opened"
        case .deviceClosed: "device closed"
        case .underrun: "underrun"
        case .rewindMeasured: "rewind measured"
        case .rewoundTooLate: "rewound too late"
        case .storageStarved: "storage starved"
        case .storageRecovered: "storage recovered"
        case .storageLost: "storage lost"
        case .storageReturned: "storage back"
        case .notRealTime: "not real-time"
        case .effect: "heard"
        case .soundHeard: "sound heard"
        case .routeLost, .routeBack, .routeFound: "route changed"
        case .routeUnsteady: "route unsteady"
        // The other events have a `Happening` of their own.
        default: "\(self)"
        }
    }
}

extension Happening {
    /// The session's event; nil if it does not concern the session.
    var event: Event? {
        switch self {
        case .edge(let edge): .edge(edge)
        case .fault(let fault): .fault(fault)
        case .cleared(let fault): .cleared(fault)
        case .command(let command): .command(command)
        case .deviceLost: .mediaServicesLost
        case .deviceReset: .mediaServicesReset
        case .captureLost: .captureLost
        case .captureReturned: .captureReturned
        case .configurationChanged: .configurationChanged
        case .routeLost: .routeLost
        case .routeBack: .routeBack
        case .routeFound: .routeFound
        case .awoke(let edges): .awoke(edges)
        case .delayElapsed(let end): .delayElapsed(end)
        case .soundEnded: .soundEnded
        case .soundBrokenOff: .soundBroken
        case .announcementExpired: .announcementExpired
        case .soundUnreadable(let sound, _): .soundReadable(sound, false)
        case .soundReadable(let sound): .soundReadable(sound, true)
        case .trackEnded(let next): .trackBegan(next)
        case .playlistEnded: .programmeEnded
        case .trackFound(let track): .trackBegan(track)
        case .tracksFound(let count): .tracksAvailable(count)
        case .tracksGone: .tracksAvailable(0)
        case .boot, .reloaded, .preferenceChanged, .line, .noticed, .trackDelayed, .trackSkipped, .tracksSought,
            .stateUnreadable, .placeLost, .soundBroken, .output:
            nil
        }
    }

    init(_ output: Conditioner.Output, of signal: SignalID) {
        switch output {
        case .asserted: self = .edge(Edge(signal, asserted: true))
        case .deasserted: self = .edge(Edge(signal, asserted: false))
        case .fault(let fault): self = .fault(Fault(signal, Fault.Kind(fault)))
        case .cleared(let fault): self = .cleared(Fault(signal, Fault.Kind(fault)))
        }
    }
}

extension Fault.Kind {
    public init(_ fault: Conditioner.Fault) {
        switch fault {
        case .chatter: self = .chatter
        case .stuck: self = .stuck
        case .lost: self = .lost
        }
    }
}
