import Glibc
import Threads

/// Checks if the device still accepts frames, as a pure state machine.
///
/// It runs on control and uses the values that the render thread has published, because that thread may be blocked
/// inside the device's library. Times are in nanoseconds of CLOCK_MONOTONIC.
struct DeviceWatch {
    enum Verdict: Hashable {
        /// No device is in use, so there is nothing to watch until the next order.
        case idle
        /// The device accepts frames. Judge it again after this many nanoseconds.
        case lookAgain(after: Int)
        /// The device has not accepted frames for longer than the timeout.
        case lost
    }

    /// The time for which a device may accept no frames.
    let timeout: Int
    /// The time that a device may take to open. A Bluetooth or network sink needs seconds.
    let openingTimeout: Int

    /// - Parameters:
    ///   - phase: the phase of the device. Read it before `status`, which is posted before the phase changes.
    ///   - isWanted: true if an order to open the device may not have reached the render thread yet.
    func judge(_ phase: DevicePhase, _ status: RenderStatus, isWanted: Bool, at now: Int) -> Verdict {
        if case .closed = phase { return isWanted ? .lookAgain(after: timeout) : .idle }
        // If the render thread hangs elsewhere, the device may not be the cause, so the watchdog handles this.
        let observedAt = phase.isHeldByDevice ? now : status.signs.turnedAt
        let timeout = phase == .opening ? openingTimeout : timeout
        if observedAt - status.signs.acceptedAt > timeout { return .lost }
        return .lookAgain(after: max(status.signs.acceptedAt + timeout - now, self.timeout / 8))
    }
}
