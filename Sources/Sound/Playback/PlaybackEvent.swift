import ALSA

/// The device in use, of several in order of preference.
public struct OutputRoute: Sendable, Hashable {
    /// 0 for the preferred device.
    public let index: Int
    /// ALSA's name.
    public let device: String
    /// Why the preferred one is not used; nil if it is.
    public let reason: PCMError?

    public init(index: Int, device: String, reason: PCMError? = nil) {
        self.index = index
        self.device = device
        self.reason = reason
    }
}

/// An event of the music or the device.
public enum PlaybackEvent: Sendable, Hashable {
    /// A file could not be opened, contained no audio, or was truncated or damaged. Reported once for each file, when
    /// the file is read, which is before the position is heard.
    case trackSkipped(track: Int, reason: DecoderError)
    /// The previous track has ended; the next frame is the first of `to`.
    case trackAdvanced(to: Int)
    /// The music has ended; the engine is stopped.
    case playbackEnded
    /// A requested silence has been reached.
    case faded
    /// A sound was read, when the engine was made or when the device's format changed, or cannot be read; sounds are
    /// numbered from 0. A defect says why nobody hears it nevertheless. A cue that cannot be read is heard as the built-in tone.
    case soundReadable(sound: Int, length: Duration, defect: DecoderError? = nil)
    case soundUnreadable(sound: Int, reason: DecoderError)
    /// The last frame of a sound has been heard; `order` is the number of the call of `playSound`.
    case soundEnded(order: Int)
    /// A sound has ended before its last frame, because its file could not be read any further; `order` as above.
    case soundCut(order: Int)
    /// The rest of a long sound cannot be read: it ends early, or repeats its first minute. If the reason is a gap, only a
    /// part of it is silent.
    case soundBroken(sound: Int, reason: DecoderError)

    // The remaining events come from a real device only.

    /// The result of `load`: the requested track, or one found instead of it.
    case loaded(track: Int)
    /// `load` found no track that can be played.
    case nothingToLoad
    /// The device is open, with this configuration.
    case deviceOpened(PCMConfiguration)
    /// The device was silent for long enough and has been closed.
    case deviceClosed
    /// The device has disappeared or failed: the engine has stopped, and keeps trying to open the device.
    case deviceLost(PCMError)
    /// The device in use has disappeared or failed, and another one has replaced it: nothing plays until the music
    /// has been rebuilt. If the device had been reported lost before, `deviceReset` follows.
    case routeLost(OutputRoute)
    /// Likewise a device earlier in the order of preference has returned, and is used again.
    case routeBack(OutputRoute)
    /// The first device that was opened is a fallback.
    case routeFound(OutputRoute)
    /// A device that returned was lost again at once, several times: it must now be available for this long before it is
    /// used.
    case routeUnsteady(device: String, settle: Duration)
    /// The device has returned. Nothing plays until the music has been rebuilt.
    case deviceReset(PCMConfiguration)
    /// The device was opened in another format than last time. Nothing plays until the music has been rebuilt.
    case configurationChanged(StreamFormat)
    /// The device ran dry; the engine now keeps this much audio queued.
    case underrun(queue: Duration)
    /// How close to what is being heard queued frames of the open device can be replaced, measured when it began to play.
    case rewindMeasured(margin: Duration)
    /// The device had already begun to play what was to be replaced: a short gap or repetition was heard. From now on the
    /// engine leaves it this much.
    case rewoundTooLate(margin: Duration)
    /// The storage is too slow: silence until it has recovered.
    case storageStarved, storageRecovered
    /// The storage cannot be read at the moment; or it can be read again.
    case storageLost(StorageLoss), storageReturned
    /// A command's effect was heard.
    case effect(CommandEffect)
    /// The first frame of a sound was heard; `order` as above.
    case soundHeard(order: Int, CommandEffect)
    /// The engine runs, but without real-time guarantees: the text says why, and what to do.
    case notRealTime(String)
}
