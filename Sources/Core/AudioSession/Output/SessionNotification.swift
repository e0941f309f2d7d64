/// What the session tells those who observe it.
///
/// There is no promise that a begin is followed by an end (the power may go): nothing may wait for one.
public enum SessionNotification: Hashable, Sendable {
    /// An episode has begun: playback has been told to stop.
    case began(InterruptionReason)
    /// The last blocking interruption of an episode is over.
    case ended(InterruptionOptions)
    /// The lowest ducking level in force, whether or not anything plays. Ducking is no interruption.
    case duckBegan(Level)
    case duckChanged(Level)
    case duckEnded
    /// The sound device or its server is gone. Commands still change the intent.
    case mediaServicesWereLost
    /// It is back, and every playback object was made anew.
    case mediaServicesWereReset
    /// Rate, channels or format of the device changed: the graph was rebuilt.
    case configurationChanged
    case routeChanged(RouteChangeReason)
}

extension SessionNotification: CustomStringConvertible {
    /// As traces and the journal write it: `began(default)`, `ended(shouldResume)`, `ended()`, `duckBegan(-14)`.
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
        }
    }
}

/// Why an interruption began (Apple: `AVAudioSession.InterruptionReason`).
public enum InterruptionReason: String, Hashable, Sendable, CaseIterable {
    case `default`
    case builtInMicMuted
    /// It was found in force when the supervisor started.
    case appWasSuspended
}

/// What the end of an interruption says (Apple: `AVAudioSession.InterruptionOptions`).
public struct InterruptionOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A hint: resume what was playing. It does not say that anything was.
    public static let shouldResume = InterruptionOptions(rawValue: 1)
}

/// Why the route changed (Apple: `AVAudioSession.RouteChangeReason`).
public enum RouteChangeReason: String, Hashable, Sendable {
    /// The device that was playing is gone, and another is used in its place.
    case oldDeviceUnavailable
    /// A device earlier in the order of preference has returned, and is used again.
    case newDeviceAvailable
}

extension SessionNotification: LosslessStringConvertible {
    /// What `description` says.
    /// - Returns: nil where it is no notification.
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
        default: return nil
        }
    }

    private static func level(_ text: Substring) -> Level? {
        text == "mute" ? .mute : Double(text).flatMap { Level(decibels: $0) }
    }
}
