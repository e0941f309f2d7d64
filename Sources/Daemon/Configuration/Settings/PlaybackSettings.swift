import AudioSession

/// The settings for playback.
public struct PlaybackSettings: Hashable, Sendable {
    /// ALSA's name of the output.
    public var device = "default"
    /// The outputs to use in this order while `device` cannot be opened.
    public var fallbackDevices: [String] = []
    /// The names of all outputs, in order of preference.
    public var devices: [String] { [device] + fallbackDevices }
    /// ALSA's name of the jack of the output, or nil if none is watched.
    public var jack: String?
    /// The folder or playlist with the music, or nil if none is set. A relative path starts at the folder of the file
    /// that sets it.
    public var library: String?
    public var shuffle = false
    /// The time without a command after which `idlePlaylist` is chosen, 1 s…365 d, or nil if it is never chosen.
    public var idleAfter: Duration?
    /// The track, folder or playlist of the library that is played when nobody has given a command for a while.
    public var idlePlaylist: String?
    /// The ramp down to silence, 0…10 s like the other ramps.
    public var fadeOut = Duration.milliseconds(60)
    /// The ramp up from silence.
    public var fadeIn = Duration.milliseconds(600)
    /// The ramp down to a ducking level.
    public var duckAttack = Duration.milliseconds(120)
    /// The ramp up from a ducking level.
    public var duckRelease = Duration.milliseconds(800)
    /// The distance that the music rewinds before it resumes after an interruption, a lost device or a boot, 0…5 min.
    public var resumeRewind = Duration.zero
    /// The time for which the device plays silence before it is closed so that other programs can use it, 0…365 d, or
    /// nil if it is never closed.
    public var closeAfter: Duration? = .seconds(10)

    public init() {}

    /// The request for the tracks that are played when nobody has given a command for a while, or nil if there are none.
    public var idleRequest: ChoiceRequest? { idlePlaylist.map { ChoiceRequest($0, then: .repeat) } }

    /// The longest ramp that may end in silence. This is a fade-out, or a duck to `mute` that an interruption
    /// continues.
    public var longestFade: Duration { max(fadeOut, duckAttack) }
}

/// The directory and the interval for saving the state, so that it survives a power cut.
public struct StateSettings: Hashable, Sendable {
    public var directory = "/var/lib/tacet"
    /// The interval at which the position is saved while music plays, 100 ms…1 h. A power cut loses at most this much
    /// progress.
    public var interval = Duration.seconds(5)

    public init() {}
}
