import AudioSession
import Playback

/// Translates the session's orders for sounds into orders to the player.
extension Supervisor {
    mutating func announce(_ announcement: Announcement, clip: SoundClip?) {
        var announcement = announcement
        announcement.id = sounds.number(clip)
        announcement.hasOwnContent = clip != nil
        handle(.event(.command(.announce(announcement))), file: clip.map { AnnouncedFile($0.path) })
    }

    mutating func play(_ order: SoundOrder) {
        guard let index = session.policy.sounds.firstIndex(where: { $0.id == order.sound }) else {
            return playPage(order)
        }
        // The lead and the music's ramp run at the same time. A previous wait includes the lead.
        let wait = max(wait(for: order.wait), order.wait == .previous ? .zero : lead)
        // The level of the music is still falling, even if its target is now higher than before, and must reach the
        // target in time.
        if order.wait == .remainder, ramp.fallEnd > now, case .play(let level) = ramp.applied {
            play(level, over: wait)
        }
        let level = followsVolume(order.sound) ? session.volume.gain : 1
        self.order(.playSound(sounds.play(order, index, level: level, at: now, after: wait)))
    }

    /// Applies the present volume to the sound that is playing, if it follows the volume.
    mutating func followVolume() {
        guard let playing = sounds.playing, followsVolume(playing.sound) else { return }
        order(.setSoundLevel(session.volume.gain, over: Self.volumeRamp))
    }

    private func followsVolume(_ sound: SoundID) -> Bool { configuration.sounds[sound]?.follow == .volume }

    private mutating func playPage(_ order: SoundOrder) {
        guard let input = configuration.inputs.firstIndex(where: { $0.id.rawValue == order.sound.rawValue }) else {
            return
        }
        sounds.playing = nil
        self.order(.playPage(input: input, wait: max(wait(for: order.wait), lead)))
    }

    private func wait(for wait: SoundOrder.Wait) -> Duration {
        switch wait {
        case .none: .zero
        case .fadeOut: configuration.playback.fadeOut
        case .duckAttack: configuration.playback.duckAttack
        case .remainder: max(.zero, ramp.fallEnd - now)
        case .previous: max(.zero, (sounds.playing?.begins ?? now) - now)
        }
    }

    /// The time by which the current sound will have been played to its end, or nil if there is none, if it repeats, or
    /// if its length is unknown.
    public var soundEnd: Duration? { sounds.end }

    /// The lengths of the sounds that have been read.
    public var soundLengths: [SoundID: Duration] { sounds.lengths }

    /// The problems with the files of sounds.
    public var soundProblems: [SoundID: SoundProblem] { sounds.problems }

    /// The player's sounds in the order of the session's sounds.
    public var soundFiles: [Sound] {
        configuration.session.sounds.map { policy in
            let settings = configuration.sounds[policy.id]
            return Sound(file: Track(path: settings?.file ?? ""), gain: (settings?.level ?? .full).gain)
        }
    }
}
