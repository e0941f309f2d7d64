import AudioSession

/// Cues and announcements.
extension ReferenceModel {
    struct Announcement: Equatable {
        let id: Int
        /// An index into the policy's sounds.
        let sound: Int
        let requested: Milliseconds
        let expires: Milliseconds?
    }

    enum Request: Equatable {
        /// Of the signal with this index.
        case cue(Int)
        /// The announcement with this number.
        case announcement(Int)
    }

    struct Heard {
        let request: Request
        let name: String
        /// When its first frame is heard.
        let begins: Milliseconds
    }

    // MARK: Derived state

    /// The sounds whose files cannot be read.
    var unreadable: [String] { policy.sounds.map(\.id.rawValue).filter { soundLengths[$0] == nil } }

    var due: Request? {
        guard device else { return nil }
        let required = active.filter(blocks).map(\.policy.priority).max() ?? 0
        // Among requests of the same instant, this order decides.
        var requests: [(request: Request, priority: Int, since: Milliseconds)] = []
        for (index, signal) in signals.enumerated().sorted(by: { $0.element.name < $1.element.name }) {
            guard signal.standing == .active, signal.policy.cue != nil, !signal.isCueDone else { continue }
            requests.append((.cue(index), signal.policy.priority, signal.began))
        }
        for announcement in announcements {
            let priority = policy.sounds[announcement.sound].priority
            requests.append((.announcement(announcement.id), priority, announcement.requested))
        }
        return requests.enumerated().filter { $0.element.priority >= required }.min { a, b in
            (-a.element.priority, a.element.since, a.offset) < (-b.element.priority, b.element.since, b.offset)
        }?.element.request
    }

    var waiting: [Announcement] { announcements.filter { due != .announcement($0.id) } }

    func name(of announcement: Announcement) -> String { policy.sounds[announcement.sound].id.rawValue }

    func name(of request: Request) -> String {
        switch request {
        case .cue(let signal): signals[signal].policy.cue?.rawValue ?? ""
        case .announcement(let id): announcement(id).map(name(of:)) ?? ""
        }
    }

    private func announcement(_ id: Int) -> Announcement? { announcements.first { $0.id == id } }

    private func effect(of announcement: Int) -> SoundPolicy.Effect? {
        self.announcement(announcement).map { policy.sounds[$0.sound].effect }
    }

    /// What the due announcement does to the programme.
    private var dueEffect: SoundPolicy.Effect? {
        if case .announcement(let id)? = due { effect(of: id) } else { nil }
    }

    /// The level to which an announcement lowers the programme: nil if it leaves the programme as it is, `mute` if it
    /// pauses it.
    private func requirement(of effect: SoundPolicy.Effect?) -> Level? {
        switch effect {
        case .pause: .mute
        case .duck(let level): policy.mode == .spokenAudio ? .mute : level
        case .mix, nil: nil
        }
    }

    var duePauses: Bool {
        switch dueEffect {
        case .pause: true
        case .duck: policy.mode == .spokenAudio
        case .mix, nil: false
        }
    }

    var announcedLevel: Level? { duePauses ? nil : requirement(of: dueEffect) }

    /// What a request requires of the programme; nil if nothing.
    private func requirement(of request: Request) -> Level? {
        switch request {
        case .announcement(let id): return requirement(of: effect(of: id))
        case .cue(let index):
            if blocks(signals[index]) { return .mute }
            if case .duck(let level) = signals[index].policy.effect { return level }
            return nil
        }
    }

    /// When the sound that is heard ends; nil if there is none, or it continues with its signal.
    var soundEnd: Milliseconds? {
        guard let heard, let length = soundLengths[heard.name] else { return nil }
        if case .cue = heard.request, policy.sounds.contains(where: { $0.id.rawValue == heard.name && $0.repeats }) {
            return nil
        }
        return heard.begins + length
    }

    // MARK: Events

    mutating func announce(_ name: String) {
        guard soundLengths[name] != nil, let sound = policy.sounds.firstIndex(where: { $0.id.rawValue == name }) else {
            answer = .noSuchContent
            return
        }
        guard waiting.count < 16 else {
            answer = .commandFailed("")
            return
        }
        announced += 1
        let patience = policy.sounds[sound].expire.map { Int($0 / .milliseconds(1)) }
        announcements.append(
            Announcement(id: announced, sound: sound, requested: now, expires: patience.map { now + $0 }))
        answer = due == .announcement(announced) ? .success : .deferred
    }

    mutating func hush() {
        if announcements.isEmpty { answer = .noActionableNowPlayingItem }
        cut += announcements.map { "soundCut(\(name(of: $0)))" }
        announcements = []
        if case .announcement? = heard?.request { heard = nil }
    }

    /// The sound has been heard to its end.
    mutating func endSound() -> String {
        guard let heard else { return "" }
        switch heard.request {
        case .cue(let signal): signals[signal].isCueDone = true
        case .announcement(let id): announcements.removeAll { $0.id == id }
        }
        ended.append("soundEnded(\(heard.name))")
        self.heard = nil
        return heard.name
    }

    /// A waiting announcement will not be heard.
    mutating func expire(_ id: Int) -> String {
        guard let name = announcement(id).map(name(of:)) else { return "" }
        expired.append("soundExpired(\(name))")
        announcements.removeAll { $0.id == id }
        return name
    }

    /// On waking, announcements that have expired are dropped first. A sound that was due is cut.
    mutating func wakeSounds() {
        let late = waiting.filter { $0.expires.map { $0 <= now } ?? false }
        for announcement in late.sorted(by: { ($0.expires ?? 0, $0.id) < ($1.expires ?? 0, $1.id) }) {
            _ = expire(announcement.id)
        }
        cutSound()
    }

    private mutating func cutSound() {
        guard let heard else { return }
        cut.append("soundCut(\(heard.name))")
        if case .announcement(let id) = heard.request, let expires = announcement(id)?.expires, expires <= now {
            _ = expire(id)
        }
        self.heard = nil
    }

    /// Derives the consequences of an event for the sounds, once the programme has followed the directive.
    mutating func settleSounds() {
        if let levelBefore, let level, level < levelBefore { rampEnds = now + duckAttack }
        guard due != heard?.request else { return }
        cutSound()
        guard let due else { return }
        heard = Heard(request: due, name: name(of: due), begins: now + max(wait(for: due), lead))
        soundBegan = ["soundBegan(\(name(of: due)))"]
    }

    private func wait(for request: Request) -> Milliseconds {
        guard let required = requirement(of: request) else { return 0 }
        // Silence counts as the lowest level.
        guard (levelBefore ?? .mute) > required else { return max(0, rampEnds - now) }
        return plays ? duckAttack : fadeOut
    }
}
