import Configuration
import Time

/// A period in which nothing was running.
struct Sleep: Hashable, Sendable {
    enum Cause: String, Hashable, Sendable {
        /// The whole system was suspended.
        case suspended
        /// Only this process was stopped, by a signal such as SIGSTOP.
        case stopped
        /// logind announced a sleep that did not happen.
        case announced
    }

    let cause: Cause
    /// The length of the period. For `stopped` it is an estimate, which may be too short by `SleepWatch.pace` or too
    /// long by `tolerance` at most.
    let length: Duration

    /// A clause for people, such as `The system was asleep for 10min`.
    var words: String {
        let subject =
            switch cause {
            case .suspended: "The system was asleep"
            case .stopped: "Tacet was stopped (SIGSTOP)"
            case .announced: "The system was about to sleep"
            }
        return "\(subject) for \(TimeSpan.format(.seconds(max(1, length.components.seconds))))"
    }
}

/// Detects afterwards that the system was suspended or that this process was stopped. The type is pure, so the caller
/// passes the times.
///
/// The clocks show a suspension, because CLOCK_BOOTTIME continues and CLOCK_MONOTONIC does not. They do not show a
/// stop, and a late timer alone does not prove one, because a busy machine also delays it. A late timer is treated as a
/// stop only if SIGCONT has also arrived, which a process receives when it continues and rarely otherwise. SIGCONT
/// alone does not prove a stop either, because systemd sends it with every SIGTERM. (A process that a cgroup's freezer
/// has frozen does not receive a signal, so its lines' edges are handled late as ordinary edges.)
struct SleepWatch: Hashable {
    /// The longest period that is not treated as a sleep.
    static let shortest = Duration.seconds(1)
    /// The interval at which `look` is called.
    static let pace = Duration.seconds(1)
    /// The tolerance of the regular check, so that it can share a wake-up with the check of the watchdog.
    static let tolerance = pace / 4

    /// The time at which the next regular check is due, on CLOCK_MONOTONIC.
    private(set) var due: Duration
    /// The time for which the system had been suspended since the boot at the last check.
    private var suspended: Duration
    /// The time for which the system has been suspended since a sleep was announced, or nil if none is in progress.
    private(set) var announced: Duration?

    /// - Parameters:
    ///   - now: The time on CLOCK_MONOTONIC.
    ///   - suspended: The time for which the system has been suspended since the boot.
    init(at now: Duration, suspended: Duration) {
        due = now + Self.pace
        self.suspended = suspended
    }

    /// Checks only the clocks. Call it before any event is handled.
    mutating func look(suspended total: Duration) -> Sleep? {
        let length = total - suspended
        suspended = total
        guard length > Self.shortest else { return nil }
        announced = announced.map { $0 + length }
        return Sleep(cause: .suspended, length: length)
    }

    /// Performs the regular check, which proves that the control loop runs.
    mutating func pass(at now: Duration, suspended total: Duration) -> Sleep? {
        due = now + Self.pace
        return look(suspended: total)
    }

    /// Handles SIGCONT. Call it before `pass`, which discards the delay of the check.
    mutating func `continue`(at now: Duration, suspended total: Duration) -> Sleep? {
        let late = now - due
        if let sleep = pass(at: now, suspended: total) { return sleep }
        return late > Self.shortest ? Sleep(cause: .stopped, length: late) : nil
    }

    /// Records that a sleep has been announced, possibly again.
    mutating func announce() { announced = announced ?? .zero }

    /// Ends the announced sleep.
    /// - Returns: The time for which the system was suspended during it.
    mutating func endAnnounced() -> Duration {
        defer { announced = nil }
        return announced ?? .zero
    }
}
