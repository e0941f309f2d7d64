import AudioSession
import Playback

/// Translates the session's actions into effects.
extension Supervisor {
    /// The duration of the ramp when the user changes the volume.
    static let volumeRamp = Duration.milliseconds(80)

    mutating func perform(_ action: Action, _ player: PlayerState) {
        switch action {
        case .load(let track, let direction):
            place.continuedFrom = .zero
            look(for: .track, track, at: .zero, direction == .forwards ? .forward : .backward)
            agenda.add(.found)
        case .choose(let choice):
            list.unresolved = nil
            if list.left == nil { list.left = leftPlace(player) }
            place.continuedFrom = choice.request.position
            look(for: .track, choice.track, at: choice.request.position)
            agenda.add(.found)
        case .leaveChoice(let track):
            let position = list.left?.position ?? .zero
            list.left = nil
            place.continuedFrom = position
            look(for: .track, track, at: position)
            // The player has stopped at the end of the choice.
            if hasPlaybackEnded, case .play(let level) = ramp.applied { play(level, over: .zero) }
            agenda.add(.found)
        case .seek(let position):
            place.continuedFrom = position
            order(.seek(to: position))
        case .tearDown:
            ramp.fallEnd = .zero
            order(.tearDown)
        case .rebuild:
            // A fade-out in progress is over.
            if session.directive == .silent || ramp.isFadeOut { ramp.fallEnd = .zero }
            order(.rebuild)
        case .apply(let directive, let rewinding): apply(directive, rewinding: rewinding, player)
        case .select(let source): select(source, player)
        case .setVolume:
            if case .play(let level) = ramp.applied { play(level, over: inTime(Self.volumeRamp)) }
            followVolume()
        case .playSound(let order): play(order)
        case .stopSound:
            sounds.playing = nil
            order(.stopSound)
        case .player(let player, let command): agenda.add(.effect(.command(player, command)))
        case .muteMicrophone(let isMuted): agenda.add(.effect(.muteMicrophone(isMuted)))
        case .record(let directive): agenda.add(.effect(.record(directive)))
        case .save(let urgently): agenda.add(.save(urgently: urgently))
        case .post(let notification): agenda.report?.notifications.append(notification)
        case .log(let noOpReason): agenda.report?.noOpReasons.append(noOpReason)
        case .answer(let answer): agenda.report?.answer = answer
        }
    }

    /// Fades out the source that was selected, unless it has ceased, and starts the next one from silence.
    private mutating func select(_ source: Source, _ player: PlayerState) {
        let fadeOut = configuration.playback.fadeOut
        switch agenda.report?.event {
        // It has nothing left to fade out, and neither has a system that starts.
        case .inputCeased(let input) where session.policy.inputs.contains { $0.id == input && $0.role != .page }:
            ramp.fallEnd = ramp.applied == .silent ? ramp.fallEnd : .zero
            order(.select(input: index(of: source), fadeOut: .zero))
        case .boot: order(.select(input: index(of: source), fadeOut: .zero))
        default:
            let fade = ramp.fadeOut(over: fadeOut, hasJustAwoken: false, at: now)
            order(.select(input: index(of: source), fadeOut: fade))
        }
        ramp.applied = .silent
    }

    private func index(of source: Source) -> Int? {
        guard case .input(let input) = source else { return nil }
        return configuration.inputs.firstIndex { $0.id == input }
    }

    private mutating func apply(_ directive: Directive, rewinding: Bool, _ player: PlayerState) {
        let times = configuration.playback
        defer { ramp.applied = directive }
        guard case .play(let level) = directive else {
            // The system has just woken and has not played anything yet, so there is nothing to fade out.
            let hasJustAwoken = if case .awoke = agenda.report?.event { true } else { false }
            return order(.silence(over: ramp.fadeOut(over: times.fadeOut, hasJustAwoken: hasJustAwoken, at: now)))
        }
        switch ramp.applied {
        case .silent: continueMusic(at: level, rewinding: rewinding, player)
        case .play(let before):
            if level < before { ramp.attenuate(until: now + times.duckAttack) }
            // Music that has not begun has not reached any level either.
            if !ramp.hasBegun(by: now) { return play(level, over: times.fadeIn) }
            play(level, over: inTime(level < before ? times.duckAttack : times.duckRelease))
        }
    }

    /// Shortens a ramp so that the music is quiet enough when the sound that requires it begins.
    private func inTime(_ ramp: Duration) -> Duration {
        guard let playing = sounds.playing, playing.begins > now, let due = session.dueSound,
            due.sound == playing.sound, due.announcement == playing.announcement
        else { return ramp }
        return min(ramp, playing.begins - now)
    }

    /// Starts the music from silence, or reverses a fade-out that is still being played.
    private mutating func continueMusic(at level: Level, rewinding: Bool, _ player: PlayerState) {
        let fadeIn = configuration.playback.fadeIn
        guard session.source == .library else {
            ramp.startedAt = now + lead
            return play(level, over: fadeIn)
        }
        guard let heard = player.playhead?.position, !player.isFadingOut else {
            return play(level, over: inTime(fadeIn))
        }
        let start = rewinding ? rewound(from: heard) : heard
        place.continuedFrom = start
        ramp.startedAt = now + lead
        play(level, over: fadeIn, rewinding: heard - start)
    }

    mutating func play(_ level: Level, over ramp: Duration, rewinding: Duration = .zero) {
        order(
            .play(gain: session.volume.attenuated(by: level).gain, over: ramp, rewinding: rewinding, wait: lead))
    }

    // MARK: Position

    /// True if the event is the end of what was played.
    private var hasPlaybackEnded: Bool {
        switch agenda.report?.event {
        case .choiceEnded, .choiceLost: true
        default: false
        }
    }

    /// Returns the place at which the library is left for a choice.
    private func leftPlace(_ player: PlayerState) -> LeftPlace {
        guard let playhead = player.playhead else { return LeftPlace(track: place.track, position: place.position) }
        return LeftPlace(track: tracks[playhead.track].path, position: playhead.position)
    }

    /// Returns the position at which the music plays or would resume, or nil if there is no track.
    public func position(of player: PlayerState) -> Duration? {
        playhead(of: player).map { resumePosition(from: $0.position) }
    }

    /// Returns the position at which music that was played up to `heard` plays or would resume.
    func resumePosition(from heard: Duration) -> Duration {
        !session.isLibraryPlaying && session.rewindsOnResume ? rewound(from: heard) : heard
    }

    /// Returns the position `ResumeRewind` earlier, but neither before the track's start nor before the position from
    /// which the music last continued. For this reason, the rewinds of interruptions in quick succession do not add up.
    static func rewound(from heard: Duration, by rewind: Duration, continuedFrom: Duration) -> Duration {
        max(.zero, heard - rewind, min(heard, continuedFrom))
    }

    private func rewound(from heard: Duration) -> Duration {
        Self.rewound(from: heard, by: configuration.playback.resumeRewind, continuedFrom: place.continuedFrom)
    }

    /// Returns the track that is playing or would resume, or nil if there is no track.
    public func track(of player: PlayerState) -> Track? { trackNumber(of: player).map { tracks[$0] } }

    /// Returns the index, in the order of the tracks, of the track that is playing or would resume. It differs from the
    /// session's track while the storage delays the selected one.
    public func trackNumber(of player: PlayerState) -> Int? {
        session.track == nil ? nil : playhead(of: player)?.track
    }

    /// Returns the current playhead. While a search takes no longer than usual, the selected track is already treated
    /// as the current one.
    private func playhead(of player: PlayerState) -> Playhead? {
        list.search?.isLate == true ? player.heard : player.playhead
    }
}
