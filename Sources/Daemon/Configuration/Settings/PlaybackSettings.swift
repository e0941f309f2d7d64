/// How the music is played.
public struct PlaybackSettings: Hashable, Sendable {
    /// ALSA's name of the output.
    public var device = "default"
    /// The outputs to use instead, in this order, while `device` cannot be opened.
    public var fallbackDevices: [String] = []
    /// ALSA's name of the jack of the output; nil: none is watched.
    public var jack: String?
    /// The folder or playlist with the music; a relative path starts at the file that sets it. nil if none is set.
    public var library: String?
    public var shuffle = false
    /// The ramp down to silence; like the other ramps, 0…10 s.
    public var fadeOut = Duration.milliseconds(60)
    /// The ramp up from silence.
    public var fadeIn = Duration.milliseconds(600)
    /// The ramp down to a ducking level.
    public var duckAttack = Duration.milliseconds(120)
    /// The ramp up from a ducking level.
    public var duckRelease = Duration.milliseconds(800)
    /// How far the music rewinds before it resumes after an interruption, a lost device or a boot, 0…5 min.
    public var resumeRewind = Duration.zero
    /// How long the device plays silence before it is closed so that other programs can use it, 0…365 d; nil: never
    /// closed.
    public var closeAfter: Duration? = .seconds(10)

    public init() {}

    /// The longest ramp that can end in silence: a fade-out, or a duck to `mute` that an interruption continues.
    public var longestFade: Duration { max(fadeOut, duckAttack) }
}

/// Where and how often the state is saved, to survive a power cut.
public struct StateSettings: Hashable, Sendable {
    public var directory = "/var/lib/tacet"
    /// How often the position of a playing music is saved, 100 ms…1 h; a power cut loses at most this much of it.
    public var interval = Duration.seconds(5)

    public init() {}
}
