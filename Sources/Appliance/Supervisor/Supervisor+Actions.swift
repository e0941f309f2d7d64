import AudioSession
import Playback

/// Carries out the session's actions.
extension Supervisor {
    func perform(_ action: Action, _ report: inout Report) {
        switch action {
        case .load(let track, let direction):
            continuedFrom = .zero
            load(track, direction, &report)
        case .seek(let position):
            continuedFrom = position
            player?.seek(to: position)
        case .tearDown:
            rampEnd = .zero
            player?.tearDown()
        case .rebuild:
            // A fade-out in progress is over.
            if session.directive == .silent { rampEnd = .zero }
            player?.rebuild()
        case .apply(let directive, let rewinding): apply(directive, rewinding: rewinding)
        case .setVolume:
            if case .play(let level) = applied { play(level, over: inTime(Supervisor.volumeRamp)) }
        case .playSound(let order): play(order)
        case .stopSound: stopSound()
        case .muteMicrophone(let isMuted): world.muteMicrophone(isMuted)
        case .record(let directive): world.record(directive)
        case .save(let urgently): save(urgently: urgently)
        case .post(let notification): report.notifications.append(notification)
        case .log(let remark): report.remarks.append(remark)
        case .answer(let answer): report.answer = answer
        }
    }

    private func apply(_ directive: Directive, rewinding: Bool) {
        let times = configuration.playback
        defer { applied = directive }
        guard case .play(let level) = directive else {
            player?.silence(over: fadeOut())
            return
        }
        switch applied {
        case .silent: continueProgramme(at: level, rewinding: rewinding)
        case .play(let before):
            if level < before { rampEnd = world.now + times.duckAttack }
            // Nor has it reached any level.
            if !hasBegun { return play(level, over: times.fadeIn) }
            play(level, over: inTime(level < before ? times.duckAttack : times.duckRelease))
        }
    }

    /// How long a fade-out that begins now lasts. Notes when it ends.
    private func fadeOut() -> Duration {
        let fade = hasJustAwoken ? .zero : configuration.playback.fadeOut
        guard case .play(let level) = applied else { return fade }
        // A programme that begins only now, or still waits for an amplifier, has no fade-out.
        guard hasBegun else {
            rampEnd = .zero
            return fade
        }
        // Nor has one at `mute`: at most its ramp to there still runs, and completes.
        guard level > .mute || hasJustAwoken else { return rampEnd > world.now ? rampEnd - world.now : fade }
        rampEnd = world.now + fade
        return fade
    }

    /// Whether a frame of the programme has been heard since it was last started.
    private var hasBegun: Bool { startedAt.map { $0 < world.now } ?? true }

    /// A ramp that is complete when the sound begins for which the programme gives way.
    private func inTime(_ ramp: Duration) -> Duration {
        guard let playing, playing.begins > world.now, let due = session.dueSound, due.sound == playing.sound,
            due.announcement == playing.announcement
        else { return ramp }
        return min(ramp, playing.begins - world.now)
    }

    /// Starts from silence, or reverses a fade-out that is still heard.
    private func continueProgramme(at level: Level, rewinding: Bool) {
        let fadeIn = configuration.playback.fadeIn
        guard let heard = player?.playhead?.position, player?.isFadingOut == false else {
            return play(level, over: inTime(fadeIn))
        }
        let start = rewinding ? rewound(from: heard) : heard
        continuedFrom = start
        startedAt = world.now + lead
        play(level, over: fadeIn, rewinding: heard - start)
    }

    func play(_ level: Level, over ramp: Duration, rewinding: Duration = .zero) {
        player?.play(gain: session.volume.attenuated(by: level).gain, over: ramp, rewinding: rewinding, after: lead)
    }

    /// The programme's position, or the one at which it would resume; nil without a track.
    public var position: Duration? {
        guard let heard = playhead?.position else { return nil }
        return resumePosition(from: heard)
    }

    /// The position of a programme that was heard up to `heard`, or the one at which it would resume.
    func resumePosition(from heard: Duration) -> Duration {
        session.directive == .silent && session.rewindsOnResume ? rewound(from: heard) : heard
    }

    /// `ResumeRewind` earlier, but neither before the track's start nor before the position from which the programme last
    /// continued: the rewinds of interruptions in quick succession do not add up.
    static func rewound(from heard: Duration, by rewind: Duration, continuedFrom: Duration) -> Duration {
        max(.zero, heard - rewind, min(heard, continuedFrom))
    }

    private func rewound(from heard: Duration) -> Duration {
        Self.rewound(from: heard, by: configuration.playback.resumeRewind, continuedFrom: continuedFrom)
    }

    /// The track that plays or would resume; nil without one.
    public var track: Track? { trackNumber.map { tracks[$0] } }

    /// Its index in the order of the tracks. It differs from the session's track while the storage delays the selected one.
    public var trackNumber: Int? { session.track == nil ? nil : playhead?.track }

    /// While a search takes no longer than usual, the selected track already counts as the current one.
    private var playhead: Playhead? { isSearchLate ? player?.heard : player?.playhead }
}
