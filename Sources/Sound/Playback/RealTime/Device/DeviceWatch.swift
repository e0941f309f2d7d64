import Glibc
import Threads

/// Judges whether the device still accepts frames: a pure machine.
///
/// It runs on control, from what the render thread published, because that thread may itself be blocked inside the
/// device's library. Times are nanoseconds of CLOCK_MONOTONIC.
struct DeviceWatch {
    enum Verdict: Hashable {
        /// No device is in use: nothing to watch until the next order.
        case idle
        /// The device accepts frames; judge again after this many nanoseconds.
        case lookAgain(after: Int)
        /// It has accepted no frames for longer than the timeout.
        case lost
    }

    /// How long a device may accept no frames.
    let timeout: Int
    /// How long it may take to open: a Bluetooth or network sink needs seconds.
    let openingTimeout: Int

    /// - Parameters:
    ///   - phase: read before `status`, which is posted before the phase changes.
    ///   - isWanted: whether an order to open the device may still be under way.
    func judge(_ phase: DevicePhase, _ status: RenderStatus, isWanted: Bool, at now: Int) -> Verdict {
        if case .closed = phase { return isWanted ? .lookAgain(after: timeout) : .idle }
        // A render thread that hangs elsewhere says nothing about the device: that is the watchdog's business.
        let observedAt = phase.isHeldByDevice ? now : status.signs.turnedAt
        let timeout = phase == .opening ? openingTimeout : timeout
        if observedAt - status.signs.acceptedAt > timeout { return .lost }
        return .lookAgain(after: max(status.signs.acceptedAt + timeout - now, self.timeout / 8))
    }
}
