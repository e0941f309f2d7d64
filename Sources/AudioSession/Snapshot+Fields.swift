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
        self.notifications = notifications.compactMap(Notification.init)
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
