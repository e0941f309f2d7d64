import ALSA
import Synchronization
import Threads

/// The thread that watches for the return of devices that are preferred to the one in use. It opens each device for a
/// moment, which may block for as long as a sound server does. For this reason, a separate thread does this instead of
/// control or the render thread.
///
/// A device is treated as returned if it can be opened, if nothing appears in the watched folders during its settling
/// time, and if it can then be opened again. The thread checks this whenever something appears in these folders, and
/// also from time to time.
// The conformance is unchecked because this class has variables. This is safe because only its own thread uses them,
// and `mailbox` is protected by a lock.
final class DeviceProbe: @unchecked Sendable {
    private struct Mailbox {
        /// The devices to watch, by their indices in the order of preference, with their settling times.
        var devices: [(index: Int, settle: Duration)] = []
        /// The number of orders so far.
        var watches = 0
        var quits = false
    }

    private let settings: EngineSettings
    private let inbox: EngineInbox
    private let mailbox = Mutex(Mailbox())
    private let bell = WakeUp()
    private let watch: ReturnWatch

    init(_ settings: EngineSettings, inbox: EngineInbox) {
        self.settings = settings
        self.inbox = inbox
        watch = ReturnWatch(settings.handling.watchedFolders)
    }

    // MARK: For control

    /// Watches these devices instead of the earlier ones, until one of them is reported as `returned`.
    func watch(_ devices: [(index: Int, settle: Duration)]) {
        mailbox.withLock { mailbox in
            mailbox.devices = devices
            mailbox.watches += 1
        }
        bell.ring()
    }

    /// Stops watching.
    func rest() { watch([]) }

    /// The number of the last order.
    var watches: Int { mailbox.withLock { $0.watches } }

    func quit() {
        mailbox.withLock { $0.quits = true }
        bell.ring()
    }

    // MARK: The thread

    func run() {
        var pauses = Backoff(from: .milliseconds(250), to: settings.handling.retry.longest)
        /// The number of the last order that has been executed.
        var done = 0
        var last = 0
        while true {
            let order = mailbox.withLock { $0 }
            if order.quits { return }
            if order.watches != last { pauses.restart() }
            last = order.watches
            if order.devices.isEmpty || order.watches == done {
                bell.wait(nil)
                continue
            }
            watch.forget()
            if let index = findReturned(order) {
                done = order.watches
                inbox.post(.returned(device: index, watch: order.watches))
                continue
            }
            if watch.wait(bell, pauses.next()) { pauses.restart() }
        }
    }

    /// - Returns: the first device that is available and settled, or nil if there is none or if a new order has been
    ///   given.
    private func findReturned(_ order: Mailbox) -> Int? {
        for (index, settle) in order.devices where isAvailable(index) {
            guard isCalm(for: settle, order.watches) else { return nil }
            if isAvailable(index) { return index }
        }
        return nil
    }

    private func isAvailable(_ index: Int) -> Bool { settings.isAvailable(index) }

    /// Waits for the settling time of a device.
    /// - Returns: true if nothing has appeared and no new order has been given during this time.
    private func isCalm(for time: Duration, _ watches: Int) -> Bool {
        let end = ContinuousClock.now + time
        while case let left = end - ContinuousClock.now, left > .zero {
            if watch.wait(bell, left) { return false }
            if mailbox.withLock({ $0.watches != watches || $0.quits }) { return false }
        }
        return true
    }
}
