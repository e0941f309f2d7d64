import AudioSession
import MQTT
import SessionClient
import Spelling

/// What the board publishes on its own: state, events, health.
extension FleetAgent {
    /// How often to query Tacet's health, and how long the broker may take to acknowledge something.
    private static let healthPeriod = Duration.seconds(10)
    static let patience = Duration.seconds(60)

    mutating func follow(_ update: SessionUpdate, _ effects: inout [FleetEffect], at now: Instant) {
        switch update {
        case .available(let snapshot):
            self.snapshot = snapshot
            show(now.monotonic, now.wallClock, "now", snapshot)
            sensors.follow(snapshot.active, at: now.wallClock)
            signals.forgetReported()
            passHeld(&effects, at: now)
            nextHealth = now.monotonic
        case .event(let event):
            let wasAvailable = snapshot != nil
            snapshot = event.snapshot
            show(event.time, event.wallClock, event.name, event.snapshot)
            sensors.follow(event.snapshot.active, at: event.wallClock)
            if !isBacklogged || !isConnected {
                let text = SnapshotJSON.text(
                    time: event.time, wallClock: event.wallClock, event: event.name, event.snapshot)
                publish(MQTTPublication(settings.topics.own(.event), text), &effects)
            }
            noteOutcomes(event, &effects)
            // Should an outcome ever be missed.
            if event.snapshot.sound == nil, event.snapshot.waiting.isEmpty { audioParts = [] }
            if !wasAvailable { passHeld(&effects, at: now) }
            nextHealth = min(nextHealth, now.monotonic + .milliseconds(500))
        case .unavailable(let reason):
            snapshot = nil
            show(now.monotonic, now.wallClock, "gone", nil)
            complaints = ["\(reason)"]
            signals.forgetReported()
            // Announcements do not survive the supervisor.
            for id in announced.keys.sorted() { publishOutcome(id, "lost", &effects) }
            audioParts = []
        }
    }

    private mutating func show(_ time: Duration, _ wallClock: Duration, _ event: String, _ snapshot: Snapshot?) {
        stateFeed.set(SnapshotJSON.text(time: time, wallClock: wallClock, event: event, snapshot))
    }

    private mutating func noteOutcomes(_ event: SessionEvent, _ effects: inout [FleetEffect]) {
        for notification in event.snapshot.notifications {
            switch notification {
            case .soundEnded(_, let id): publishOutcome(id, "ended", &effects)
            case .soundExpired(_, let id): publishOutcome(id, "expired", &effects)
            // Any other cut announcement is heard again, or expires.
            case .soundCut(_, let id, because: .withdrawn): publishOutcome(id, "withdrawn", &effects)
            default: break
            }
        }
    }

    // MARK: Health

    mutating func askHealth(_ effects: inout [FleetEffect], at now: Instant) {
        guard snapshot != nil, !isAskingHealth, now.monotonic >= nextHealth else { return }
        isAskingHealth = true
        nextHealth = now.monotonic + FleetAgent.healthPeriod
        call(.health, .health, &effects)
    }

    /// Everything that is wrong: with Tacet, and with what the broker asks of it.
    public var problems: [String] { (complaints ?? []) + fleetProblems }

    /// What Tacet's own health does not have.
    public var fleetProblems: [String] {
        var problems = signals.problems
        if let connectionProblem { problems.append(connectionProblem) }
        if let problem = subscriptions.problem { problems.append(problem) }
        problems += publicationProblems.sorted { $0.key < $1.key }.map { "\($0.key) is not at the broker: \($0.value)" }
        if lacksClock {
            problems.append(
                "the clock is not synchronised: announcements with expires_at are refused (is there a time server? see"
                    + " TrustClock= in mqtt.conf)")
        }
        if isStalled { problems.append("the broker has acknowledged nothing for a minute") }
        return problems
    }

    var healthJSON: String { JSON.array(problems) }
}
