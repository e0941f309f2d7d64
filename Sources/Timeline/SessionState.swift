extension Timeline {
    /// The audio session, as the programme saw it.
    public enum SessionState: Sendable, Equatable {
        /// Not activated.
        case inactive
        case active
        /// Active, but made quieter by this.
        case ducked(String)
        /// Interrupted by this.
        case interrupted(String)
    }
}
