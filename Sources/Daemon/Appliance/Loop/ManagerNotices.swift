import Clocks
import Systemd

/// Notifies the service manager in order and without ever waiting. Notices for which its socket has no room are sent
/// later.
final class ManagerNotices {
    private static let pause = Duration.milliseconds(100)
    /// The maximum number of pending notices, which suffices for a start, a few reloads and a stop. If there are more,
    /// the oldest ones no longer matter.
    private static let mostPending = 16

    private let attempt: ([ServiceManager.Notice]) -> ServiceManager.Attempt
    private var pending: [[ServiceManager.Notice]] = []
    private var timer: EventTimer?
    private var status: StatusLine?

    init(
        in loop: EventLoop, _ attempt: @escaping ([ServiceManager.Notice]) -> ServiceManager.Attempt
    ) throws(SystemdError) {
        self.attempt = attempt
        timer = try loop.timer { [unowned self] in sendPending() }
    }

    func send(_ notices: ServiceManager.Notice...) {
        if pending.count >= Self.mostPending { pending.removeFirst() }
        pending.append(notices)
        sendPending()
    }

    /// Shows a status unless the manager is busy. In that case, the manager receives the next status instead.
    func show(_ status: StatusLine) {
        guard status != self.status else { return }
        if attempt([.status("\(status)")]) != .busy { self.status = status }
    }

    private func sendPending() {
        while let notices = pending.first {
            guard attempt(notices) != .busy else {
                timer?.deadline = SystemClock.monotonic.now + Self.pause
                return
            }
            pending.removeFirst()
        }
    }
}
