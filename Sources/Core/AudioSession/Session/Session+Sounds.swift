/// Cues and announcements (see <doc:Semantics#Sounds>). The due sound is derived from the requests, as the directive
/// is.
extension Session {
    /// The maximum number of waiting announcements. Further ones are rejected.
    private static let maximumWaiting = 16

    /// The reason why an announcement is rejected if there is no room for it.
    public static let lackOfRoom = "\(maximumWaiting) announcements are already queued"

    /// Returns true if another announcement can wait.
    /// - Parameter others: the number of announcements that will be requested before it.
    public func hasRoomForAnnouncement(after others: Int = 0) -> Bool {
        waitingRequests.count + others < Self.maximumWaiting
    }

    /// Returns true if a request for an announcement of this sound does not need room, because it would be ignored or
    /// would restart another announcement.
    public func isAnnouncedAlready(_ sound: SoundID, at now: Duration) -> Bool {
        guard let index = policy.sounds.firstIndex(where: { $0.id == sound }) else { return false }
        return isWithinOnce(index, at: now) || policy.sounds[index].again != .queue && pending(of: index) != nil
    }

    /// The announcement of this sound that is due or, if none is, the oldest one that waits, or nil if there is none.
    public func pendingAnnouncement(of sound: SoundID) -> Announcement.ID? {
        policy.sounds.firstIndex { $0.id == sound }.flatMap { pending(of: $0) }?.id
    }

    private func pending(of sound: Int) -> PendingAnnouncement? {
        let due = dueRequest
        let pending = facts.sounds.announcements.filter { $0.sound == sound }
        return pending.first { due == .announcement($0.id) } ?? pending.first
    }

    private func isWithinOnce(_ sound: Int, at now: Duration) -> Bool {
        facts.sounds.accepted[sound].map { now - $0 < policy.sounds[sound].once } ?? false
    }

    /// The due sound, whether or not it still waits for the music, or nil if there is none.
    public var dueSound: DueSound? {
        guard let request = dueRequest else { return nil }
        switch request {
        case .cue(let signal):
            let policy = policy.signals[signal]
            return DueSound(sound: name(of: request), request: .cue(policy.id), priority: policy.priority)
        case .announcement(let id):
            guard let announcement = facts.sounds.announcements.first(where: { $0.id == id }) else { return nil }
            return DueSound(
                sound: name(of: request), request: .announcement(id), priority: announcement.priority)
        }
    }

    /// The announcements that wait. The oldest comes first.
    public var waitingAnnouncements: [Announcement.ID] { waitingRequests.map(\.id) }

    /// The requests for sounds that are due or wait, whether or not anything prevents them from being played.
    public var soundRequests: Set<DueSound.Request> {
        let cues = policy.cuesByName.filter { facts.signals[$0].requestsCue }
        return Set(cues.map { .cue(policy.signals[$0].id) } + facts.sounds.announcements.map { .announcement($0.id) })
    }

    /// The sounds of the announcements that wait. The oldest comes first.
    public var waiting: [SoundID] { waitingRequests.map(name(of:)) }

    private var waitingRequests: [PendingAnnouncement] {
        guard !facts.sounds.announcements.isEmpty else { return [] }
        let due = dueRequest
        return facts.sounds.announcements.filter { due != .announcement($0.id) }
    }

    /// The sounds that cannot be read, in the order of the policy. A built-in tone plays in place of their cues.
    public var unreadableSounds: [SoundID] {
        zip(policy.sounds, facts.sounds.unreadable).compactMap { $1 ? $0.id : nil }
    }

    /// The due request, which is the eligible request with the highest priority. Among requests of equal priority, it
    /// is the oldest. If they were made at the same instant, cues come before announcements, and cues are ordered by
    /// the names of their signals.
    var dueRequest: SoundRequest? {
        guard facts.servicesAvailable, policy.hasCues || !facts.sounds.announcements.isEmpty else { return nil }
        let signals = policy.signals
        var required = Int.min
        for signal in activeIndices where policy.interruptionReason(of: signals[signal].effect) != nil {
            required = max(required, signals[signal].priority)
        }
        var best: (request: SoundRequest, priority: Int, since: Duration)?
        for signal in policy.cuesByName where facts.signals[signal].requestsCue {
            let (priority, began) = (signals[signal].priority, facts.signals[signal].began)
            guard priority >= required, best.map({ (-$0.priority, $0.since) > (-priority, began) }) ?? true else {
                continue
            }
            best = (.cue(signal), priority, began)
        }
        for announcement in facts.sounds.announcements where announcement.priority >= required {
            let rank = (-announcement.priority, announcement.requested)
            guard best.map({ (-$0.priority, $0.since) > rank }) ?? true else { continue }
            best = (.announcement(announcement.id), announcement.priority, announcement.requested)
        }
        return best?.request
    }

    /// The effect of the due announcement on the music, or nil if none is due.
    var announcementEffect: SoundPolicy.Effect? {
        guard !facts.sounds.announcements.isEmpty, case .announcement(let id)? = dueRequest else { return nil }
        return policy.sounds[index(ofSoundIn: id)].effect
    }

    // MARK: Events

    mutating func announce(_ announcement: Announcement, at now: Duration, _ reaction: inout Reaction) {
        guard let sound = policy.sounds.firstIndex(where: { $0.id == announcement.sound }),
            announcement.hasOwnContent || !facts.sounds.unreadable[sound]
        else {
            reaction.answer = .noSuchContent
            return
        }
        guard !isWithinOnce(sound, at: now) else {
            reaction.answer = .success
            reaction.noOpReasons.append(.announcedOnce(announcement.sound))
            return
        }
        if let other = pending(of: sound), policy.sounds[sound].again != .queue {
            return announceAgain(other, at: now, &reaction)
        }
        guard hasRoomForAnnouncement() else {
            reaction.answer = .commandFailed(Self.lackOfRoom)
            return
        }
        facts.sounds.announcements.append(
            PendingAnnouncement(
                id: announcement.id, sound: sound,
                priority: announcement.effectivePriority(own: policy.sounds[sound].priority),
                requested: now, expires: announcement.timeout(own: policy.sounds[sound].expire).map { now + $0 },
                hasOwnContent: announcement.hasOwnContent))
        noteAccepted(sound, at: now)
        reaction.announced = announcement.id
    }

    /// Handles a request for an announcement of a sound of which another one is due or waits.
    private mutating func announceAgain(
        _ other: PendingAnnouncement, at now: Duration, _ reaction: inout Reaction
    ) {
        let isDue = dueRequest == .announcement(other.id)
        guard policy.sounds[other.sound].again == .restart, isDue else {
            reaction.answer = policy.sounds[other.sound].again == .restart ? .deferred : .success
            reaction.noOpReasons.append(.announcedAlready(name(of: other)))
            return
        }
        reaction.sounds.stop = .restarted
        reaction.answer = .success
        noteAccepted(other.sound, at: now)
    }

    private mutating func noteAccepted(_ sound: Int, at now: Duration) {
        if policy.sounds[sound].once > .zero { facts.sounds.accepted[sound] = now }
    }

    /// Withdraws all announcements. Cues stay.
    mutating func hush(_ reaction: inout Reaction) {
        reaction.answer = facts.sounds.announcements.isEmpty ? .noActionableNowPlayingItem : .success
        for announcement in facts.sounds.announcements {
            reaction.sounds.cut(ending(of: announcement), because: .withdrawn)
        }
        reaction.sounds.isCutReported = true
        facts.sounds.announcements = []
    }

    /// Handles the end of the due sound after its last frame.
    mutating func endSound(_ reaction: inout Reaction) {
        guard let due = dueRequest else { return }
        let ending = ending(of: due)
        switch due {
        case .cue(let signal):
            guard let sound = policy.cue(of: signal), !sound.repeats else { return }
            facts.signals[signal].isCueDone = true
        case .announcement(let id): facts.sounds.announcements.removeAll { $0.id == id }
        }
        reaction.sounds.ended.append(ending)
        reaction.sounds.isCutReported = true
    }

    /// Handles a due sound that stopped before its end, and would do so again. A cue is treated as played, and an
    /// announcement is dropped.
    mutating func breakSound(_ reaction: inout Reaction) {
        guard let due = dueRequest else { return }
        let ending = ending(of: due)
        switch due {
        case .cue(let signal):
            guard let sound = policy.cue(of: signal), !sound.repeats else { return }
            facts.signals[signal].isCueDone = true
        case .announcement(let id):
            facts.sounds.announcements.removeAll { $0.id == id }
            reaction.sounds.expired.append(ending)
        }
        reaction.sounds.cut(ending, because: .unreadable)
        reaction.sounds.isCutReported = true
    }

    /// Records that a sound's file has become readable or unreadable. The built-in tone replaces an unreadable cue, and
    /// announcements of a sound that cannot be read are dropped.
    mutating func note(_ sound: SoundID, isReadable: Bool, _ reaction: inout Reaction) {
        guard let index = policy.sounds.firstIndex(where: { $0.id == sound }) else { return }
        facts.sounds.unreadable[index] = !isReadable
        guard !isReadable else { return }
        let dropped = facts.sounds.announcements.filter { $0.sound == index && !$0.hasOwnContent }
        reaction.sounds.expired += dropped.map(ending(of:))
        facts.sounds.announcements.removeAll { $0.sound == index && !$0.hasOwnContent }
    }

    /// Drops the announcement that expired first. The due announcement has already begun, so it does not expire.
    ///
    /// - Returns: true if there was one.
    @discardableResult
    mutating func dropExpired(by now: Duration, _ reaction: inout Reaction) -> Bool {
        guard let expired = firstExpired(by: now) else { return false }
        reaction.sounds.expired.append(ending(of: expired))
        facts.sounds.announcements.removeAll { $0.id == expired.id }
        return true
    }

    /// Returns the waiting announcement that expired first, or nil if none has expired. If several expired at the same
    /// time, it returns the oldest.
    func firstExpired(by now: Duration) -> PendingAnnouncement? {
        waitingRequests.filter { $0.hasExpired(by: now) }.min { $0.expires ?? now < $1.expires ?? now }
    }

    /// The time at which the next waiting announcement expires, or nil if none does.
    var nextExpiry: Duration? { waitingRequests.compactMap(\.expires).min() }

    /// Takes over the sounds of the predecessor in a reload. The due sound is cut. The announcements are kept, except
    /// those that have expired or whose sound no longer exists.
    mutating func inheritSounds(of predecessor: Boot.Predecessor, at now: Duration, _ reaction: inout Reaction) {
        for (index, sound) in policy.sounds.enumerated() {
            facts.sounds.accepted[index] = predecessor.accepted[sound.id]
        }
        if let due = predecessor.dueSound {
            reaction.sounds.cut(
                SoundReaction.Ending(sound: due.sound, id: due.announcement ?? 0), because: .reloaded)
        }
        for announcement in predecessor.announcements {
            let name = predecessor.sounds[announcement.sound]
            guard let sound = policy.sounds.firstIndex(where: { $0.id == name }), !announcement.hasExpired(by: now)
            else {
                reaction.sounds.expired.append(SoundReaction.Ending(sound: name, id: announcement.id))
                continue
            }
            var kept = announcement
            kept.sound = sound
            facts.sounds.announcements.append(kept)
        }
    }

    // MARK: Consequences

    /// Derives which sounds have been cut and which one begins. If an announcement is cut after its `Expire`, it is
    /// dropped.
    ///
    /// - Returns: true if the sound that plays changes.
    mutating func settleSounds(since before: Session, at now: Duration, _ reaction: inout Reaction) -> Bool {
        defer { noteBegin() }
        let was = before.dueRequest
        let changes = dueRequest != was
        guard let was, !reaction.sounds.isCutReported, changes || reaction.sounds.stop != nil else { return changes }
        reaction.sounds.cut(before.ending(of: was), because: reaction.sounds.stop ?? cutCause(of: was))
        // An announcement that begins again is not dropped, even after its `Expire`.
        if case .announcement(let id) = was, reaction.sounds.stop != .restarted,
            let index = facts.sounds.announcements.firstIndex(where: { $0.id == id && $0.hasExpired(by: now) })
        {
            reaction.sounds.expired.append(ending(of: facts.sounds.announcements.remove(at: index)))
        }
        return true
    }

    /// Lifts the `Expire` of the due announcement if it can continue, because it has begun.
    mutating func noteBegin() {
        guard !facts.sounds.announcements.isEmpty, case .announcement(let id)? = dueRequest,
            let index = facts.sounds.announcements.firstIndex(where: { $0.id == id }),
            policy.sounds[facts.sounds.announcements[index].sound].continues
        else { return }
        facts.sounds.announcements[index].expires = nil
    }

    /// Returns the reason why this request is no longer due.
    private func cutCause(of request: SoundRequest) -> SoundCutCause {
        guard facts.servicesAvailable else { return .deviceLost }
        switch request {
        case .cue(let signal): return facts.signals[signal].requestsCue ? .displaced : .released
        case .announcement(let id):
            return facts.sounds.announcements.contains { $0.id == id } ? .displaced : .unreadable
        }
    }

    /// - Parameters:
    ///   - before: the directive before the event.
    ///   - restarts: true if the sound that plays is requested again and begins again.
    func order(for request: SoundRequest, since before: Directive, restarts: Bool = false) -> SoundOrder {
        let ceiling: Level?
        var order = SoundOrder(sound: name(of: request))
        switch request {
        case .cue(let signal):
            ceiling = policy.ceiling(of: policy.signals[signal].effect)
            order.repeats = repeats(request)
            order.signal = policy.signals[signal].id
        case .announcement(let id):
            ceiling = policy.ceiling(of: policy.sounds[index(ofSoundIn: id)].effect)
            order.announcement = id
        }
        if continues(request) { order.start = restarts ? .anew : .position }
        guard !restarts else {
            order.wait = .previous
            return order
        }
        guard let ceiling else { return order }
        if before.level <= ceiling {
            order.wait = .remainder
        } else {
            order.wait = directive == .silent ? .fadeOut : .duckAttack
        }
        return order
    }

    /// Returns true if the requested sound repeats until its signal ends. The built-in tone always does.
    func repeats(_ request: SoundRequest) -> Bool {
        guard case .cue(let signal) = request else { return false }
        return (policy.cue(of: signal)?.repeats ?? true) || unreadableSounds.contains(name(of: request))
    }

    /// Returns true if the requested sound continues where it was cut.
    private func continues(_ request: SoundRequest) -> Bool {
        switch request {
        case .cue(let signal): policy.cue(of: signal)?.continues ?? false
        case .announcement(let id): policy.sounds[index(ofSoundIn: id)].continues
        }
    }

    // MARK: Names

    func name(of request: SoundRequest) -> SoundID {
        switch request {
        // A request exists only if its signal names a cue.
        case .cue(let signal): policy.signals[signal].cue ?? ""
        case .announcement(let id): policy.sounds[index(ofSoundIn: id)].id
        }
    }

    func name(of announcement: PendingAnnouncement) -> SoundID { policy.sounds[announcement.sound].id }

    private func ending(of announcement: PendingAnnouncement) -> SoundReaction.Ending {
        SoundReaction.Ending(sound: name(of: announcement), id: announcement.id)
    }

    func ending(of request: SoundRequest) -> SoundReaction.Ending {
        SoundReaction.Ending(sound: name(of: request), id: request.announcement ?? 0)
    }

    /// Returns the index of an announcement's sound in the policy.
    private func index(ofSoundIn id: Announcement.ID) -> Int {
        facts.sounds.announcements.first { $0.id == id }?.sound ?? 0
    }
}

/// The due sound and its request.
public struct DueSound: Hashable, Sendable {
    public enum Request: Hashable, Sendable {
        /// This signal is active, and the sound is its cue.
        case cue(SignalID)
        case announcement(Announcement.ID)
    }

    public let sound: SoundID
    public let request: Request
    /// The priority of the request, which is the priority of the signal or the announcement.
    public let priority: Int

    public var isAnnouncement: Bool { announcement != nil }

    /// The number of the announcement, or nil for a cue.
    public var announcement: Announcement.ID? { if case .announcement(let id) = request { id } else { nil } }
}

/// A request, identified by an index or a number. It is used only inside the session.
enum SoundRequest: Hashable, Sendable {
    /// The active signal with this index in the policy.
    case cue(Int)
    case announcement(Announcement.ID)

    /// The number of the announcement, or nil for a cue.
    var announcement: Announcement.ID? { if case .announcement(let id) = self { id } else { nil } }
}

/// An announcement that has been accepted, and has neither played to its end nor been dropped.
struct PendingAnnouncement: Hashable, Sendable {
    let id: Announcement.ID
    /// The index of the sound in the policy.
    var sound: Int
    let priority: Int
    let requested: Duration
    /// The time at which the announcement expires, or nil if it never does.
    var expires: Duration?
    /// The value of `Announcement.hasOwnContent`.
    let hasOwnContent: Bool

    func hasExpired(by now: Duration) -> Bool { expires.map { $0 <= now } ?? false }
}

/// The direct effects of an event on the sounds, without their consequences.
struct SoundReaction {
    /// A sound and the number of its announcement, which is 0 for a cue.
    struct Ending {
        let sound: SoundID
        let id: Announcement.ID
    }

    private var cuts: [(ending: Ending, cause: SoundCutCause)] = []
    var ended: [Ending] = []
    var expired: [Ending] = []
    /// True if the due sound has ended or been withdrawn, so that it is not reported as cut again.
    var isCutReported = false
    /// The reason why the due sound stops although it may become due again at once, or nil if it does not stop.
    var stop: SoundCutCause?

    mutating func cut(_ ending: Ending, because cause: SoundCutCause) { cuts.append((ending, cause)) }

    /// The notifications in the order in which they are posted, before all others except `soundBegan`.
    var endings: [SessionNotification] {
        cuts.map { .soundCut($0.ending.sound, id: $0.ending.id, because: $0.cause) }
            + ended.map { .soundEnded($0.sound, id: $0.id) }
            + expired.map { .soundExpired($0.sound, id: $0.id) }
    }
}
