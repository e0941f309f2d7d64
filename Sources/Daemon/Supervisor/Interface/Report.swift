import AudioSession
import Signals

/// An event and the session's reaction to it. When a report is delivered, the supervisor is already in the resulting
/// state.
public struct Report: Hashable, Sendable {
    public let time: Duration
    public internal(set) var cause: Cause
    public var notifications: [SessionNotification] = []
    /// The answer to a command.
    public var answer: Answer?
    public var noOpReasons: [NoOpReason] = []
    /// The signals that are no longer active for any reason, including those that ended while the power was off.
    public var over = ActiveSignals()
    /// The signals that have become active for any reason.
    public var begun = ActiveSignals()
    /// The number of tracks now, if a search completed during the event, or 0 if none can be played. A search that
    /// completes later has its own report.
    public var foundTracks: Int?
    /// The number of tracks now, if the event itself or its handling has changed it.
    public var trackCount: Int? { if case .tracksAvailable(let count)? = event { count } else { foundTracks } }
    /// The file that an announcement plays instead of its sound's own file, or nil if there is none.
    public var file: AnnouncedFile?

    public var event: Event? { cause.event }
    public var note: Note? { cause.note }

    /// The announcement that was requested, or nil if the event is not a request.
    public var announcement: Announcement.ID? {
        if case .command(.announce(let announcement)) = event { announcement.id } else { nil }
    }
}

/// The file of an announcement.
public struct AnnouncedFile: Hashable, Sendable {
    public let path: String
    /// The reason why the file is not played, or nil if the announcement has been requested.
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
        case .wire: self = .wire
        }
    }
}
