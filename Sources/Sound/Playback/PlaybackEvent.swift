import ALSA

/// What happened to the programme or the device.
public enum PlaybackEvent: Sendable, Hashable {
    /// A file could not be opened, held no audio or broke off; told once per file. It is told when the file is
    /// read, which is ahead of what is heard.
    case trackSkipped(track: Int, reason: DecoderError)
    /// The track before is over, and the next frame is the first of `to`.
    case trackAdvanced(to: Int)
    /// The programme is over; the engine is stopped.
    case programmeEnded
    /// The silence asked for has been reached.
    case faded

    // What follows comes from a real device only.

    /// What `load` had asked for is there: the track, or one found instead of it.
    case loaded(track: Int)
    /// Nothing can be played of what `load` had asked for.
    case nothingToLoad
    /// The device is open, with this configuration.
    case deviceOpened(PCMConfiguration)
    /// The device was silent for long enough and has been closed.
    case deviceClosed
    /// The device is gone: the engine has stopped, and goes on trying to open it.
    case deviceLost(PCMError)
    /// The device is back. Nothing plays until the programme has been rebuilt.
    case deviceReset(PCMConfiguration)
    /// The device was opened in another format than last time. Nothing plays until the programme has been rebuilt.
    case configurationChanged(StreamFormat)
    /// The device ran dry; from now on so much is queued.
    case underrun(queue: Duration)
    /// The storage does not keep up: silence until it does.
    case storageStarved, storageRecovered
    /// Nothing can be read for the time being; and it can again.
    case storageLost(StorageLoss), storageBack
    /// A command reached the ear.
    case effect(CommandEffect)
    /// The engine runs, but without real-time guarantees: why, and what to do.
    case notRealTime(String)
}
