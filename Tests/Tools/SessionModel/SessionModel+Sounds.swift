import AudioSession

/// The cues and announcements.
extension SessionModel {
    struct Announcement: Equatable {
        let id: Int
        let sound: SoundPolicy
        let priority: Int
        let requested: Duration
        let expires: Duration?
        /// True if it has been due.
        var hasBegun = false
        /// The part of the sound that has been played, if it continues after a cut.
        var played = Duration.zero

        static func == (one: Announcement, other: Announcement) -> Bool { one.id == other.id }

        /// The time at which it expires, or nil if it does not.
        var deadline: Duration? { hasBegun && sound.continues ? nil : expires }
    }

    enum Request: Equatable {
        /// The cue of the signal with this index.
        case cue(Int)
        case announcement(Announcement)
    }

    struct Heard {
        let request: Request
        let name: String
        /// The time at which the sound's first frame is played.
        let begins: Duration
        /// The part of the sound that was played before.
        let played: Duration
    }

    // MARK: Derived state

    /// The sounds whose files cannot be read.
    var unreadable: [String] { policy.sounds.map(\.id.rawValue).filter { soundLengths[$0] == nil } }

    var due: Request? {
        guard device.isThere else { return nil }
        let required = active.filter(blocks).map(\.policy.priority).max() ?? 0
        // Among requests of the same instant, this order is decisive.
        let cues = signals.enumerated().sorted { $0.element.name < $1.element.name }.filter { _, signal in
            signal.standing == .active && signal.policy.cue != nil && !signal.isCueDone
        }
        var requests: [(request: Request, priority: Int, since: Duration)] = []
        requests += cues.map { (.cue($0), $1.policy.priority, $1.began) }
        requests += announcements.map { (.announcement($0), $0.priority, $0.requested) }
        return requests.enumerated().filter { $0.element.priority >= required }.min { a, b in
            (-a.element.priority, a.element.since, a.offset) < (-b.element.priority, b.element.since, b.offset)
        }?.element.request
    }

    var waiting: [Announcement] { announcements.filter { due != .announcement($0) } }

    func name(of announcement: Announcement) -> String { announcement.sound.id.rawValue }

    func name(of request: Request) -> String {
        switch request {
        case .cue(let signal): signals[signal].policy.cue?.rawValue ?? ""
        case .announcement(let announcement): name(of: announcement)
        }
    }

    /// Returns the effect of an announcement on the music. Announcements pause speech instead of ducking it.
    private func effect(of announcement: Announcement) -> SoundPolicy.Effect {
        if case .duck = announcement.sound.effect, policy.mode == .spokenAudio { return .pause }
        return announcement.sound.effect
    }

    private var dueEffect: SoundPolicy.Effect? {
        if case .announcement(let announcement)? = due { effect(of: announcement) } else { nil }
    }

    var duePauses: Bool { dueEffect == .pause }
    var announcedLevel: Level? { if case .duck(let level)? = dueEffect { level } else { nil } }

    /// Returns the level to which a request lowers the music, nil if it does not change the music, or `mute` if it
    /// silences the music.
    private func requirement(of request: Request) -> Level? {
        switch request {
        case .announcement(let announcement):
            switch effect(of: announcement) {
            case .pause: return .mute
            case .duck(let level): return level
            case .mix: return nil
            }
        case .cue(let index):
            if blocks(signals[index]) { return .mute }
            if case .duck(let level) = signals[index].policy.effect { return level }
            return nil
        }
    }

    /// The time at which the current sound ends, or nil if there is none or if it continues with its signal.
    var soundEnd: Duration? {
        guard let heard, let length = soundLengths[heard.name] else { return nil }
        let repeats = policy.sounds.contains { $0.id.rawValue == heard.name && $0.repeats }
        if case .cue = heard.request, repeats { return nil }
        return heard.begins + length - heard.played
    }

    // MARK: Events

    mutating func announce(_ request: AudioSession.Announcement) {
        let name = request.sound.rawValue
        guard soundLengths[name] != nil, let sound = policy.sounds.first(where: { $0.id.rawValue == name }) else {
            reaction.answer = .noSuchContent
            return
        }
        if let last = accepted[name], now < last + sound.once { return }
        let others = announcements.filter { self.name(of: $0) == name }
        switch sound.again {
        case .ignore where !others.isEmpty: return
        case .restart where !others.isEmpty: return restart(others)
        case .queue, .ignore, .restart: break
        }
        guard waiting.count < 16 else {
            reaction.answer = .commandFailed("")
            return
        }
        accepted[name] = now
        announced += 1
        let timeout: Duration? =
            switch request.expire {
            case .asConfigured: sound.expire
            case .after(let time): time
            case .never: nil
            }
        let announcement = Announcement(
            id: announced, sound: sound, priority: request.priority ?? sound.priority, requested: now,
            expires: timeout.map { now + $0 })
        announcements.append(announcement)
        reaction.answer = due == .announcement(announcement) ? .success : .deferred
    }

    /// Begins the due one of these announcements again, if one is due.
    private mutating func restart(_ others: [Announcement]) {
        guard let one = others.first(where: { due == .announcement($0) }), let heard else {
            reaction.answer = .deferred
            return
        }
        accepted[name(of: one)] = now
        reaction.cut.append("soundCut(\(heard.name))")
        self.heard = Heard(
            request: heard.request, name: heard.name, begins: max(now, heard.begins), played: .zero)
        reaction.soundBegan = ["soundBegan(\(heard.name))"]
    }

    mutating func hush() {
        if announcements.isEmpty { reaction.answer = .noActionableNowPlayingItem }
        reaction.cut += announcements.map { "soundCut(\(name(of: $0)))" }
        announcements = []
        if case .announcement? = heard?.request { heard = nil }
    }

    /// Handles the end of a sound that was played completely.
    mutating func endSound() {
        guard let heard else { return }
        switch heard.request {
        case .cue(let signal): signals[signal].isCueDone = true
        case .announcement(let announcement): announcements.removeAll { $0 == announcement }
        }
        reaction.ended.append("soundEnded(\(heard.name))")
        self.heard = nil
        move()
    }

    /// Drops an announcement that will no longer be played.
    mutating func expire(_ announcement: Announcement) {
        reaction.expired.append("soundExpired(\(name(of: announcement)))")
        announcements.removeAll { $0 == announcement }
    }

    /// Handles waking. Announcements that have expired are dropped first. A sound that was playing is cut off.
    mutating func wakeSounds() {
        let late = waiting.filter { $0.deadline.map { $0 <= now } ?? false }
        late.sorted { ($0.expires ?? now, $0.id) < ($1.expires ?? now, $1.id) }.forEach { expire($0) }
        cutSound()
    }

    private mutating func cutSound() {
        guard let heard else { return }
        reaction.cut.append("soundCut(\(heard.name))")
        let played = heard.played + max(.zero, stopped - heard.begins)
        switch heard.request {
        case .cue(let signal): signals[signal].cuePlayed = played
        case .announcement(let announcement):
            guard let index = announcements.firstIndex(of: announcement) else { break }
            announcements[index].played = played
            if let expires = announcements[index].deadline, expires <= now { expire(announcement) }
        }
        self.heard = nil
    }

    /// The time at which a sound stops that is cut now. A sound does not play while the system sleeps.
    private var stopped: Duration { min(now, fellAsleep ?? now) }

    /// Returns the part of the sound that a request has played and does not play again.
    private mutating func begin(_ request: Request) -> Duration {
        switch request {
        case .cue(let signal):
            let sound = policy.sounds.first { $0.id == signals[signal].policy.cue }
            return sound?.continues ?? false ? signals[signal].cuePlayed : .zero
        case .announcement(let announcement):
            guard let index = announcements.firstIndex(of: announcement) else { return .zero }
            announcements[index].hasBegun = true
            return announcement.sound.continues ? announcements[index].played : .zero
        }
    }

    /// Derives the consequences of an event for the sounds, after the music has followed the directive.
    mutating func settleSounds() {
        if let before = reaction.levelBefore, let level, level < before {
            playback.rampEnds = now + configuration.playback.duckAttack
            playback.isRampFadeOut = false
        }
        guard due != heard?.request else { return }
        cutSound()
        guard let due else { return }
        let played = begin(due)
        heard = Heard(request: due, name: name(of: due), begins: now + max(wait(for: due), lead), played: played)
        reaction.soundBegan = ["soundBegan(\(name(of: due)))"]
    }

    private func wait(for request: Request) -> Duration {
        guard let required = requirement(of: request) else { return .zero }
        // Silence is treated as the lowest level.
        guard (reaction.levelBefore ?? .mute) > required else { return max(.zero, playback.rampEnds - now) }
        return plays ? configuration.playback.duckAttack : configuration.playback.fadeOut
    }
}
