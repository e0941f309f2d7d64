/// Something to do after an event. Perform the actions in the order in which the session returns them.
public enum Action: Hashable, Sendable {
    /// Select a track (numbered from 0) at its start. Only the directive determines whether it plays. If it cannot be
    /// read, try the tracks in the given direction.
    case load(track: Int, direction: Direction)
    /// Select the first of the chosen tracks that can be read, and jump to the choice's position in it. The library's
    /// position stands still until `leaveChoice`.
    case choose(Choice)
    /// Select the library's track (numbered from 0) at the position at which the library was left.
    case leaveChoice(track: Int)
    /// Jump to a position in the current track.
    case seek(Duration)
    /// Discard every playback object, because the device has disappeared.
    case tearDown
    /// Discard every playback object, and recreate them for the device as it is now.
    case rebuild
    /// Play or silence the music. If `rewinding` is true, an interruption, a lost device or a boot stopped the music,
    /// which therefore resumes `ResumeRewind` earlier.
    case apply(Directive, rewinding: Bool)
    /// Fade out the source that was selected before, unless it has ceased, and apply the directive to this one from now
    /// on. The library's position stands still meanwhile.
    case select(Source)
    /// Set the music's level, which applies in addition to the directive's.
    case setVolume(Level)
    /// Play a sound in place of any other.
    case playSound(SoundOrder)
    /// Stop the current sound with a short fade-out.
    case stopSound
    /// Order a player to do this.
    case player(PlayerID, PlayerCommand)
    /// Mute or unmute the microphone.
    case muteMicrophone(Bool)
    /// Record from the microphone, pause the recording or finish it.
    case record(RecordingDirective)
    /// Save `Session.saved` and the position. If `urgently` is true, do this before all other work.
    case save(urgently: Bool)
    /// Notify the observers.
    case post(SessionNotification)
    /// Log the reason why an event had no effect.
    case log(NoOpReason)
    /// Send the answer to the command that caused the actions.
    case answer(Answer)

    /// The direction in which to try other tracks if the requested one cannot be read.
    public enum Direction: Hashable, Sendable { case forwards, backwards }
}

/// The reason why an event had no effect, or less effect than expected, for the journal.
public enum NoOpReason: Hashable, Sendable, CustomStringConvertible {
    /// A system alert began, but the session prefers not to be interrupted by alerts.
    case suppressed(SignalID)
    /// A signal ended that was already deasserted.
    case endWithoutBegin(SignalID)
    /// A signal ended after its effect had been suppressed or dropped.
    case lateEnd(SignalID)
    /// The policy does not contain the signal.
    case unknownSignal(SignalID)
    /// The media services were reset without having been lost.
    case resetWithoutLoss
    /// The preferred device returned without having been lost.
    case routeBackWithoutLoss
    /// The capture device returned without having been lost.
    case captureBackWithoutLoss
    /// A request for an announcement of the sound came within `SoundPolicy.once` after another one.
    case announcedOnce(SoundID)
    /// Another announcement of the sound is due or waits.
    case announcedAlready(SoundID)

    /// A sentence for the journal, without a full stop at its end.
    public var description: String {
        switch self {
        case .suppressed(let signal):
            "\(signal) does not interrupt because it is an alert, which the session suppresses"
        case .endWithoutBegin(let signal): "\(signal) ended, but it was not active"
        case .lateEnd(let signal): "\(signal) ended after its effect had been dropped or suppressed"
        case .unknownSignal(let signal): "\(signal) is not a signal of this session"
        case .resetWithoutLoss: "The media services were reset, but they had not been lost"
        case .routeBackWithoutLoss: "The preferred device returned, but it was already in use"
        case .captureBackWithoutLoss: "The capture device returned, but it had not been lost"
        case .announcedOnce(let sound):
            "The request for \(sound) is ignored, because it was requested within the time that Once= specifies"
        case .announcedAlready(let sound):
            "The request for \(sound) changes nothing, because an announcement of it is already playing or queued"
        }
    }
}
