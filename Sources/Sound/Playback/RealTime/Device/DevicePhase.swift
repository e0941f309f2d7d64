import Threads

/// What the render thread is doing with the device, as seen by other threads.
///
/// A sound server that has stopped can block its callers indefinitely. The phase distinguishes a render thread that
/// waits for the device from one that hangs because of its own fault.
enum DevicePhase: Int, Sendable {
    case closed
    /// Being opened and configured.
    case opening
    /// Open; the render thread is not inside a call.
    case open
    /// Open; the render thread is inside a call.
    case calling
    case closing

    /// Whether only the device can let the render thread continue.
    var isHeldByDevice: Bool {
        switch self {
        case .opening, .calling, .closing: true
        case .closed, .open: false
        }
    }
}

/// The phase in shared memory: the render thread sets it, and other threads read it.
struct SharedPhase {
    private let cell: SharedCounter

    /// - Parameter cell: initially zero; must outlive this value.
    init(_ cell: UnsafeMutablePointer<Int>) {
        self.cell = SharedCounter(cell)
    }

    @_noLocks @_noAllocation
    func set(_ phase: DevicePhase) {
        cell.value = phase.rawValue
    }

    var value: DevicePhase { DevicePhase(rawValue: cell.value) ?? .closed }
}
