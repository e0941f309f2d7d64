import AudioSession
import Systemd

/// What to do about what a bus brings, so that nothing is missed between what is so and what happens next. Pure.
///
/// Who owns the name is watched before it is asked; events are watched before what is so is asked: those that come before
/// that answer are in it already.
struct Follower {
    enum Call: Hashable {
        case watch(rule: String)
        case owner
        case scene(of: String)
    }

    enum Step: Hashable {
        case call(Call)
        case tell(SessionUpdate)
    }

    private enum Stage: Hashable {
        case absent
        /// It was asked what is so.
        case asked(owner: String)
        /// It could not say, as between two configurations: the next event will.
        case silent(owner: String)
        case following(owner: String)
    }

    private var stage = Stage.absent
    /// What was told last, if it was that there is nobody.
    private var told: SessionUpdate.Unavailability?

    private static let bus = "org.freedesktop.DBus"
    static let rules = [
        "type='signal',sender='\(bus)',interface='\(bus)',member='NameOwnerChanged',arg0='\(SessionAddress.name)'",
        "type='signal',sender='\(SessionAddress.name)',interface='\(SessionAddress.session)',member='Event'",
    ]

    /// Whether there is somebody to ask.
    var isThere: Bool { stage != .absent }

    private var owner: String? {
        switch stage {
        case .absent: nil
        case .asked(let owner), .silent(let owner), .following(let owner): owner
        }
    }

    func connected() -> [Step] { Follower.rules.map { .call(.watch(rule: $0)) } + [.call(.owner)] }

    mutating func disconnected(_ reason: String) -> [Step] { leave(.noBus(reason)) }

    mutating func take(_ signal: BusNews.Signal) -> [Step] {
        switch (signal.interface, signal.member) {
        case (Follower.bus, "NameOwnerChanged"):
            guard signal.sender == Follower.bus, signal.values.count == 3,
                signal.values[0] == .string(SessionAddress.name), case .string(let new) = signal.values[2]
            else { return [] }
            return turn(to: new)
        case (SessionAddress.session, "Event"):
            // Anybody may send something that looks like it.
            guard signal.sender == owner, let event = SessionEvent(signal.values) else { return [] }
            return take(event, of: signal.sender)
        default: return []
        }
    }

    mutating func take(_ answer: Result<[BusValue], BusError>, to call: Call) -> [Step] {
        switch (call, answer) {
        case (.owner, .success(let values)):
            guard case .string(let owner)? = values.first else { return [] }
            return turn(to: owner)
        case (.owner, .failure): return owner == nil ? leave(.notRunning) : []
        case (.scene(let asked), let answer):
            guard stage == .asked(owner: asked) else { return [] }
            return take(answer, from: asked)
        // A bus that refuses it has a limit, and says so: without it, there is nothing to follow.
        case (.watch, .failure(let error)): return leave(.noBus(error.message))
        case (.watch, .success): return []
        }
    }

    // MARK: Who is there

    private mutating func turn(to owner: String) -> [Step] {
        guard !owner.isEmpty else { return leave(.notRunning) }
        guard owner != self.owner else { return [] }
        // Another one took over at once: the one before is gone nevertheless.
        let farewell = self.owner == nil ? [] : leave(.notRunning)
        stage = .asked(owner: owner)
        return farewell + [.call(.scene(of: owner))]
    }

    private mutating func leave(_ reason: SessionUpdate.Unavailability) -> [Step] {
        let isNews = told.map { !$0.isLike(reason) } ?? true
        stage = .absent
        told = reason
        return isNews ? [.tell(.unavailable(reason))] : []
    }

    private mutating func take(_ answer: Result<[BusValue], BusError>, from owner: String) -> [Step] {
        switch answer {
        case .success(let values):
            guard case .variant(let scene)? = values.first, let snapshot = Snapshot(scene) else {
                stage = .silent(owner: owner)
                return []
            }
            return arrive(snapshot, owner)
        case .failure(let error):
            switch error.name.split(separator: ".").last {
            case "UnknownInterface", "UnknownProperty", "UnknownMethod", "UnknownObject", "InvalidArgs":
                return leave(.otherVersion)
            // One that has gone meanwhile is told of by the bus; one that is busy tells by the next event.
            default:
                stage = .silent(owner: owner)
                return []
            }
        }
    }

    private mutating func arrive(_ snapshot: Snapshot, _ owner: String) -> [Step] {
        var snapshot = snapshot
        snapshot.notifications = []
        snapshot.answer = nil
        stage = .following(owner: owner)
        told = nil
        return [.tell(.available(snapshot))]
    }

    private mutating func take(_ event: SessionEvent, of sender: String) -> [Step] {
        switch stage {
        // What is so will be told by the answer, which comes later.
        case .absent, .asked: []
        case .silent(let owner): arrive(event.snapshot, owner) + [.tell(.event(event))]
        case .following: [.tell(.event(event))]
        }
    }
}

extension SessionUpdate.Unavailability {
    /// Whether it is no news: each try to connect may have other words for it.
    fileprivate func isLike(_ other: Self) -> Bool {
        if case (.noBus, .noBus) = (self, other) { true } else { self == other }
    }
}

extension SessionEvent {
    /// As `Session1` sends it.
    /// - Returns: nil where it is none.
    init?(_ values: [BusValue]) {
        guard values.count >= 4, case .uint64(let wallClock) = values[0], case .uint64(let time) = values[1],
            case .string(let name) = values[2], let snapshot = Snapshot(values[3])
        else { return nil }
        self.init(
            wallClock: .microseconds(Int64(clamping: wallClock)), time: .microseconds(Int64(clamping: time)),
            name: name, snapshot: snapshot)
    }
}
