import AudioSession

/// A line of a trace: an event, and what is so once all that follows from it at that instant has been handled.
public struct TraceRow: Hashable, Sendable {
    /// All but time and event; while the power is off there is nothing else.
    public struct State: Hashable, Sendable {
        public var intent: Intent
        public var isInterrupted: Bool
        public var directive: Directive
        public var volume: Level
        public var isMicrophoneMuted: Bool
        public var servicesAvailable: Bool
        /// The asserted signals, in the policy's order.
        public var held: [SavedSession.Held]
        public var notifications: [Notification]
        /// The file's name.
        public var track: String?
        public var position: Duration
        public var answer: Answer?
        public var faults: [Fault]

        /// The signals in force, sorted by name.
        public var active: [SignalID] { held.filter { $0.standing == .inForce }.map(\.signal).sorted() }
    }

    public let time: Duration
    public let event: String
    public let state: State?
}

extension TraceRow {
    /// One JSON object, without a newline. Its keys are always in the same order.
    public var json: String {
        let head = "{\"t\":\(Seconds(time)),\"event\":\(JSON.string(event))"
        guard let state else { return head + "}" }
        return head + "," + state.fields.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }
}

extension TraceRow.State {
    fileprivate var fields: [(String, String)] {
        [
            ("intent", JSON.string(intent.rawValue)),
            ("session", JSON.string(isInterrupted ? "interrupted" : "active")),
            ("playing", directive == .silent ? "false" : "true"),
            ("gain_db", gain),
            ("volume_db", Level.number(volume.decibels)),
            ("microphone_muted", isMicrophoneMuted ? "true" : "false"),
            ("services", JSON.string(servicesAvailable ? "available" : "lost")),
            ("active", JSON.array(active.map(\.rawValue))),
            ("notifications", JSON.array(notifications.map(\.description))),
            ("track", track.map(JSON.string) ?? "null"),
            ("position", "\(Seconds(position))"),
            ("answer", answer.map { JSON.string($0.name) } ?? "null"),
            ("faults", JSON.array(faults.map(\.description))),
        ]
    }

    private var gain: String {
        guard case .play(let level) = directive else { return "null" }
        return Level.number(level.decibels)
    }
}
