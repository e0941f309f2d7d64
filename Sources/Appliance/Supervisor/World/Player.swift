import AudioSession
import Playback

/// Plays the programme on a device that comes and goes. See `OfflineEngine` for the meaning of each call.
public protocol Player: AnyObject {
    /// Opens the device.
    /// - Returns: whether it is there; true as well where an event will tell, be it that it is not. Where a player before
    ///   has lost it, an event tells in any case.
    func open() -> Bool
    /// The device is gone.
    func tearDown()
    /// The device is there again, or is another than it was.
    func rebuild()

    /// Looks for a track, and goes on with others in that direction if it cannot be read.
    func load(track: Int, at position: Duration, direction: SearchDirection) -> Loading
    func seek(to position: Duration)
    /// - Parameters:
    ///   - gain: linear, 0…1.
    ///   - rewinding: how much earlier to go on, if it was silent.
    func play(gain: Float, over ramp: Duration, rewinding: Duration)
    func silence(over ramp: Duration)

    /// Whether a fade-out is still heard: a play then reverses it.
    var isFadingOut: Bool { get }
    /// The position of the programme: the one being heard or looked for, or where it would resume; nil without a track.
    var playhead: Playhead? { get }
    /// What is really heard: until the selected track has been read, the one before continues. While silent, the playhead.
    var heard: Playhead? { get }
    /// The current track's length, if it is known.
    var trackLength: Duration? { get }
    /// What has happened by itself since the last call.
    func takeEvents() -> [PlaybackEvent]
}

extension Player {
    /// For a player that reads a track at once.
    public var heard: Playhead? { playhead }
}
