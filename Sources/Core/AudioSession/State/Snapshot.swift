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
    public var notifications: [SessionNotification]
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
        _ session: Session, track: String?, position: Duration, notifications: [SessionNotification] = [],
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

/// A snapshot as words and numbers, for JSON and the bus: each key is written here, and nowhere else.
extension Snapshot {
    /// A value that any format can have.
    public enum Value: Hashable, Sendable {
        case text(String)
        case texts([String])
        case flag(Bool)
        case number(Double)
        case seconds(Duration)
        /// Null in JSON; left away where there is no such thing.
        case nothing
    }

    /// All that a snapshot says, always in this order.
    public var fields: [(key: String, value: Value)] {
        [
            ("intent", .text(intent.rawValue)),
            ("session", .text(isInterrupted ? "interrupted" : "active")),
            ("playing", .flag(directive != .silent)),
            ("gain_db", gain.map { .number($0.decibels) } ?? .nothing),
            ("volume_db", .number(volume.decibels)),
            ("microphone_muted", .flag(isMicrophoneMuted)),
            ("services", .text(servicesAvailable ? "available" : "lost")),
            ("active", .texts(active.map(\.rawValue))),
            ("notifications", .texts(notifications.map(\.description))),
            ("track", track.map(Value.text) ?? .nothing),
            ("position", .seconds(position)),
            ("answer", answer.map { .text($0.name) } ?? .nothing),
            ("faults", .texts(faults.map(\.description))),
            ("sound", .nothing),
            ("waiting", .texts([])),
            ("outputs", .texts([])),
            ("recording", .flag(false)),
            ("recorded", .seconds(.zero)),
        ]
    }

    /// The ducking level of what plays; nil when it is silent.
    public var gain: Level? { if case .play(let level) = directive { level } else { nil } }

    /// What `fields` said, by somebody else's word. Keys and notifications that this version does not know are passed
    /// over; a failed command comes without its reason.
    /// - Returns: nil where something is missing, or is not what it should be.
    public init?(fields: [String: Value]) {
        guard case .text(let intent)? = fields["intent"], let intent = Intent(rawValue: intent),
            case .text(let session)? = fields["session"],
            case .flag(let plays)? = fields["playing"],
            case .number(let volume)? = fields["volume_db"], let volume = Level(decibels: volume),
            case .flag(let isMuted)? = fields["microphone_muted"],
            case .text(let services)? = fields["services"],
            case .texts(let active)? = fields["active"],
            case .texts(let notifications)? = fields["notifications"],
            case .seconds(let position)? = fields["position"],
            case .texts(let faults)? = fields["faults"]
        else { return nil }
        self.intent = intent
        isInterrupted = session == "interrupted"
        self.volume = volume
        isMicrophoneMuted = isMuted
        servicesAvailable = services == "available"
        self.active = active.map(SignalID.init(_:))
        self.notifications = notifications.compactMap(SessionNotification.init)
        self.position = position
        self.faults = faults.compactMap(Fault.init)
        track = if case .text(let name)? = fields["track"] { name } else { nil }
        answer = if case .text(let name)? = fields["answer"] { Answer(name: name) } else { nil }
        switch (plays, fields["gain_db"]) {
        case (false, _): directive = .silent
        case (true, .number(let gain)?):
            guard let level = Level(decibels: gain) else { return nil }
            directive = .play(level)
        default: return nil
        }
    }
}

/// A duration in seconds, in as many digits as it needs (to the nanosecond) and at least one after the point: `2.0`,
/// `6.03`.
package struct Seconds: CustomStringConvertible {
    package let description: String

    package init(_ duration: Duration) {
        let nanoseconds = abs(duration.nanoseconds)
        var fraction = String(nanoseconds % 1_000_000_000 + 1_000_000_000).dropFirst()
        while fraction.count > 1, fraction.last == "0" { fraction.removeLast() }
        description = "\(duration < .zero ? "-" : "")\(nanoseconds / 1_000_000_000).\(fraction)"
    }
}

extension Duration {
    /// Whole ones, rounded towards zero.
    package var nanoseconds: Int128 {
        Int128(components.seconds) * 1_000_000_000 + Int128(components.attoseconds / 1_000_000_000)
    }
}
