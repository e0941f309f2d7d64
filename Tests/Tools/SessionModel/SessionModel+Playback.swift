import AudioSession

/// The position of the music and the times at which its ramps complete.
extension SessionModel {
    struct TestMusic {
        var track = 0
        /// The position in the track. While nothing plays, this is the current position. During playback, it is the
        /// position at `since`.
        var position = Duration.zero
        var since: Duration?
        /// The position from which the music last resumed.
        var anchor = Duration.zero
        var owesRewind = false
        /// The times at which the fade-out began and ends, if it can be reversed.
        var fading: (since: Duration, until: Duration)?
        /// The time at which the first frame is played after the music last started out of silence.
        var startedAt = Duration.zero
        /// The time at which the last falling ramp completes.
        var rampEnds = Duration.zero
        /// True if that ramp is the fade-out of a source.
        var isRampFadeOut = false
        /// True if the music was playing when the power failed.
        var wasPlaying = false

        /// Returns the position at a time if nothing stops the music.
        func reached(by now: Duration) -> Duration { position + (since.map { max(.zero, now - $0) } ?? .zero) }
    }

    var trackLength: Duration { list[playback.track].length }
    private var nextTrack: Int {
        chosen == nil && policy.repeats == .track ? playback.track : (playback.track + 1) % list.count
    }

    var reported: Duration {
        if playback.since != nil { return wakes == nil ? playback.reached(by: now) : playback.position }
        return playback.owesRewind ? rewound : playback.position
    }

    /// The track at the music's position. A fade-out that is reversed beyond the end of a track has passed that track
    /// before the event for its end.
    public var place: (track: String, position: Duration) {
        guard !list.isEmpty else { return ("-", .zero) }
        guard reported > trackLength, !isLastTrack else { return (list[playback.track].name, reported) }
        return (list[nextTrack].name, reported - trackLength)
    }

    /// The position after a rewind, which passes neither the track's start nor the position from which playback last
    /// resumed.
    var rewound: Duration {
        let position = playback.position
        return max(.zero, position - configuration.playback.resumeRewind, min(position, playback.anchor))
    }

    /// True if no source plays.
    var isSilent: Bool { playback.since == nil && inputs.audible == nil }

    mutating func forgetFades() {
        playback.fading = nil
        for index in inputs.all.indices { inputs.all[index].voice.fadesUntil = nil }
    }

    /// Makes the music follow the directive and the selection.
    mutating func move(to target: Duration? = nil, fades: Bool = true) {
        let selected = selected
        if playback.since != nil, !plays || selected != nil { silence(fades: fades) }
        if let audible = inputs.audible, !plays || selected != audible {
            inputs.audible = nil
            inputs.startsNow = false
            let voice = inputs.all[audible].voice
            let canFade = fades && inputs.all[audible].sounds
            inputs.all[audible].voice.fadesUntil = fadeOut(since: voice.startedAt, fades: canFade)
        }
        if plays, let selected, inputs.audible == nil {
            inputs.audible = selected
            if (inputs.all[selected].voice.fadesUntil ?? .zero) <= now {
                inputs.all[selected].voice.startedAt = now
                inputs.startsNow = true
            }
            inputs.all[selected].voice.fadesUntil = nil
        }
        if let target {
            (playback.position, playback.anchor, playback.owesRewind) = (target, target, false)
            playback.fading = nil
            playback.since = playback.since.map { max(now, $0) }
        }
        guard plays, selected == nil, playback.since == nil else { return }
        if let fading = playback.fading, now < fading.until {
            playback.position += now - fading.since
        } else {
            if playback.owesRewind { playback.position = rewound }
            playback.anchor = playback.position
            playback.startedAt = now
            reaction.startsNow = true
        }
        playback.fading = nil
        playback.owesRewind = false
        playback.since = now
    }

    private mutating func silence(fades: Bool) {
        playback.position = playback.reached(by: now)
        playback.since = nil
        reaction.startsNow = false
        playback.owesRewind = library.intent == .playing
        playback.fading = fadeOut(since: playback.startedAt, fades: fades).map { (now, $0) }
    }

    /// Determines the falling ramp of a source that is no longer to be heard.
    /// - Returns: The time at which its fade-out ends, if it can be reversed.
    private mutating func fadeOut(since start: Duration, fades: Bool) -> Duration? {
        let hasRamp = fades && !device.isWaking && start < now
        // There is no ramp from `mute` to silence, but the ramp to `mute` may not be complete.
        if hasRamp, reaction.levelBefore != .mute {
            playback.rampEnds = now + configuration.playback.fadeOut
            playback.isRampFadeOut = true
        } else if !hasRamp, !plays {
            // Another source may still fade out.
            let others = inputs.all.compactMap(\.voice.fadesUntil) + [playback.fading?.until].compactMap { $0 }
            playback.rampEnds = max(now, others.max() ?? now)
            playback.isRampFadeOut = true
        }
        return hasRamp && playback.rampEnds > now && volume != .mute ? playback.rampEnds : nil
    }

    // MARK: The end of a track

    /// The time at which the end of the track is handled, and its text in a trace, or nil while no end is expected.
    var trackEnd: (at: Duration, event: String)? {
        let event = isLastTrack && !isLibraryNext ? "playlist ended" : "track ended"
        if let since = playback.since { return (since + trackLength - playback.position, event) }
        // A fade-out was reversed beyond the track's end, and the music was silenced again at the same instant.
        return !list.isEmpty && playback.position > trackLength ? (now, event) : nil
    }

    mutating func endTrack() {
        if isLibraryNext {
            let left = leaveChoice()
            (playback.position, playback.anchor, playback.owesRewind) = (left, left, false)
            playback.since = playback.since.map { _ in now }
            return
        }
        // The value is more than zero if a fade-out ran past the end.
        let beyond = playback.reached(by: now) - trackLength
        (playback.position, playback.anchor, playback.owesRewind) = (isLastTrack ? .zero : beyond, .zero, false)
        guard isLastTrack else {
            playback.track = nextTrack
            if playback.since != nil { playback.since = now }
            return
        }
        library.intent = .stopped
        playback.track = 0
        playback.since = nil
        // Playback has ended, and so has any ramp.
        playback.rampEnds = now
    }
}
