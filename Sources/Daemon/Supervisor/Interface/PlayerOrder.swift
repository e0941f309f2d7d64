import Playback

/// An order to the player, which plays the music and the sounds on a device that may disappear and return. A player
/// does not wait. If an order takes time, an event reports its completion. `OfflineEngine` documents each order.
public enum PlayerOrder: Hashable, Sendable {
    /// The device is lost.
    case tearDown
    /// Rebuilds the playback after the device has returned, or has been replaced or reconfigured.
    case rebuild
    /// Searches for a track, and tries others in that direction if it cannot be read. The event `loaded` or
    /// `nothingToLoad` reports the result, possibly at once. A new search replaces one in progress.
    case load(track: Int, at: Duration, SearchDirection)
    case seek(to: Duration)
    /// Plays the track.
    /// - Parameters:
    ///   - gain: The linear gain, 0…1.
    ///   - rewinding: The distance to rewind before playing out of silence.
    ///   - wait: The time to wait before the first frame out of silence.
    case play(gain: Float, over: Duration, rewinding: Duration = .zero, wait: Duration = .zero)
    case silence(over: Duration)
    /// Fades out the selected source, and applies `play` and `silence` to another one from now on. The library keeps its
    /// position meanwhile.
    /// - Parameters:
    ///   - input: The index of an input in the configuration, or nil for the library.
    ///   - fadeOut: The time of the fade-out, which is zero if the source is silent.
    case select(input: Int?, fadeOut: Duration)
    case playSound(SoundStart)
    /// Plays what arrives at a page in place of a sound. It replaces the sound that is playing.
    /// - Parameters:
    ///   - input: The index of the input in the configuration.
    ///   - wait: The time until it is heard. What arrives before is discarded.
    case playPage(input: Int, wait: Duration)
    /// Changes the gain of a sound that follows the volume. See `SoundStart.level`.
    case setSoundLevel(Float, over: Duration)
    /// Stops the sound with a fade-out.
    case stopSound
    /// Reads the sounds again, because their files may have changed, and reports each.
    case readSounds

    /// A sound that is played over the music. It replaces the sound that is playing, which fades out
    /// at the same time. The event `soundEnded` reports its last frame.
    public struct SoundStart: Hashable, Sendable {
        /// The index in the player's sounds.
        public let sound: Int
        /// The clip to play instead of the sound's own file, or nil.
        public let clip: SoundClip?
        /// A number by which the events refer to the order. It is higher than all earlier numbers.
        public let order: Int
        /// True if the built-in tone, which repeats, replaces a sound that cannot be read.
        public let isCue: Bool
        /// True if the sound repeats without a gap until another order.
        public let repeats: Bool
        /// The linear gain, 0…1, that applies in addition to the sound's own.
        public var level: Float
        /// The place at which the sound starts, and at which it notes where it stops, or nil to start at its first frame.
        public let place: SoundPlace?
        /// True if an earlier order has used that place.
        public let continues: Bool
        /// The time from the current frame until the sound begins.
        public let wait: Duration
    }
}

/// The state that a player reports about itself at an instant.
public struct PlayerState: Hashable, Sendable {
    /// The position that is played or searched for, or at which the music would resume, or nil if there is no track.
    public var playhead: Playhead?
    /// The position that is actually played. It differs from `playhead` while the previous track continues because the
    /// selected one has not been read yet. While nothing plays, it equals `playhead`.
    public var heard: Playhead?
    /// The current track's length, if it is certain.
    public var certainTrackLength: Duration?
    /// True if a fade-out is still being played. In this case, an order to play reverses it.
    public var isFadingOut = false
    /// The time for which audio is still played after the end of a fade-out or a sound. It consists of the frames that
    /// the device holds and of the short fade-out of a sound that was cut off. It is zero on a virtual clock, whose
    /// events come at their exact frames.
    public var tail = Duration.zero

    /// The state of a player that plays nothing.
    public init() {}
}
