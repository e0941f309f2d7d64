/// What the render thread is doing with the device, as others see it.
///
/// A sound server that has stopped blocks whoever calls it, for as long as it pleases: the others must be able to tell
/// that thread from one that hangs through a fault of its own.
enum DevicePhase: Int, Sendable {
    case closed
    /// Being opened and configured.
    case opening
    /// Open, and no call of it is under way.
    case open
    /// Open, and the render thread is inside a call of it.
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

/// The phase in shared memory: the render thread sets it, others read it.
struct SharedPhase {
    private let cell: SharedCounter

    /// - Parameter cell: zero at first; outlives this.
    init(_ cell: UnsafeMutablePointer<Int>) {
        self.cell = SharedCounter(cell)
    }

    @_noLocks @_noAllocation
    func set(_ phase: DevicePhase) {
        cell.value = phase.rawValue
    }

    var value: DevicePhase { DevicePhase(rawValue: cell.value) ?? .closed }
}
