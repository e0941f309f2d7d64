/// A notification to the session's observers. See <doc:Semantics#Notifications>.
///
/// A notification that something has begun is not always followed by one that it has ended, because the power can fail.
/// Observers must not rely on the second one.
public enum SessionNotification: Hashable, Sendable {
    /// An episode has begun, and playback has been instructed to stop.
    case began(InterruptionReason)
    /// The last blocking interruption of an episode has ended.
    case ended(InterruptionOptions)
    /// A duck has begun. The level is the lowest active ducking level, whether or not anything plays. Ducking is not an
    /// interruption.
    case duckBegan(Level)
    /// The lowest active ducking level has changed.
    case duckChanged(Level)
    /// The last duck has ended.
    case duckEnded
    /// The audio device or its server has disappeared. Commands still change the intent.
    case mediaServicesWereLost
    /// The audio device or its server has returned, and every playback object has been recreated.
    case mediaServicesWereReset
    /// The device's rate, channels or format have changed, and the graph has been rebuilt.
    case configurationChanged
    /// Another device is in use.
    case routeChanged(RouteChangeReason)
    /// Another source is selected, whether or not it is heard.
    case sourceChanged(Source)
    /// A sound has become due. If the music must first be ducked or silenced, the sound plays a moment later. In this
    /// case and the following ones, `id` is the number of the announcement, or 0 for a cue.
    case soundBegan(SoundID, id: Announcement.ID = 0)
    /// A sound has played to its end.
    case soundEnded(SoundID, id: Announcement.ID = 0)
    /// A sound has stopped before its end, or was withdrawn.
    case soundCut(SoundID, id: Announcement.ID = 0, because: SoundCutCause)
    /// An announcement will not be played, or will not be played again after it was cut.
    case soundExpired(SoundID, id: Announcement.ID = 0)
}

extension SessionNotification {
    /// The sound and the number of its announcement, which is 0 for a cue, or nil if the notification is not about a
    /// sound.
    public var sound: (name: SoundID, id: Announcement.ID)? {
        switch self {
        case .soundBegan(let sound, let id), .soundEnded(let sound, let id), .soundCut(let sound, let id, _),
            .soundExpired(let sound, let id):
            (sound, id)
        default: nil
        }
    }

    /// The reason for a `soundCut`, or nil for any other notification.
    var cutCause: SoundCutCause? { if case .soundCut(_, _, let cause) = self { cause } else { nil } }

    /// Returns the notification with the number of this announcement, or unchanged if it is not about a sound.
    func numbered(_ id: Announcement.ID) -> SessionNotification {
        switch self {
        case .soundBegan(let sound, _): .soundBegan(sound, id: id)
        case .soundEnded(let sound, _): .soundEnded(sound, id: id)
        case .soundCut(let sound, _, let cause): .soundCut(sound, id: id, because: cause)
        case .soundExpired(let sound, _): .soundExpired(sound, id: id)
        default: self
        }
    }
}

extension SessionNotification: CustomStringConvertible {
    /// The text of the notification in traces and the journal, such as `began(default)`, `ended(shouldResume)`,
    /// `ended()`, `duckBegan(-14)` or `soundBegan(gong)`.
    public var description: String {
        switch self {
        case .began(let reason): "began(\(reason.rawValue))"
        case .ended(let options): options.contains(.shouldResume) ? "ended(shouldResume)" : "ended()"
        case .duckBegan(let level): "duckBegan(\(level))"
        case .duckChanged(let level): "duckChanged(\(level))"
        case .duckEnded: "duckEnded"
        case .mediaServicesWereLost: "mediaServicesWereLost"
        case .mediaServicesWereReset: "mediaServicesWereReset"
        case .configurationChanged: "configurationChanged"
        case .routeChanged(let reason): "routeChanged(\(reason.rawValue))"
        case .sourceChanged(let source): "sourceChanged(\(source))"
        case .soundBegan(let sound, _): "soundBegan(\(sound))"
        case .soundEnded(let sound, _): "soundEnded(\(sound))"
        case .soundCut(let sound, _, _): "soundCut(\(sound))"
        case .soundExpired(let sound, _): "soundExpired(\(sound))"
        }
    }
}

/// The reason why a sound stopped before its end.
public enum SoundCutCause: String, Hashable, Sendable {
    /// All announcements were withdrawn.
    case withdrawn
    /// An interruption or another sound has precedence.
    case displaced
    /// The signal no longer requests its cue.
    case released
    /// The sound's file, or the rest of it, cannot be read.
    case unreadable
    /// The audio device has disappeared.
    case deviceLost
    /// The system was asleep.
    case asleep
    /// The configuration was reloaded.
    case reloaded
    /// The sound was requested again, and begins again.
    case restarted
    /// The reason was not recorded, or an older version posted the notification.
    case unknown
}

/// The reason why an interruption began (Apple: `AVAudioSession.InterruptionReason`).
public enum InterruptionReason: String, Hashable, Sendable, CaseIterable {
    /// A signal that pauses the music, or that ducks it in the mode `spokenAudio`.
    case `default`
    /// A signal muted the microphone of a session that records.
    case builtInMicMuted
    /// A signal was found to be active on boot, on reload or when the system woke from sleep.
    case appWasSuspended
}

/// The recommendation at the end of an episode (Apple: `AVAudioSession.InterruptionOptions`).
public struct InterruptionOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A recommendation to resume. It does not indicate whether anything was playing.
    public static let shouldResume = InterruptionOptions(rawValue: 1)
}

/// The reason why the route changed (Apple: `AVAudioSession.RouteChangeReason`).
public enum RouteChangeReason: String, Hashable, Sendable {
    /// The device in use has disappeared, and another has replaced it.
    case oldDeviceUnavailable
    /// A device earlier in the order of preference has returned, and is used again.
    case newDeviceAvailable
}

extension SessionNotification: LosslessStringConvertible {
    /// Parses a `description`, which contains neither the number of an announcement nor the cause of a cut.
    ///
    /// - Returns: nil if the text does not describe a notification.
    public init?(_ description: String) {
        let parts = description.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
        let argument: Substring? = parts.count > 1 ? parts[1] : nil
        guard argument?.last ?? ")" == ")" else { return nil }
        switch (parts.first, argument?.dropLast()) {
        case ("began", let reason?):
            guard let reason = InterruptionReason(rawValue: String(reason)) else { return nil }
            self = .began(reason)
        case ("ended", "shouldResume"?): self = .ended(.shouldResume)
        case ("ended", ""?): self = .ended([])
        case ("duckBegan", let level?):
            guard let level = SessionNotification.level(level) else { return nil }
            self = .duckBegan(level)
        case ("duckChanged", let level?):
            guard let level = SessionNotification.level(level) else { return nil }
            self = .duckChanged(level)
        case ("duckEnded", nil): self = .duckEnded
        case ("mediaServicesWereLost", nil): self = .mediaServicesWereLost
        case ("mediaServicesWereReset", nil): self = .mediaServicesWereReset
        case ("configurationChanged", nil): self = .configurationChanged
        case ("routeChanged", let reason?):
            guard let reason = RouteChangeReason(rawValue: String(reason)) else { return nil }
            self = .routeChanged(reason)
        case ("sourceChanged", let source?): self = .sourceChanged(Source(String(source)))
        case ("soundBegan", let sound?): self = .soundBegan(SoundID(String(sound)))
        case ("soundEnded", let sound?): self = .soundEnded(SoundID(String(sound)))
        case ("soundCut", let sound?): self = .soundCut(SoundID(String(sound)), because: .unknown)
        case ("soundExpired", let sound?): self = .soundExpired(SoundID(String(sound)))
        default: return nil
        }
    }

    private static func level(_ text: Substring) -> Level? {
        text == "mute" ? .mute : Double(text).flatMap { Level(decibels: $0) }
    }
}
