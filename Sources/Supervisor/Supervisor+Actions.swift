import AudioSession
import Playback

/// Carries out what the session decided.
extension Supervisor {
    func perform(_ action: Action, _ report: inout Report) {
        switch action {
        case .load(let track, let direction): load(track, direction, &report)
        case .seek(let position): player?.seek(to: position)
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
            player?.silence(over: times.fadeOut)
            return
        }
        switch applied {
        case .silent: play(level, over: times.fadeIn, rewinding: rewinding ? times.resumeRewind : .zero)
        case .play(let before): play(level, over: level < before ? times.duckAttack : times.duckRelease)
        }
    }

    private func play(_ level: Level, over ramp: Duration, rewinding: Duration = .zero) {
        player?.play(gain: session.volume.attenuated(by: level).gain, over: ramp, rewinding: rewinding)
    }

    /// Where the programme is, or where it would go on. nil without a track.
    public var position: Duration? {
        guard let heard = playhead?.position else { return nil }
        guard session.directive == .silent, session.rewindsOnResume else { return heard }
        return max(.zero, heard - configuration.playback.resumeRewind)
    }

    /// The track that is heard, or would be; nil without one.
    public var track: Track? { trackNumber.map { tracks[$0] } }

    /// Its number in the order of the tracks. It differs from the session's while the storage delays the track selected.
    public var trackNumber: Int? { session.track == nil ? nil : playhead?.track }

    /// Nobody is told of another track for the moment that a search usually takes.
    private var playhead: Playhead? { isSearchLate ? player?.heard : player?.playhead }
}
