extension Timeline {
    /// What the user wants the programme to do.
    public enum Intent: String, Sendable, Equatable {
        case playing
        case paused
        case stopped
    }
}
