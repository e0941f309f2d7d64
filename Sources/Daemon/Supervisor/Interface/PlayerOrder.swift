import Playback

/// An order to the player, which plays the music and the sounds on a device that can disappear and return. A player does
/// not wait: it reports what takes time by an event. `OfflineEngine` documents each order.
public enum PlayerOrder: Hashable, Sendable {
    /// The device is lost.
    case tearDown
    /// Recreates what plays after the device has returned, or has been replaced or reconfigured.
    case rebuild
    /// Searches for a track, and tries others in that direction if it cannot be read. The event `loaded` or `nothingToLoad`
    /// answers, possibly at once. A new search replaces one in progress.
    case load(track: Int, at: Duration, SearchDirection)
    case seek(to: Duration)
    /// Plays the track.
    /// - Parameters:
    ///   - gain: linear, 0…1.
    ///   - rewinding: how far to rewind before playing out of silence.
    ///   - wait: how long to wait before the first frame out of silence.
    case play(gain: Float, over: Duration, rewinding: Duration = .zero, wait: Duration = .zero)
    case silence(over: Duration)
    case playSound(SoundStart)
    /// Stops the sound, with a fade-out.
    case stopSound
    /// Reads the sounds again, because their files can have changed, and reports each.
    case readSounds

    /// A sound to be played from its beginning over the music, in place of the one that plays, which fades out meanwhile.
    /// The event `soundEnded` reports its last frame.
    public struct SoundStart: Hashable, Sendable {
        /// The index in the player's sounds.
        public let sound: Int
        /// What is heard instead of the sound's own file; nil for that.
        public let clip: SoundClip?
        /// A number that the events repeat; higher than all before.
        public let order: Int
        /// Whether the built-in tone, which repeats, replaces a sound that cannot be read.
        public let isCue: Bool
        /// Whether it repeats, without a gap, until another order.
        public let repeats: Bool
        /// How long after the present frame it begins.
        public let wait: Duration
    }
}

/// What a player knows of itself at an instant.
public struct PlayerState: Hashable, Sendable {
    /// The position that is heard or searched for, or at which the music would resume; nil without a track.
    public var playhead: Playhead?
    /// The position that is actually heard: the previous track continues until the selected one has been read. While
    /// silent, the playhead.
    public var heard: Playhead?
    /// The current track's length, if it is certain.
    public var certainTrackLength: Duration?
    /// Whether a fade-out is still heard: a play then reverses it.
    public var isFadingOut = false
    /// How long sound is still heard after the end of a fade-out or a sound: what the device holds, and the short fade-out
    /// of a sound that was cut. Zero on a virtual clock, whose events come at their exact frames.
    public var tail = Duration.zero

    /// The state of a player that plays nothing.
    public init() {}
}
