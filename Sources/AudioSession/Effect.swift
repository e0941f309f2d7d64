/// What a signal does to the session while it is in force.
public enum Effect: Hashable, Sendable {
    /// The programme pauses: an interruption.
    case pause
    /// The programme is turned down to a level. In the mode `spokenAudio` it pauses instead: speech that is ducked is
    /// speech that is missed (Apple: `interruptSpokenAudioAndMixWithOthers`).
    case duck(Level)
    /// The microphone is mute. It interrupts only a session that records and does not override it
    /// (Apple: `overrideMutedMicrophoneInterruption`).
    case muteMicrophone
    /// The state is saved at once, ahead of everything else: the ignition is off, the power is failing.
    case checkpoint
    /// None, but it is shown and logged.
    case ignore
}
