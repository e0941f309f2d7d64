import Configuration
import Time

/// A time in which nothing ran.
struct Sleep: Hashable, Sendable {
    enum Cause: String, Hashable, Sendable {
        /// The whole system was suspended.
        case suspended
        /// Only this process was stopped, by a signal such as SIGSTOP.
        case stopped
        /// logind announced a sleep that did not come.
        case announced
    }

    let cause: Cause
    /// How long nothing ran. For `stopped` an estimate: at most `SleepWatch.pace` too short, and `tolerance` too long.
    let length: Duration

    /// `The system was asleep for 10min`
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

/// Detects afterwards that the system was suspended, or that this process was stopped. Pure; the times are passed in.
///
/// A suspension shows in the clocks: CLOCK_BOOTTIME continues and CLOCK_MONOTONIC does not. A stop does not, and a late
/// timer alone proves nothing, because a busy machine also delays it. It counts as a stop only if SIGCONT has also
/// arrived, which a process receives when it continues and hardly ever otherwise. SIGCONT alone proves nothing either:
/// systemd sends it with every SIGTERM. (A process that a cgroup's freezer has frozen receives no signal: its lines'
/// edges are then handled as ordinary edges, late.)
struct SleepWatch: Hashable {
    /// What does not last longer is no sleep.
    static let shortest = Duration.seconds(1)
    /// How often `look` is called.
    static let pace = Duration.seconds(1)
    /// How early or late the regular look may be, so that it shares a wake-up with the watchdog's.
    static let tolerance = pace / 4

    /// When the next regular look is due, on CLOCK_MONOTONIC.
    private(set) var due: Duration
    /// How long the system had been suspended since the boot, at the last look.
    private var suspended: Duration
    /// How long the system has been suspended since a sleep was announced; nil if none is in progress.
    private(set) var announced: Duration?

    /// - Parameters:
    ///   - now: CLOCK_MONOTONIC.
    ///   - suspended: how long the system has been suspended since the boot.
    init(at now: Duration, suspended: Duration) {
        due = now + Self.pace
        self.suspended = suspended
    }

    /// Looks at the clocks only; call it before handling any event.
    mutating func look(suspended total: Duration) -> Sleep? {
        let length = total - suspended
        suspended = total
        guard length > Self.shortest else { return nil }
        announced = announced.map { $0 + length }
        return Sleep(cause: .suspended, length: length)
    }

    /// The regular look, which proves that the control loop runs.
    mutating func pass(at now: Duration, suspended total: Duration) -> Sleep? {
        due = now + Self.pace
        return look(suspended: total)
    }

    /// SIGCONT has arrived. Call it before `pass`, which forgets how late it is.
    mutating func `continue`(at now: Duration, suspended total: Duration) -> Sleep? {
        let late = now - due
        if let sleep = pass(at: now, suspended: total) { return sleep }
        return late > Self.shortest ? Sleep(cause: .stopped, length: late) : nil
    }

    /// A sleep is announced, perhaps once more.
    mutating func announce() { announced = announced ?? .zero }

    /// The announced sleep is over.
    /// - Returns: how long the system was suspended meanwhile.
    mutating func endAnnounced() -> Duration {
        defer { announced = nil }
        return announced ?? .zero
    }
}
