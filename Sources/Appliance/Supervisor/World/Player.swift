import AudioSession
import Playback

/// Plays the programme on a device that can disappear and return. No call waits: an event reports what a call cannot know
/// at once.
/// `OfflineEngine` documents each call.
public protocol Player: AnyObject {
    /// Opens the device.
    /// - Returns: whether it is available; also true if an event will report either. If the previous player had lost the
    ///   device, an event reports in any case.
    func open() -> Bool
    /// The device is lost.
    func tearDown()
    /// The device has returned, or has been replaced or reconfigured.
    func rebuild()

    /// Looks for a track, and tries others in that direction if it cannot be read. Answered by the event `loaded` or
    /// `nothingToLoad`, which can be there already when the call returns; a newer search replaces one that runs.
    func load(track: Int, at position: Duration, direction: SearchDirection)
    func seek(to position: Duration)
    /// - Parameters:
    ///   - gain: linear, 0…1.
    ///   - rewinding: how much earlier to resume, if it was silent.
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
