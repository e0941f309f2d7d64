import ALSA

/// The device in use, as a position in the order of preference.
public struct OutputRoute: Sendable, Hashable {
    /// The index of the device, which is 0 for the preferred device.
    public let index: Int
    /// ALSA's name of the device.
    public let device: String
    /// The reason why the preferred device is not used, or nil if it is used.
    public let reason: PCMError?

    public init(index: Int, device: String, reason: PCMError? = nil) {
        self.index = index
        self.device = device
        self.reason = reason
    }
}

/// An event of playback or the device.
public enum PlaybackEvent: Sendable, Hashable {
    /// A file could not be opened, contained no audio, or was truncated or damaged. This is reported once for each
    /// file, when the file is read. At that time, the affected position has not been heard yet.
    case trackSkipped(track: Int, reason: DecoderError)
    /// The previous track has ended. The next frame is the first frame of `to`.
    case trackAdvanced(to: Int)
    /// The music has ended, and playback has stopped.
    case playbackEnded
    /// A requested silence has been reached.
    case faded
    /// A sound has been read, or cannot be read. Sounds are numbered from 0. They are read when the engine is created
    /// and when the device's format changes. A defect is the reason why a sound that was read is not audible. A cue
    /// that cannot be read is replaced with the built-in tone.
    case soundReadable(sound: Int, length: Duration, defect: DecoderError? = nil)
    case soundUnreadable(sound: Int, reason: DecoderError)
    /// The last frame of a sound has been heard. `order` is the number of the call to `playSound`.
    case soundEnded(order: Int)
    /// A sound has ended before its last frame because its file could not be read any further, or it has ended after
    /// more than a second of it was silent because its file is damaged. `order` is the number of the call to
    /// `playSound`.
    case soundCut(order: Int)
    /// The rest of a long sound cannot be read, so the sound ends early or repeats its first minute. If the reason is a
    /// gap, the sound continues and only a part of it is silent.
    case soundBroken(sound: Int, reason: DecoderError)

    // The remaining events only come from a real device.

    /// The result of `load`, which is the requested track or a track that was found instead.
    case loaded(track: Int)
    /// `load` has not found a track that can be played.
    case nothingToLoad
    /// The device is open, with this configuration.
    case deviceOpened(PCMConfiguration)
    /// The device has been closed because it was silent for `closeAfter`.
    case deviceClosed
    /// The device has disappeared or failed. Playback has stopped, and the engine keeps trying to open the device.
    case deviceLost(PCMError)
    /// The device in use has disappeared or failed, and another one has replaced it. Nothing plays until the music has
    /// been rebuilt. If the device had already been reported as lost, `deviceReset` follows.
    case routeLost(OutputRoute)
    /// A preferred device has returned and is used again. As after `routeLost`, nothing plays until the music has been
    /// rebuilt.
    case routeBack(OutputRoute)
    /// The first device that was opened is a fallback.
    case routeFound(OutputRoute)
    /// A device has repeatedly been lost soon after it returned. From now on, it must be available for this long before
    /// it is used.
    case routeUnsteady(device: String, settle: Duration)
    /// The device has returned. Nothing plays until the music has been rebuilt.
    case deviceReset(PCMConfiguration)
    /// The device was opened in a format other than the last one. Nothing plays until the music has been rebuilt.
    case configurationChanged(StreamFormat)
    /// The device ran dry. From now on, the engine keeps this much audio queued.
    case underrun(queue: Duration)
    /// The margin of a rewind has been measured while the device began to play. Queued frames can be replaced if they
    /// are at least this far ahead of the frame that is being heard.
    case rewindMeasured(margin: Duration)
    /// The device had already begun to play frames that were to be replaced, so a short gap or repetition was heard.
    /// From now on, the engine leaves this margin for a rewind.
    case rewoundTooLate(margin: Duration)
    /// A sound server has muted or unmuted the output, or changed its level. A device that has just been opened is audible
    /// until this event.
    case audibilityChanged(DeviceAudibility)
    /// The output has become silent because the storage is too slow, or enough music has been read again.
    case storageStarved, storageRecovered
    /// The storage cannot be read at the moment, or can be read again.
    case storageLost(StorageLoss), storageReturned
    /// The effect of a command was heard.
    case effect(CommandEffect)
    /// The first frame of a sound was heard. `order` is the number of the call to `playSound`.
    case soundHeard(order: Int, CommandEffect)
    /// The engine is running, but without real-time guarantees. The text contains the reason and the remedy.
    case notRealTime(String)
}
