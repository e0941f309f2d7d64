import AudioSession

/// Why nothing is heard. It is derived here and nowhere else: the status line, `tacet why` and the bus show this one
/// cause, in the words of `Situation`. Pure.
enum QuietCause: Hashable {
    /// What should advance and does not.
    enum Stall: Hashable {
        /// No file is read.
        case storage
        /// There are frames to play, and none of them reaches the sound device.
        case device
    }

    case nothingToPlay
    /// These signals block.
    case interrupted([SignalID])
    case deviceLost
    /// Nothing blocks any more, and `ResumeDelay` runs.
    case delayed
    /// The programme is not to play; nil: a user says so.
    case resting(Rest.Cause?)
    /// It plays, and the volume is mute.
    case muteVolume
    /// It plays, and these signals turn it down to silence.
    case ducked([SignalID])
    /// It should play, and its frames do not advance.
    case stalled(Stall)

    /// - Parameters:
    ///   - rest: why it is not to play, unless a user said so.
    ///   - stall: what does not advance, if it should.
    /// - Returns: nil while something is heard.
    init?(_ session: Session, rest: Rest.Cause? = nil, stall: Stall? = nil) {
        switch session.directive {
        case .play where session.volume == .mute: self = .muteVolume
        case .play(let level):
            if let stall {
                self = .stalled(stall)
            } else if level == .mute {
                self = .ducked(session.ducking)
            } else {
                return nil
            }
        case .silent:
            if session.track == nil {
                self = .nothingToPlay
            } else if !session.blocking.isEmpty {
                self = .interrupted(session.blocking)
            } else if !session.servicesAvailable {
                self = .deviceLost
            } else if session.isInterrupted, session.intent == .playing {
                self = .delayed
            } else {
                self = .resting(rest)
            }
        }
    }
}
