import AudioSession
import Playback

/// Translates the session's orders for sounds.
extension Supervisor {
    mutating func announce(_ announcement: Announcement, clip: SoundClip?) {
        var announcement = announcement
        announcement.id = sounds.number(clip)
        announcement.hasOwnContent = clip != nil
        handle(.event(.command(.announce(announcement))), file: clip.map { AnnouncedFile($0.path) })
    }

    mutating func play(_ order: SoundOrder) {
        guard let index = session.policy.sounds.firstIndex(where: { $0.id == order.sound }) else { return }
        // The lead and the music's ramp run together.
        let wait = max(wait(for: order.wait), lead)
        // The music is still falling, if to a higher level than before: it must be there in time.
        if order.wait == .remainder, ramp.fallEnd > now, case .play(let level) = ramp.applied {
            play(level, over: wait)
        }
        self.order(.playSound(sounds.play(order, index, at: now, after: wait)))
    }

    private func wait(for wait: SoundOrder.Wait) -> Duration {
        switch wait {
        case .none: .zero
        case .fadeOut: configuration.playback.fadeOut
        case .duckAttack: configuration.playback.duckAttack
        case .remainder: max(.zero, ramp.fallEnd - now)
        }
    }

    /// When the due sound will have been heard to its end; nil if none is due, it repeats, or its length is unknown.
    public var soundEnd: Duration? { sounds.end }

    /// The lengths of the sounds that have been read.
    public var soundLengths: [SoundID: Duration] { sounds.lengths }

    /// What is wrong with the files of sounds.
    public var soundProblems: [SoundID: SoundProblem] { sounds.problems }

    /// The player's sounds, in the order of the session's.
    public var soundFiles: [Sound] {
        configuration.session.sounds.map { policy in
            let settings = configuration.sounds[policy.id]
            return Sound(file: Track(path: settings?.file ?? ""), gain: (settings?.level ?? .full).gain)
        }
    }
}
