import AudioSession

/// The level at which the music was last ordered to play, and its way there.
struct MusicRamp {
    var applied = Directive.silent
    /// When the last falling ramp, to silence or to a lower level, reaches its end.
    var fallEnd = Duration.zero
    /// When the music was last started out of silence: its first frame is heard then, after an amplifier's lead.
    var startedAt: Duration?

    /// Whether a frame of the music has been heard since it was last started.
    func hasBegun(by now: Duration) -> Bool { startedAt.map { $0 < now } ?? true }

    /// After sleep, music that plays continues its ramp where it stopped; a fade-out is over.
    mutating func wake(after sleep: Duration) { fallEnd = applied == .silent ? .zero : fallEnd + sleep }

    /// How long a fade-out that begins now lasts. Notes when it ends.
    mutating func fadeOut(over longest: Duration, hasJustAwoken: Bool, at now: Duration) -> Duration {
        let fade = hasJustAwoken ? .zero : longest
        guard case .play(let level) = applied else { return fade }
        // Music that begins only now, or still waits for an amplifier, has no fade-out.
        guard hasBegun(by: now) else {
            fallEnd = .zero
            return fade
        }
        // Nor has it at `mute`: at most its ramp to there still runs, and completes.
        guard level > .mute || hasJustAwoken else { return fallEnd > now ? fallEnd - now : fade }
        fallEnd = now + fade
        return fade
    }
}
