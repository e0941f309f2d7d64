import AudioSession

/// The level at which the music was last ordered to play, and the ramp to it.
struct MusicRamp {
    var applied = Directive.silent
    /// The time at which the last falling ramp, to silence or to a lower level, ends.
    var fallEnd = Duration.zero
    /// True if that ramp is a fade-out, even if it was reversed.
    private(set) var isFadeOut = false
    /// The time at which the first frame of the music is played after it was last started out of silence. This time is
    /// after an amplifier's lead.
    var startedAt: Duration?

    /// Returns true if a frame of the music has been played since it was last started.
    func hasBegun(by now: Duration) -> Bool { startedAt.map { $0 < now } ?? true }

    /// Adjusts the ramp after sleep. Music that is playing continues its ramp where it stopped, and a fade-out is over.
    mutating func wake(after sleep: Duration) { fallEnd = applied == .silent || isFadeOut ? .zero : fallEnd + sleep }

    /// Records that the music is being attenuated.
    /// - Parameter end: the time at which it has reached its lower level.
    mutating func attenuate(until end: Duration) {
        fallEnd = end
        isFadeOut = false
    }

    /// Returns the duration of a fade-out that begins now, and records when it ends.
    mutating func fadeOut(over longest: Duration, hasJustAwoken: Bool, at now: Duration) -> Duration {
        let fade = hasJustAwoken ? .zero : longest
        guard case .play(let level) = applied else { return fade }
        // Music that is only just beginning, or still waits for an amplifier, has no fade-out.
        guard hasBegun(by: now) else {
            fallEnd = .zero
            return fade
        }
        // Music at `mute` does not need a fade-out either. At most, the ramp to `mute` is still running, and it
        // completes.
        guard level > .mute || hasJustAwoken else { return fallEnd > now ? fallEnd - now : fade }
        fallEnd = now + fade
        isFadeOut = true
        return fade
    }
}
