import Clocks
import Systemd

/// Logs that the appliance is not on the bus, unless it returns soon. For example, the bus may restart, or a shutdown
/// may end it just before this service.
final class BusAbsence {
    private static let timeout = Duration.seconds(3)

    private let kind: BusKind
    /// The reason for the absence, or nil while the appliance is on the bus.
    private var reason: String?
    private var timer: EventTimer?
    private var limiter = RepetitionLimiter(burst: 6)

    init(from kind: BusKind, in loop: EventLoop) throws(SystemdError) {
        self.kind = kind
        timer = try loop.timer { [unowned self] in logAbsence() }
    }

    /// Begins an absence, or changes its reason.
    func begin(_ reason: String) {
        if self.reason == nil { timer?.deadline = SystemClock.monotonic.now + Self.timeout }
        self.reason = reason
    }

    func end() {
        reason = nil
        timer?.deadline = nil
    }

    /// Stops logging, because an absence is not a fault from now on.
    func ignore() { timer = nil }

    private func logAbsence() {
        guard let reason, limiter.happens(at: SystemClock.monotonic.now) != .dropped else { return }
        JournalWriter.write(
            JournalEntry(
                .busLost, "Tacet is not on the \(kind.rawValue) bus: \(reason). It keeps trying. Playback continues.",
                priority: .notice
            ).with(.reason, reason).with(.outcome, "Tacet keeps trying, and playback continues"))
    }
}
