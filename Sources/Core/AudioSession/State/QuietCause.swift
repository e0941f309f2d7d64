/// Why nothing is heard. If several causes apply, this is the first in the order of the cases.
///
/// Everything that explains silence to people or programs takes the cause and its words from here.
public enum QuietCause: Hashable, Sendable {
    /// What should advance, and does not.
    public enum Stall: String, Hashable, Sendable, CaseIterable {
        /// The file cannot be read fast enough, or at all.
        case storage
        /// There are frames to play, but the sound device takes none.
        case device
    }

    /// There is no track.
    case nothingToPlay
    /// These signals block.
    case interrupted([SignalID])
    /// The audio device is not available.
    case deviceLost
    /// Nothing blocks any more, but the `ResumeDelay` has not elapsed.
    case resumeDelay
    /// The announcement of this sound pauses the music, or turns it down to silence.
    case announcement(SoundID)
    /// The music is paused or stopped.
    case notPlaying(Intent, IntentCause)
    /// The music plays, but the user's volume is mute.
    case muteVolume
    /// The music should play, but does not advance.
    case stalled(Stall)
    /// The music plays, but these signals turn it down to silence.
    case ducked([SignalID])

    /// - Parameters:
    ///   - session: the session in its current state.
    ///   - stall: what does not advance, if the music should play; a session cannot know it.
    /// - Returns: nil while something is heard.
    public init?(_ session: Session, stall: Stall? = nil) {
        switch session.directive {
        case .silent where session.track == nil: self = .nothingToPlay
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
    /// The signals that cause it.
    public var signals: [SignalID] {
        switch self {
        case .interrupted(let signals), .ducked(let signals): signals
        default: []
        }
    }

    /// Whether an announcement causes it.
    public var isAnnouncement: Bool { if case .announcement = self { true } else { false } }

    /// A clause for “quiet because …”: `phone-call is asserted`, `there is no sound device`.
    ///
    /// - Parameters:
    ///   - names: how to name signals; by default their names, separated by commas.
    ///   - state: what to say of signals that are active; by default that they are asserted.
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
        case .announcement(let sound): "the announcement \(sound) is heard"
        case .notPlaying(let intent, let cause): cause.clause(intent, names)
        case .muteVolume: "the volume is mute"
        case .stalled(.storage): "the storage does not keep up"
        case .stalled(.device): "the sound device takes no frames"
        case .ducked(let signals): "\(stateClause(signals)), which turns it down to silence"
        }
    }

    /// The same for “Quiet: …”: `no sound device`, `paused`.
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

    /// The signals' names, separated by commas.
    public static func names(of signals: [SignalID]) -> String { signals.map(\.rawValue).joined(separator: ", ") }
}

extension QuietCause: LosslessStringConvertible {
    /// The bus's `quiet_cause`: `interrupted phone-call`, `paused user`, `stalled storage`. Signals must have no spaces in
    /// their names.
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
    /// - Returns: nil if this version does not know the cause.
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

// MARK: - What follows

/// What the music does once the cause of silence has ended.
public enum Outlook: Hashable, Sendable {
    case plays
    /// It stays paused or stopped, as the user wants.
    case stays(Intent)
    /// The user wants it to play, but it does not resume until the next `play`.
    case waitsForPlay
}

extension Session {
    /// What the music will do once these events have happened, and every `ResumeDelay` after them has elapsed. A copy
    /// of the session answers.
    ///
    /// - Parameter now: the time of the events.
    public func outlook(once events: [Event], at now: Duration) -> Outlook {
        var session = self
        // Announcements only delay it.
        session.facts.announcements = []
        for event in events { session.handle(event, at: now) }
        while let deadline = session.deadline, let end = session.elapsed(by: deadline) {
            session.handle(.delayElapsed(end), at: deadline)
        }
        if session.directive != .silent { return .plays }
        return intent == .playing ? .waitsForPlay : .stays(intent)
    }

    /// What the music will do once nothing blocks any more and the audio device is available.
    public func outlookWhenUnblocked(at now: Duration) -> Outlook {
        let ends = blocking.map { Event.edge(Edge($0, asserted: false)) }
        return outlook(once: servicesAvailable ? ends : ends + [.mediaServicesReset], at: now)
    }
}
