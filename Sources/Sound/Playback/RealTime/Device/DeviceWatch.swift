import Glibc
import Threads

/// Checks whether the device still accepts frames. This is a pure state machine.
///
/// Control uses it with the values that the render thread has published, because the render thread may be blocked
/// inside the device's library. Times are in nanoseconds of CLOCK_MONOTONIC.
struct DeviceWatch {
    enum Verdict: Hashable {
        /// No device is in use, so there is nothing to watch until the next order.
        case idle
        /// The device accepts frames. Check it again after this many nanoseconds.
        case lookAgain(after: Int)
        /// The device has not accepted frames for longer than the timeout.
        case lost
    }

    /// The maximum time for which an open device may not accept frames.
    let timeout: Int
    /// The maximum time that opening a device may take. A Bluetooth or network sink needs seconds.
    let openingTimeout: Int

    /// - Parameters:
    ///   - phase: the phase of the device. Read it before `status`, which is posted before the phase changes.
    ///   - isWanted: true if an order to open the device may not have reached the render thread yet.
    func judge(_ phase: DevicePhase, _ status: RenderStatus, isWanted: Bool, at now: Int) -> Verdict {
        if case .closed = phase { return isWanted ? .lookAgain(after: timeout) : .idle }
        // If the render thread hangs outside the device's library, the device may not be the cause. In this case, the
        // watchdog takes action.
        let observedAt = phase.isHeldByDevice ? now : status.signs.turnedAt
        let timeout = phase == .opening ? openingTimeout : timeout
        if observedAt - status.signs.acceptedAt > timeout { return .lost }
        return .lookAgain(after: max(status.signs.acceptedAt + timeout - now, self.timeout / 8))
    }
}
