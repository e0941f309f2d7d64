extension Timeline {
    /// Why nothing ran for a while. The raw value labels it.
    public enum Outage: String, Sendable, Equatable, CaseIterable {
        /// The power failed, or the system was reset.
        case powerCut = "no power"
        /// The system was suspended.
        case asleep
        /// Somebody stopped the supervisor.
        case stopped
        /// The system was shut down or rebooted.
        case shutDown = "shut down"
        /// The supervisor was killed, or crashed.
        case killed
    }
}
