import AudioSession
import Playback

/// Plays the programme on a device that can disappear and return. Calls do not wait: if a call's result is not known
/// at once, an event reports it.
/// `OfflineEngine` documents each call.
public protocol Player: AnyObject {
    /// Opens the device.
    /// - Returns: whether the device is available; also true if this is not known yet, and an event will report it. If the
    ///   previous player had lost the device, an event always reports.
    func open() -> Bool
    /// Handles the loss of the device.
    func tearDown()
    /// Rebuilds the programme after the device has returned, or has been replaced or reconfigured.
    func rebuild()

    /// Searches for a track, and tries others in that direction if it cannot be read. The event `loaded` or `nothingToLoad`
    /// reports the result, possibly before the call returns. A new search replaces one in progress.
    func load(track: Int, at position: Duration, direction: SearchDirection)
    func seek(to position: Duration)
    /// - Parameters:
    ///   - gain: linear, 0…1.
    ///   - rewinding: how far to rewind before playing, if the programme was silent.
    ///   - wait: how long a silent programme waits before its first frame.
    func play(gain: Float, over ramp: Duration, rewinding: Duration, after wait: Duration)
    func silence(over ramp: Duration)

    /// Plays a sound from its beginning over the programme, in place of the one that plays, which fades out meanwhile.
    /// The event `soundEnded` reports its last frame.
    /// - Parameters:
    ///   - sound: the index in the world's `sounds`.
    ///   - clip: what is heard instead of the sound's own file; nil for that.
    ///   - order: a number that the event repeats; higher than all before.
    ///   - isCue: whether the built-in tone, which repeats, replaces a sound that cannot be read.
    ///   - repeats: whether it repeats, without a gap, until another order.
    ///   - wait: how long after the present frame it begins.
    func playSound(_ sound: Int, clip: SoundClip?, order: Int, isCue: Bool, repeats: Bool, after wait: Duration)
    /// Stops the sound, with a fade-out.
    func stopSound()

    /// Reads the sounds again, because their files can have changed, and reports each.
    func readSounds()

    /// How long sound is still heard after the end of a fade-out or a sound: what the device holds, and the short fade-out
    /// of a sound that was cut. Zero on a virtual clock, whose events come at their exact frames.
    var tail: Duration { get }
    /// Whether a fade-out is still heard: a play then reverses it.
    var isFadingOut: Bool { get }
    /// The programme's position: the one being heard or searched for, or the one at which it would resume; nil without a
    /// track.
    var playhead: Playhead? { get }
    /// The position actually heard: the previous track continues until the selected one has been read. While silent, the
    /// playhead.
    var heard: Playhead? { get }
    /// The current track's length, if it is known; possibly estimated.
    var trackLength: Duration? { get }
    /// The current track's length, if it is certain.
    var certainTrackLength: Duration? { get }
    /// The events since the last call, in order.
    func takeEvents() -> [PlaybackEvent]
}

extension Player {
    public var certainTrackLength: Duration? { trackLength }
    public var tail: Duration { .zero }
}
