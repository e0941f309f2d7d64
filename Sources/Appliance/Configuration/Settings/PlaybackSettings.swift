/// How the programme is played.
public struct PlaybackSettings: Hashable, Sendable {
    /// ALSA's name of the output.
    public var device = "default"
    /// The folder or playlist that holds the programme, resolved against the file that names it; nil: none yet.
    public var library: String?
    public var shuffle = false
    /// The ramp down before silence, 0…10 s, as the other ramps.
    public var fadeOut = Duration.milliseconds(60)
    /// The ramp up from silence.
    public var fadeIn = Duration.milliseconds(600)
    /// The ramp down to a ducking level.
    public var duckAttack = Duration.milliseconds(120)
    /// The ramp up from a ducking level.
    public var duckRelease = Duration.milliseconds(800)
    /// How far back the programme continues after an interruption, a lost device or a boot, 0…5 min.
    public var resumeRewind = Duration.zero
    /// How long the device goes on with silence before it is closed, for others to have it; nil: it stays open.
    public var closeAfter: Duration? = .seconds(10)

    public init() {}
}

/// Where the state is kept over a power cut.
public struct StateSettings: Hashable, Sendable {
    public var directory = "/var/lib/tacet"
    /// How often the position of a playing programme is saved, 100 ms…1 h: a power cut costs at most that much of it.
    public var interval = Duration.seconds(5)

    public init() {}
}
