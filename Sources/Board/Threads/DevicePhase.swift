/// The action of a thread on the device that it owns, as other threads see it.
///
/// A sound server that no longer answers may block its callers indefinitely. The phase distinguishes a thread that
/// waits for the device from one that hangs because of a fault in this program.
package enum DevicePhase: Int, Sendable {
    case closed
    /// The device is being opened and configured.
    case opening
    /// The device is open, and the thread is not inside a call.
    case open
    /// The device is open, and the thread is inside a call.
    case calling
    case closing

    /// True if only the device can let the thread continue.
    package var isHeldByDevice: Bool {
        switch self {
        case .opening, .calling, .closing: true
        case .closed, .open: false
        }
    }
}

/// A phase in shared memory. The thread that owns the device sets it, and other threads read it.
package struct SharedPhase {
    private let cell: SharedCounter

    /// Creates the phase.
    /// - Parameter cell: a cell that is initially zero and that must outlive this value.
    package init(_ cell: UnsafeMutablePointer<Int>) {
        self.cell = SharedCounter(cell)
    }

    @_noLocks @_noAllocation
    package func set(_ phase: DevicePhase) {
        cell.value = phase.rawValue
    }

    package var value: DevicePhase { DevicePhase(rawValue: cell.value) ?? .closed }
}
