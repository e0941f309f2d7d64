/// The way in which the last run of the daemon ended, derived from the state that it left. The raw values are the
/// values of `TACET_LAST_RUN`.
public enum RunEnd: String, Hashable, Sendable {
    /// A stop was requested, for example by `systemctl stop`, `restart` or the shutdown of the system.
    case stopped
    /// No stop was requested, and the kernel kept running. The daemon crashed, was killed, or was ended by the
    /// watchdog.
    case killed
    /// No stop was requested, and the kernel has booted since, because of a power cut, a reset or a crash of the
    /// kernel.
    case powerCut = "power-cut"
}
