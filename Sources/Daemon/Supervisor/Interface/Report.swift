import AudioSession
import Signals

/// What happened, and the session's reaction. When it is delivered, the supervisor has the resulting state.
public struct Report: Hashable, Sendable {
    public let time: Duration
    public internal(set) var cause: Cause
    public var notifications: [SessionNotification] = []
    /// A command's answer.
    public var answer: Answer?
    public var noOpReasons: [NoOpReason] = []
    /// The signals that are no longer active, for any reason, including an end while the power was off.
    public var over = ActiveSignals()
    /// The signals that have become active, for any reason.
    public var begun = ActiveSignals()
    /// How many tracks there are now, if a search completed during the event; 0 if none can be played. A search that
    /// completes later has a report of its own.
    public var foundTracks: Int?
    /// How many tracks there are now, if this has changed, whether in the event itself or during it.
    public var trackCount: Int? { if case .tracksAvailable(let count)? = event { count } else { foundTracks } }
    /// The file that an announcement is heard with instead of its sound's own; nil for that.
    public var file: AnnouncedFile?

    public var event: Event? { cause.event }
    public var note: Note? { cause.note }

    /// The announcement that was requested; nil if the event is no request.
    public var announcement: Announcement.ID? {
        if case .command(.announce(let announcement)) = event { announcement.id } else { nil }
    }
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

extension Event {
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
