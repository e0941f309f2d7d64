import AudioSession
import Systemd
import Vocabulary

/// Decides what to do with each message from the bus, so that no event is missed between the first state and the events
/// that follow. It has no side effects.
///
/// It subscribes to changes in the ownership of the name before it queries the owner, and to events before it queries
/// the state. Any event that arrives before the state is therefore already part of it.
struct Follower {
    enum Call: Hashable {
        case watch(rule: String)
        /// Takes a name on the bus for this connection.
        case own(String)
        case owner
        case scene(of: String)
    }

    enum Step: Hashable {
        case call(Call)
        case report(SessionUpdate)
        /// One of the signals in `passed` has arrived.
        case pass(SessionSignal, [BusValue])
    }

    private enum Phase: Hashable {
        case absent
        /// Waiting for the answer to the state query.
        case querying(owner: String)
        /// The daemon could not return its state, for example because it is changing configurations or is flooded. The
        /// next event or the answer to another query contains the state.
        case awaitingEvent(owner: String)
        case following(owner: String)
    }

    /// The signals that are passed on in addition to the events.
    private let passed: [SessionSignal]
    /// The name of the connection, by which a policy of the bus can keep other programs' signals away, or nil.
    private let name: String?
    private var phase = Phase.absent
    /// The reason that was reported last, or nil before the first report, and again once the daemon is available.
    private var reported: SessionUpdate.Unavailability?

    private static let bus = BusSender.driver
    static let rules = [
        "type='signal',sender='\(bus)',interface='\(bus)',member='NameOwnerChanged',arg0='\(SessionAddress.name)'",
        rule(for: .event),
    ]

    init(passing passed: [SessionSignal] = [], named name: String? = nil) {
        self.passed = passed
        self.name = name
    }

    /// True if the daemon is on the bus.
    var isAvailable: Bool { phase != .absent }

    private var owner: String? {
        switch phase {
        case .absent: nil
        case .querying(let owner), .awaitingEvent(let owner), .following(let owner): owner
        }
    }

    /// True if the state is missing. Call `queryAgain` after a while, because an idle board may not send an event.
    var lacksState: Bool { if case .awaitingEvent = phase { true } else { false } }

    mutating func queryAgain() -> [Step] {
        guard case .awaitingEvent(let owner) = phase else { return [] }
        phase = .querying(owner: owner)
        return [.call(.scene(of: owner))]
    }

    func connected() -> [Step] {
        let rules = Follower.rules + passed.map { Follower.rule(for: $0) }
        let name: [Step] = name.map { [.call(.own($0))] } ?? []
        return name + rules.map { .call(.watch(rule: $0)) } + [.call(.owner)]
    }

    private static func rule(for signal: SessionSignal) -> String {
        "type='signal',sender='\(SessionAddress.name)',interface='\(SessionAddress.session)',member='\(signal.rawValue)'"
    }

    mutating func disconnected(_ reason: String) -> [Step] { becomeUnavailable(.noBus(reason)) }

    /// True if a signal with this header is accepted. Any program on the bus can send a similar signal, of any size.
    func expects(_ head: BusEvent.Head) -> Bool {
        switch (head.interface, head.member) {
        case (Follower.bus, "NameOwnerChanged"):
            head.path == "/org/freedesktop/DBus" && head.signature == "sss"
                && BusSender.isGenuine(head.sender, from: Follower.bus, ownedBy: nil)
        case (SessionAddress.session, SessionSignal.event.rawValue):
            head.path == SessionAddress.path && head.signature.hasPrefix("ttsa{sv}")
                && BusSender.isGenuine(head.sender, from: SessionAddress.name, ownedBy: owner)
        case (SessionAddress.session, _):
            head.path == SessionAddress.path && passedSignal(head) != nil
                && BusSender.isGenuine(head.sender, from: SessionAddress.name, ownedBy: owner)
        default: false
        }
    }

    /// Returns the signal with this header if it is passed on.
    private func passedSignal(_ head: BusEvent.Head) -> SessionSignal? {
        passed.first {
            head.member == $0.rawValue && head.signature == $0.arguments.map(\.type).joined()
        }
    }

    mutating func take(_ signal: BusEvent.Signal) -> [Step] {
        guard expects(signal.head) else { return [] }
        if let passed = passedSignal(signal.head), signal.interface == SessionAddress.session {
            return [.pass(passed, signal.values)]
        }
        if signal.interface == SessionAddress.session {
            return SessionEvent(signal.values).map { take($0, of: signal.sender) } ?? []
        }
        guard signal.values[0] == .string(SessionAddress.name), case .string(let new) = signal.values[2] else {
            return []
        }
        return switchOwner(to: new)
    }

    mutating func take(_ answer: Result<[BusValue], BusError>, to call: Call) -> [Step] {
        switch (call, answer) {
        case (.owner, .success(let values)):
            guard case .string(let owner)? = values.first else { return [] }
            return switchOwner(to: owner)
        case (.owner, .failure): return owner == nil ? becomeUnavailable(.notRunning) : []
        case (.scene(let owner), let answer):
            guard phase == .querying(owner: owner) else { return [] }
            return take(answer, from: owner)
        // The bus refuses a subscription when a limit is reached. Without the subscription, no event would arrive.
        case (.watch, .failure(let error)): return becomeUnavailable(.noBus(error.message))
        // Without the name, everything else works.
        case (.own, _), (.watch, .success): return []
        }
    }

    // MARK: The daemon's presence

    private mutating func switchOwner(to owner: String) -> [Step] {
        guard !owner.isEmpty else { return becomeUnavailable(.notRunning) }
        guard owner != self.owner else { return [] }
        // Even if a new owner has taken over at once, the previous owner is lost and must be reported.
        let loss = self.owner == nil ? [] : becomeUnavailable(.notRunning)
        phase = .querying(owner: owner)
        return loss + [.call(.scene(of: owner))]
    }

    private mutating func becomeUnavailable(_ reason: SessionUpdate.Unavailability) -> [Step] {
        let isNews = reported.map { !$0.isLike(reason) } ?? true
        phase = .absent
        reported = reason
        return isNews ? [.report(.unavailable(reason))] : []
    }

    private mutating func take(_ answer: Result<[BusValue], BusError>, from owner: String) -> [Step] {
        switch answer {
        case .success(let values):
            guard case .variant(let scene)? = values.first, let snapshot = Snapshot(scene) else {
                phase = .awaitingEvent(owner: owner)
                return []
            }
            return becomeAvailable(snapshot, owner)
        case .failure(let error):
            switch error.name.split(separator: ".").last {
            case "UnknownInterface", "UnknownProperty", "UnknownMethod", "UnknownObject", "InvalidArgs":
                return becomeUnavailable(.otherVersion)
            // If the daemon has left, the bus reports it. If it is busy, its next event contains the state.
            default:
                phase = .awaitingEvent(owner: owner)
                return []
            }
        }
    }

    private mutating func becomeAvailable(_ snapshot: Snapshot, _ owner: String) -> [Step] {
        var snapshot = snapshot
        snapshot.notifications = []
        snapshot.answer = nil
        phase = .following(owner: owner)
        reported = nil
        return [.report(.available(snapshot))]
    }

    private mutating func take(_ event: SessionEvent, of sender: String) -> [Step] {
        switch phase {
        // The answer to the query, which arrives later, includes this event.
        case .absent, .querying: []
        case .awaitingEvent(let owner): becomeAvailable(event.snapshot, owner) + [.report(.event(event))]
        case .following: [.report(.event(event))]
        }
    }
}

extension SessionUpdate.Unavailability {
    /// True if both values describe the same outage, which each attempt to connect may word differently.
    fileprivate func isLike(_ other: Self) -> Bool {
        if case (.noBus, .noBus) = (self, other) { true } else { self == other }
    }
}

extension SessionEvent {
    /// Reads the arguments of the signal `Event` of `org.tacet.Session1`.
    /// - Returns: nil if they are not a valid event.
    init?(_ values: [BusValue]) {
        guard values.count >= 4, case .uint64(let wallClock) = values[0], case .uint64(let time) = values[1],
            case .string(let name) = values[2], let snapshot = Snapshot(values[3])
        else { return nil }
        self.init(
            wallClock: .microseconds(Int64(clamping: wallClock)), time: .microseconds(Int64(clamping: time)),
            name: name, snapshot: snapshot)
    }
}
