import AudioSession
import Playback

/// Plays the programme on a device that comes and goes. No call waits: what a call cannot know at once, an event reports.
/// `OfflineEngine` documents each call.
public protocol Player: AnyObject {
    /// Opens the device.
    /// - Returns: whether it is there; true as well where an event will tell, be it that it is not. Where a player before
    ///   has lost it, an event tells in any case.
    func open() -> Bool
    /// The device is gone.
    func tearDown()
    /// The device is there again, or is another than it was.
    func rebuild()

    /// Looks for a track, and tries others in that direction if it cannot be read. Answered by the event `loaded` or
    /// `nothingToLoad`, which can be there already when the call returns; a newer search replaces one that runs.
    func load(track: Int, at position: Duration, direction: SearchDirection)
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
    /// What is really heard: until the selected track has been read, the previous one continues. While silent, the playhead.
    var heard: Playhead? { get }
    /// The current track's length, if it is known.
    var trackLength: Duration? { get }
    /// What has happened since the last call, in order.
    func takeEvents() -> [PlaybackEvent]
}
