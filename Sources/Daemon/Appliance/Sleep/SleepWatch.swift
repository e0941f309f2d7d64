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
    /// The length of the period. For `stopped` it is the time since the last event, which may have been some seconds
    /// before the stop.
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
/// stop, and a period without events alone does not prove one, because nothing may have happened. A period without
/// events is treated as a stop only if SIGCONT ends it, which a process receives when it continues and rarely otherwise.
/// (systemd also sends it with every SIGTERM, so the caller handles SIGTERM first. A process that a cgroup's freezer has
/// frozen does not receive a signal, so its lines' edges are handled late as ordinary edges.)
struct SleepWatch: Hashable {
    /// The longest period that is not treated as a sleep.
    static let shortest = Duration.seconds(1)

    /// The time of the last event, on CLOCK_MONOTONIC.
    private var seenAt: Duration
    /// The time for which the system had been suspended since the boot at the last event.
    private var suspended: Duration
    /// The time for which the system has been suspended since a sleep was announced, or nil if none is in progress.
    private(set) var announced: Duration?

    /// - Parameters:
    ///   - now: The time on CLOCK_MONOTONIC.
    ///   - suspended: The time for which the system has been suspended since the boot.
    init(at now: Duration, suspended: Duration) {
        seenAt = now
        self.suspended = suspended
    }

    /// Checks the clocks. Call it before any event is handled, and regularly.
    mutating func look(at now: Duration, suspended total: Duration) -> Sleep? {
        seenAt = now
        let length = total - suspended
        suspended = total
        guard length > Self.shortest else { return nil }
        announced = announced.map { $0 + length }
        return Sleep(cause: .suspended, length: length)
    }

    /// Handles SIGCONT. Call it before any other event after the signal.
    mutating func `continue`(at now: Duration, suspended total: Duration) -> Sleep? {
        let length = now - seenAt
        if let sleep = look(at: now, suspended: total) { return sleep }
        return length > Self.shortest ? Sleep(cause: .stopped, length: length) : nil
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
