/// What outlasts the signals that caused it by the policy's `resumeDelay`. In the order in which two that are due at one
/// instant end.
public enum DelayedEnd: String, Hashable, Sendable, CaseIterable { case episode, duck }
