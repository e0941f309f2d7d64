/// Why an interruption began (Apple: `AVAudioSession.InterruptionReason`).
public enum InterruptionReason: String, Hashable, Sendable, CaseIterable {
    case `default`
    case builtInMicMuted
    /// It was found in force when the supervisor started.
    case appWasSuspended
}
