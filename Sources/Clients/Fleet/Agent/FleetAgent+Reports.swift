import AudioSession
import MQTT
import SessionClient
import Spelling

/// Publishes the state, the events and the health of the board.
extension FleetAgent {
    mutating func follow(_ update: SessionUpdate, _ turn: inout Turn) {
        let now = turn.now
        switch update {
        case .available(let snapshot):
            self.snapshot = snapshot
            topics.state.set(SnapshotJSON.text(at: now, "now", snapshot))
            ruter.follow(snapshot.active, at: now.wallClock)
            signals.forgetReported()
            passHeld(&turn)
            health.begin(at: now.monotonic)
        case .event(let event):
            let wasAvailable = snapshot != nil
            snapshot = event.snapshot
            let text = SnapshotJSON.text(event)
            topics.state.set(text)
            ruter.follow(event.snapshot.active, at: event.wallClock)
            if !link.isBacklogged { link.publish(MQTTPublication(settings.topics.own(.event), text), &turn) }
            noteOutcomes(event, &turn)
            // This limits the damage if an outcome is ever missed.
            if isQuiet { outcomes.forgetAudioParts() }
            if !wasAvailable { passHeld(&turn) }
            health.noteEvent(at: now.monotonic)
        case .unavailable(let reason):
            snapshot = nil
            topics.state.set(SnapshotJSON.text(at: now, "gone", nil))
            health.lose("\(reason)")
            signals.forgetReported()
            // Announcements do not survive a restart of the supervisor.
            for id in outcomes.removeAll() { publish("lost", of: id, &turn) }
        }
    }

    private mutating func noteOutcomes(_ event: SessionEvent, _ turn: inout Turn) {
        for notification in event.snapshot.notifications {
            switch notification {
            case .soundEnded(_, let id): end(id, "ended", &turn)
            case .soundExpired(_, let id): end(id, "expired", &turn)
            // Any other announcement that is cut is played again or expires.
            case .soundCut(_, let id, because: .withdrawn): end(id, "withdrawn", &turn)
            default: break
            }
        }
    }

    /// True if Tacet is available, no sound is played, and no announcement is queued.
    var isQuiet: Bool { snapshot.map { $0.sound == nil && $0.waiting.isEmpty } ?? false }

    /// Reports the announcements whose end was missed. Otherwise, each of them would occupy a place in the queue for
    /// ever. The agent runs often enough for this, because it regularly requests Tacet's health.
    mutating func dropMissed(_ turn: inout Turn) {
        guard isQuiet else { return }
        for id in outcomes.removeMissed(at: turn.now.monotonic) { publish("lost", of: id, &turn) }
    }

    // MARK: Health

    mutating func askHealth(_ turn: inout Turn) {
        if snapshot != nil, health.ask(at: turn.now.monotonic) { call(.health, .health, &turn) }
    }

    /// All problems of Tacet, of the connection to the broker, and with the broker's requests.
    public var problems: [String] { (health.complaints ?? []) + fleetProblems }

    /// The problems that Tacet's own health does not include.
    public var fleetProblems: [String] {
        let problems = link.problems + signals.problems
        guard lacksClock else { return problems }
        return problems + [
            "the clock is not synchronised, so announcements with expires_at are refused (is there a time server? see"
                + " TrustClock= in mqtt.conf)"
        ]
    }

    var healthJSON: String { JSON.array(problems) }

    public var isConnected: Bool { link.isConnected }

    /// The state of the connection to the broker and its problems, for people.
    public var status: String {
        link.status + (isConnected ? fleetProblems.map { " — \($0)" }.joined() : "")
    }
}
