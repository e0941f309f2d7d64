extension Timeline {
    /// What came of a signal's assertion.
    public enum Assertion: Sendable, Equatable {
        /// It governed the session, alone or with others.
        case inForce
        /// A signal of higher priority governed instead.
        case suppressed
        /// It was no longer believed, for this reason, such as `stuck`.
        case dropped(String)
    }
}
