/// How the daemon's last run ended, as the state that it left shows: `TACET_LAST_RUN`.
public enum RunEnd: String, Hashable, Sendable {
    /// A stop was requested: `systemctl stop`, `restart`, or the system's own shutdown.
    case stopped
    /// No stop was requested, and the kernel kept running: a crash, a kill, the watchdog.
    case killed
    /// No stop was requested, and the kernel has booted since: power cut, reset, or a crash of the kernel.
    case powerCut = "power-cut"
}
