import AudioSession

/// Where the programme is, and when its ramps are complete.
extension SessionModel {
    struct Programme {
        var track = 0
        /// The position in the track: while silent, the current one; while playing, that at `since`.
        var position = Duration.zero
        var since: Duration?
        /// The position from which it last resumed.
        var anchor = Duration.zero
        var owesRewind = false
        /// When the fade-out began, and when it ends, if it can be reversed.
        var fading: (since: Duration, until: Duration)?
        /// When it last started out of silence: when its first frame is heard.
        var startedAt = Duration.zero
        /// When its last falling ramp is complete.
        var rampEnds = Duration.zero
        /// Whether it was playing when the power failed.
        var wasPlaying = false

        /// Where it is, if nothing stops it.
        func reached(by now: Duration) -> Duration { position + (since.map { max(.zero, now - $0) } ?? .zero) }
    }

    var trackLength: Duration { tracks[programme.track].length }
    private var isLastTrack: Bool { policy.repeats == .none && programme.track == tracks.count - 1 }
    private var nextTrack: Int { policy.repeats == .track ? programme.track : (programme.track + 1) % tracks.count }

    var reported: Duration {
        if programme.since != nil { return wakes == nil ? programme.reached(by: now) : programme.position }
        return programme.owesRewind ? rewound : programme.position
    }

    /// The track at the programme's position, which a fade-out that reverses beyond the track's end has passed before the
    /// event that says so.
    public var place: (track: String, position: Duration) {
        guard !tracks.isEmpty else { return ("-", .zero) }
        guard reported > trackLength, !isLastTrack else { return (tracks[programme.track].name, reported) }
        return (tracks[nextTrack].name, reported - trackLength)
    }

    /// A rewind passes neither the track's start nor the position from which playback last resumed.
    var rewound: Duration {
        let position = programme.position
        return max(.zero, position - configuration.playback.resumeRewind, min(position, programme.anchor))
    }

    /// Makes the programme follow the directive.
    mutating func move(to target: Duration? = nil, fades: Bool = true) {
        if programme.since != nil, !plays { silence(fades: fades) }
        if let target {
            (programme.position, programme.anchor, programme.owesRewind) = (target, target, false)
            programme.fading = nil
            programme.since = programme.since.map { max(now, $0) }
        }
        guard plays, programme.since == nil else { return }
        if let fading = programme.fading, now < fading.until {
            programme.position += now - fading.since
        } else {
            if programme.owesRewind { programme.position = rewound }
            programme.anchor = programme.position
            programme.startedAt = now
            reaction.startsNow = true
        }
        programme.fading = nil
        programme.owesRewind = false
        programme.since = now
    }

    private mutating func silence(fades: Bool) {
        programme.position = programme.reached(by: now)
        programme.since = nil
        reaction.startsNow = false
        programme.owesRewind = intent == .playing
        let hasRamp = fades && !device.isWaking && programme.startedAt < now
        // There is no ramp from `mute` to silence, but the one to `mute` may not be complete.
        if reaction.levelBefore != .mute || !hasRamp {
            programme.rampEnds = hasRamp ? now + configuration.playback.fadeOut : now
        }
        programme.fading = hasRamp && programme.rampEnds > now && volume != .mute ? (now, programme.rampEnds) : nil
    }

    // MARK: The end of a track

    /// When the track's end is due, and its text in a trace; nil while it is not.
    var trackEnd: (at: Duration, event: String)? {
        let event = isLastTrack ? "playlist ended" : "track ended"
        if let since = programme.since { return (since + trackLength - programme.position, event) }
        // A fade-out reversed beyond the track's end, and was silenced again at the same instant.
        return !tracks.isEmpty && programme.position > trackLength ? (now, event) : nil
    }

    mutating func endTrack() {
        // More than nothing if a fade-out ran past the end.
        let beyond = programme.reached(by: now) - trackLength
        (programme.position, programme.anchor, programme.owesRewind) = (isLastTrack ? .zero : beyond, .zero, false)
        guard isLastTrack else {
            programme.track = nextTrack
            if programme.since != nil { programme.since = now }
            return
        }
        intent = .stopped
        programme.track = 0
        programme.since = nil
        // It has ended, and so has any ramp.
        programme.rampEnds = now
    }
}
