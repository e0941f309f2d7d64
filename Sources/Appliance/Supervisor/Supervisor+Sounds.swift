import AudioSession
import Playback

/// Carries out the session's orders for sounds, and reports their ends.
extension Supervisor {
    /// The sound that the player has been ordered to play.
    struct PlayingSound {
        /// The order's number, which its end repeats: the end of an earlier order is no news.
        let number: Int
        let sound: SoundID
        /// nil for a cue.
        let announcement: Announcement.ID?
        /// When its first frame is heard: when the programme has given way.
        let begins: Duration
        let repeats: Bool
        /// The length of its clip; nil if it is heard with the sound's own file.
        let length: Duration?
    }

    /// Requests an announcement.
    /// - Parameter clip: what is heard instead of the sound's own file; nil for that.
    /// - Returns: the answer, and the request's number, which its notifications carry.
    public func announce(
        _ sound: SoundID, priority: Int? = nil, maximumPriority: Int? = nil,
        expire: Announcement.Expire = .asConfigured, clip: SoundClip? = nil
    ) -> (answer: Answer, id: Announcement.ID) {
        announcements += 1
        let id = announcements
        clips[id] = clip
        let announcement = Announcement(
            sound, id: id, priority: priority, maximumPriority: maximumPriority, expire: expire,
            hasOwnContent: clip != nil)
        let report = take(.event(.command(.announce(announcement))), file: clip.map { AnnouncedFile($0.path) })
        return (report.answer ?? .success, id)
    }

    /// Reports that an announcement is not requested, because its file cannot be used, or it was withdrawn before.
    public func reject(_ announcement: Announcement, _ answer: Answer, _ file: AnnouncedFile) {
        var report = Report(time: world.now, cause: .event(.command(.announce(announcement))))
        report.answer = answer
        report.file = file
        finish(report)
    }

    /// Releases the clips of the announcements that have ended.
    func releaseClips() {
        guard !clips.isEmpty else { return }
        let due = session.dueSound?.announcement
        let waiting = session.waitingAnnouncements
        clips = clips.filter { $0.key == due || waiting.contains($0.key) }
    }

    /// When the due sound will have been heard to its end; nil if none is due, it repeats, or its length is unknown.
    public var soundEnd: Duration? {
        guard let playing, !playing.repeats, let length = playing.length ?? soundLengths[playing.sound] else {
            return nil
        }
        return playing.begins + length
    }

    func play(_ order: SoundOrder) {
        guard let sound = session.policy.sounds.firstIndex(where: { $0.id == order.sound }) else { return }
        // The lead and the programme's ramp run together.
        let wait = max(wait(for: order.wait), lead)
        soundOrders += 1
        let clip = order.announcement.flatMap { clips[$0] }
        // Its predecessor's end at this very instant is not its own.
        soundHasEnded = false
        playing = PlayingSound(
            number: soundOrders, sound: order.sound, announcement: order.announcement, begins: world.now + wait,
            repeats: order.repeats, length: clip?.length)
        // The programme is still falling, if to a higher level than before: it must be there in time.
        if order.wait == .remainder, rampEnd > world.now, case .play(let level) = applied { play(level, over: wait) }
        player?.playSound(
            sound, clip: clip, order: soundOrders, isCue: order.announcement == nil, repeats: order.repeats, after: wait
        )
    }

    func stopSound() {
        playing = nil
        soundHasEnded = false
        player?.stopSound()
    }

    private func wait(for wait: SoundOrder.Wait) -> Duration {
        switch wait {
        case .none: .zero
        case .fadeOut: configuration.playback.fadeOut
        case .duckAttack: configuration.playback.duckAttack
        case .remainder: max(.zero, rampEnd - world.now)
        }
    }

    /// Takes an event of the player about a sound.
    /// - Returns: what it means; nil if it is no news.
    func follow(sound event: PlaybackEvent) -> Cause? {
        let sounds = session.policy.sounds
        switch event {
        case .soundReadable(let index, let length, let defect):
            let sound = sounds[index].id
            soundLengths[sound] = length
            let wasUnreadable = soundProblems[sound]?.isFault ?? false
            soundProblems[sound] = defect.map { .inaudible($0.message) }
            return wasUnreadable ? .event(.soundReadable(sound, true)) : nil
        case .soundUnreadable(let index, let reason):
            let sound = sounds[index].id
            soundLengths[sound] = nil
            let wasUnreadable = soundProblems[sound]?.isFault ?? false
            soundProblems[sound] = .unreadable("\(reason)")
            return wasUnreadable ? nil : .event(.soundReadable(sound, false), .unreadable(reason: "\(reason)"))
        case .soundBroken(let index, let reason):
            return .note(.soundBroken(sounds[index].id, reason: "\(reason)", isPlayed: reason.reason == .gap))
        case .soundEnded(let number), .soundCut(let number):
            guard playing?.number == number else { return nil }
            soundHasEnded = true
            if case .soundCut = event { isSoundCut = true } else { isSoundCut = false }
            return nil
        default: return nil
        }
    }

    /// The end of the sound that plays, once.
    func takeEndedSound() -> Cause? {
        guard soundHasEnded else { return nil }
        soundHasEnded = false
        defer { playing = nil }
        return playing.map { .event(isSoundCut ? .soundBroken : .soundEnded, .sound($0.sound)) }
    }

    /// The player's sounds, in the order of the session's.
    var sounds: [Sound] {
        configuration.session.sounds.map { policy in
            let settings = configuration.sounds[policy.id]
            return Sound(file: Track(path: settings?.file ?? ""), gain: (settings?.level ?? .full).gain)
        }
    }
}

/// What is wrong with a sound's file, in the system's or the decoder's words.
public enum SoundProblem: Hashable, Sendable {
    /// It cannot be read, which is a fault.
    case unreadable(String)
    /// It can be read, but nobody hears it.
    case inaudible(String)

    public var isFault: Bool { if case .unreadable = self { true } else { false } }

    public var reason: String {
        switch self {
        case .unreadable(let reason), .inaudible(let reason): reason
        }
    }
}
