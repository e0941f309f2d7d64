import AudioSession
import Playback

/// Carries out what the session decided.
extension Supervisor {
    func perform(_ action: Action, _ report: inout Report) {
        switch action {
        case .load(let track, let direction):
            continuedFrom = .zero
            load(track, direction, &report)
        case .seek(let position):
            continuedFrom = position
            player?.seek(to: position)
        case .tearDown: player?.tearDown()
        case .rebuild: player?.rebuild()
        case .apply(let directive, let rewinding): apply(directive, rewinding: rewinding)
        case .setVolume: if case .play(let level) = applied { play(level, over: Supervisor.volumeRamp) }
        case .muteMicrophone(let isMuted): world.muteMicrophone(isMuted)
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
            player?.silence(over: hasJustAwoken ? .zero : times.fadeOut)
            return
        }
        switch applied {
        case .silent: continueProgramme(at: level, rewinding: rewinding)
        case .play(let before): play(level, over: level < before ? times.duckAttack : times.duckRelease)
        }
    }

    /// Plays out of silence, or reverses a fade-out that is still heard.
    private func continueProgramme(at level: Level, rewinding: Bool) {
        let fadeIn = configuration.playback.fadeIn
        guard let heard = player?.playhead?.position, player?.isFadingOut == false else {
            return play(level, over: fadeIn)
        }
        let start = rewinding ? rewound(from: heard) : heard
        continuedFrom = start
        play(level, over: fadeIn, rewinding: heard - start)
    }

    private func play(_ level: Level, over ramp: Duration, rewinding: Duration = .zero) {
        player?.play(gain: session.volume.attenuated(by: level).gain, over: ramp, rewinding: rewinding)
    }

    /// Where the programme is, or where it would go on. nil without a track.
    public var position: Duration? {
        guard let heard = playhead?.position else { return nil }
        return resumePosition(from: heard)
    }

    /// Where a programme that was heard up to a position is, or would resume.
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

    /// The track that is heard, or would be; nil without one.
    public var track: Track? { trackNumber.map { tracks[$0] } }

    /// Its number in the order of the tracks. It differs from the session's while the storage delays the track selected.
    public var trackNumber: Int? { session.track == nil ? nil : playhead?.track }

    /// Nobody is told of another track for the moment that a search usually takes.
    private var playhead: Playhead? { isSearchLate ? player?.heard : player?.playhead }
}
