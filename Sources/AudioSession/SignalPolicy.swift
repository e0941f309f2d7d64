/// What one signal means to the session.
public struct SignalPolicy: Hashable, Sendable {
    public enum Resume: String, Hashable, Sendable, CaseIterable { case auto, manual }
    public enum WhenStuck: String, Hashable, Sendable, CaseIterable { case hold, release }

    public var id: SignalID
    public var effect: Effect
    /// Whether the signal's end recommends resuming.
    public var resume: Resume
    /// An interruption that lasted longer than this ends without the recommendation. nil: no limit.
    public var resumeWithin: Duration?
    /// A *system alert*: a ringing line, as opposed to an accepted call
    /// (Apple: `setPrefersNoInterruptionsFromSystemAlerts(_:)`).
    public var isAlert: Bool
    /// Whether the fault `stuck` drops the signal's effect.
    public var whenStuck: WhenStuck

    public init(
        id: SignalID, effect: Effect, resume: Resume = .auto, resumeWithin: Duration? = nil, isAlert: Bool = false,
        whenStuck: WhenStuck = .hold
    ) {
        self.id = id
        self.effect = effect
        self.resume = resume
        self.resumeWithin = resumeWithin
        self.isAlert = isAlert
        self.whenStuck = whenStuck
    }

    /// Whether an interruption of this length recommends resuming when it ends.
    func recommendsResuming(after length: Duration) -> Bool {
        guard resume == .auto else { return false }
        guard let resumeWithin else { return true }
        return length <= resumeWithin
    }
}
