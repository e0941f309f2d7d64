/// The reason why no music is audible. If several causes apply, this is the first one in the order of the cases.
///
/// Everything that explains silence to people or programs uses this cause and its text.
public enum QuietCause: Hashable, Sendable {
    /// The component that prevents the music from advancing or from being heard.
    public enum Stall: String, Hashable, Sendable, CaseIterable {
        /// The file cannot be read fast enough, or cannot be read at all.
        case storage
        /// There are frames to play, but the sound device accepts none.
        case device
        /// The music advances, but a sound server has muted it.
        case output
    }

    /// There is no track.
    case nothingToPlay
    /// These signals block.
    case interrupted([SignalID])
    /// The audio device is not available.
    case deviceLost
    /// Nothing blocks any more, but the `ResumeDelay` has not elapsed yet.
    case resumeDelay
    /// The announcement of this sound pauses the music or ducks it to silence.
    case announcement(SoundID)
    /// The music is paused or stopped.
    case notPlaying(Intent, IntentCause)
    /// The music plays, but the user's volume is mute.
    case muteVolume
    /// The music should be heard, but does not advance or is muted outside.
    case stalled(Stall)
    /// The music plays, but these signals duck it to silence.
    case ducked([SignalID])

    /// Creates the cause of the current silence.
    /// - Parameters:
    ///   - session: the session in its current state.
    ///   - stall: the component that prevents the music from advancing or from being heard, or nil if there is none. A
    ///     session cannot detect this.
    /// - Returns: nil while music is audible.
    public init?(_ session: Session, stall: Stall? = nil) {
        switch session.directive {
        case .silent where !session.hasContent: self = .nothingToPlay
        case .silent where !session.blocking.isEmpty: self = .interrupted(session.blocking)
        case .silent where !session.servicesAvailable: self = .deviceLost
        case .silent where session.isInterrupted && session.intent == .playing: self = .resumeDelay
        case .silent where session.intent == .playing: self = .announcement(session.dueSound?.sound ?? "")
        case .silent: self = .notPlaying(session.intent, session.intentCause)
        case .play(let level):
            if session.volume == .mute {
                self = .muteVolume
            } else if let stall {
                self = .stalled(stall)
            } else if level == .mute {
                self =
                    session.duckLevel == .mute ? .ducked(session.ducking) : .announcement(session.dueSound?.sound ?? "")
            } else {
                return nil
            }
        }
    }
}

extension QuietCause {
    /// The signals that cause the silence.
    public var signals: [SignalID] {
        switch self {
        case .interrupted(let signals), .ducked(let signals): signals
        default: []
        }
    }

    /// True if an announcement causes the silence.
    public var isAnnouncement: Bool { if case .announcement = self { true } else { false } }

    /// Returns a clause that completes “quiet because …”, such as `phone-call is asserted` or
    /// `there is no sound device`.
    ///
    /// - Parameters:
    ///   - names: returns the text that names signals. By default, it separates their names by commas.
    ///   - state: returns the text about active signals. By default, it says that they are asserted.
    public func clause(
        names: ([SignalID]) -> String = QuietCause.names, state: (([SignalID]) -> String)? = nil
    ) -> String {
        func stateClause(_ signals: [SignalID]) -> String {
            state?(signals) ?? "\(names(signals)) \(signals.count > 1 ? "are" : "is") asserted"
        }
        return switch self {
        case .nothingToPlay: "there is nothing to play"
        case .interrupted(let signals): stateClause(signals)
        case .deviceLost: "there is no sound device"
        case .resumeDelay: "an interruption has just ended"
        case .announcement(let sound): "the announcement \(sound) is playing"
        case .notPlaying(let intent, let cause): cause.clause(intent, names)
        case .muteVolume: "the volume is mute"
        case .stalled(.storage): "the storage does not keep up"
        case .stalled(.device): "the sound device accepts no frames"
        case .stalled(.output): "the output is muted outside Tacet"
        case .ducked(let signals): "\(stateClause(signals)), which turns the music down to silence"
        }
    }

    /// Returns a short text that completes “Quiet: …”, such as `no sound device` or `paused`.
    public func label(
        names: ([SignalID]) -> String = QuietCause.names, state: (([SignalID]) -> String)? = nil
    ) -> String {
        switch self {
        case .nothingToPlay: "nothing to play"
        case .deviceLost: "no sound device"
        case .notPlaying(let intent, .user): intent.rawValue
        default: clause(names: names, state: state)
        }
    }

    /// Returns the names of the signals, separated by commas.
    public static func names(of signals: [SignalID]) -> String { signals.map(\.rawValue).joined(separator: ", ") }
}

extension QuietCause: LosslessStringConvertible {
    /// The text of `quiet_cause` on the bus, such as `interrupted phone-call`, `paused user` or `stalled storage`.
    /// Names of signals must not contain spaces.
    public var description: String {
        switch self {
        case .nothingToPlay: "nothing-to-play"
        case .interrupted(let signals): (["interrupted"] + signals.map(\.rawValue)).joined(separator: " ")
        case .deviceLost: "device-lost"
        case .resumeDelay: "resume-delay"
        case .announcement(let sound): "announcement \(sound)"
        case .notPlaying(let intent, let cause): "\(intent.rawValue) \(cause)"
        case .muteVolume: "mute-volume"
        case .stalled(let stall): "stalled \(stall.rawValue)"
        case .ducked(let signals): (["ducked"] + signals.map(\.rawValue)).joined(separator: " ")
        }
    }

    /// Parses a `description`.
    ///
    /// - Returns: nil if this version does not support the cause.
    public init?(_ description: String) {
        let parts = description.split(separator: " ", maxSplits: 1).map(String.init)
        let rest = parts.count > 1 ? parts[1] : ""
        var signals: [SignalID] { rest.split(separator: " ").map { SignalID(String($0)) } }
        switch parts.first {
        case "nothing-to-play": self = .nothingToPlay
        case "interrupted": self = .interrupted(signals)
        case "device-lost": self = .deviceLost
        case "resume-delay": self = .resumeDelay
        case "announcement": self = .announcement(SoundID(rest))
        case "paused", "stopped":
            guard let intent = Intent(rawValue: parts[0]), let cause = IntentCause(rest) else { return nil }
            self = .notPlaying(intent, cause)
        case "mute-volume": self = .muteVolume
        case "stalled":
            guard let stall = Stall(rawValue: rest) else { return nil }
            self = .stalled(stall)
        case "ducked": self = .ducked(signals)
        default: return nil
        }
    }
}

// MARK: - Outlook

/// The behaviour of the music after the cause of silence has ended.
public enum Outlook: Hashable, Sendable {
    case plays
    /// The music stays paused or stopped, as the user wants.
    case stays(Intent)
    /// The user wants the music to play, but it does not resume until the next `play`.
    case waitsForPlay
}

extension Session {
    /// Returns what the music will do once these events have happened and every `ResumeDelay` after them has elapsed. A
    /// copy of the session handles the events.
    ///
    /// - Parameter now: the time of the events.
    public func outlook(once events: [Event], at now: Duration) -> Outlook {
        var session = self
        // Announcements only delay the music.
        session.facts.sounds.announcements = []
        for event in events { session.handle(event, at: now) }
        while let deadline = session.deadline, let end = session.elapsed(by: deadline) {
            session.handle(.delayElapsed(end), at: deadline)
        }
        if session.directive != .silent { return .plays }
        let intent = intent(of: session.selectedOwner)
        return intent == .playing ? .waitsForPlay : .stays(intent)
    }

    /// Returns the source that is selected once the selected input has ceased to sound, and what it will do.
    public func outlookWhenInputCeases(at now: Duration) -> (source: Source, outlook: Outlook) {
        guard case .input(let input) = source else { return (source, outlook(once: [], at: now)) }
        var session = self
        session.handle(.inputCeased(input), at: now)
        return (session.source, outlook(once: [.inputCeased(input)], at: now))
    }

    /// Returns what the music will do once nothing blocks any more and the audio device is available.
    public func outlookWhenUnblocked(at now: Duration) -> Outlook {
        let ends = blocking.map { Event.edge(Edge($0, asserted: false)) }
        return outlook(once: servicesAvailable ? ends : ends + [.mediaServicesReset], at: now)
    }
}
