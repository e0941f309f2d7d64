/// What happened to the programme; see `OfflineEngine.takeEvents()`.
public enum PlaybackEvent: Sendable, Hashable {
    /// A file could not be opened, held no audio or broke off; told once per file. It is told when the file is
    /// read, which is ahead of what is heard.
    case trackSkipped(track: Int, reason: DecoderError)
    /// The last frame of the track before has been rendered; the next frame is the first of `to`.
    case trackAdvanced(to: Int)
    /// The last frame of all has been rendered; the engine is stopped.
    case programmeEnded
    /// The silence asked for has been reached.
    case faded
}
