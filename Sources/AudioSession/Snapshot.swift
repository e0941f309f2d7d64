/// What is so once an event, and all that follows from it at that instant, has been handled: what a trace tells of each
/// event, and the bus of what happens now.
public struct Snapshot: Hashable, Sendable {
    public var intent: Intent
    public var isInterrupted: Bool
    public var directive: Directive
    public var volume: Level
    public var isMicrophoneMuted: Bool
    public var servicesAvailable: Bool
    /// The signals in force, sorted by name.
    public var active: [SignalID]
    /// Of the event, in their order.
    public var notifications: [Notification]
    /// The file's name; nil without a track.
    public var track: String?
    /// Where the programme is (playing), or would go on (silent), from the track's start.
    public var position: Duration
    /// A command's; nil where the event is none.
    public var answer: Answer?
    /// Sorted.
    public var faults: [Fault]

    /// - Parameters:
    ///   - session: after the event.
    ///   - track: the file's name.
    public init(
        _ session: AudioSession, track: String?, position: Duration, notifications: [Notification] = [],
        answer: Answer? = nil
    ) {
        intent = session.intent
        isInterrupted = session.isInterrupted
        directive = session.directive
        volume = session.volume
        isMicrophoneMuted = session.isMicrophoneMuted
        servicesAvailable = session.servicesAvailable
        active = session.active.sorted()
        self.notifications = notifications
        self.track = track
        self.position = position
        self.answer = answer
        faults = session.faults
    }
}
