import ResumeStore

/// How the daemon's last run ended, as the state that it left shows.
enum RunEnd: String, Hashable, Sendable {
    /// A stop was requested: `systemctl stop`, `restart`, or the system's own shutdown.
    case stopped
    /// No stop was requested, and the kernel kept running: a crash, a kill, the watchdog.
    case killed
    /// No stop was requested, and the kernel has booted since: power cut, reset, or a crash of the kernel.
    case powerCut = "power-cut"

    /// - Parameters:
    ///   - run: the run that saved the last state; nil if unknown.
    ///   - boot: the present boot.
    init?(_ run: SavedState.Run?, boot: String?) {
        guard let run, let boot else { return nil }
        self = run.isStopping ? .stopped : run.boot == boot ? .killed : .powerCut
    }

    /// `stopped`, `killed`, `ended by a power cut`
    var participle: String {
        switch self {
        case .stopped: "stopped"
        case .killed: "killed, or crashed"
        case .powerCut: "ended by a power cut or a reset"
        }
    }
}
