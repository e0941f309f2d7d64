import ALSA
import Threads

/// The device of a `RealTimeEngine`, as control sees it, and the choice of one of several devices. This is a pure state
/// machine. Times are in nanoseconds of CLOCK_MONOTONIC.
struct DeviceControl {
    enum State {
        case closed, open
        /// The device is lost, with this error, or has been closed in favour of another one. Until the given time,
        /// another device may replace it. `wasInUse` is true if the device was open or was closed only for a sleep.
        case replacing(PCMError?, until: Int, wasInUse: Bool)
        /// The device is lost and has not been opened again yet.
        case lost
    }

    /// A returned device that is preferred to the one in use.
    private enum Returned {
        case none
        case waiting(Int)
        /// The device in use is being closed so that the returned one can be used.
        case awaited(Int)
        /// The device in use is being closed because another program uses it.
        case withdrawn
    }

    private let devices: [PCMAddress]
    /// The time within which another device may replace a lost one.
    private let timeout: Int
    private(set) var state = State.closed
    /// The configuration of the device that was opened last, and the device's index in the order of preference. Both
    /// are nil before a device has been opened.
    private(set) var configuration: PCMConfiguration?
    private(set) var route: Int?
    private var returned = Returned.none
    /// The devices that must stay closed because other programs use them, by their indices in the order of preference.
    private(set) var withheld: Set<Int> = []
    /// True if the device was open when it was released for a sleep.
    private(set) var isReopened = false
    /// The time for which each device must have been available before it is used again.
    private var backoff: FlapBackoff

    init(_ devices: [PCMAddress], settle: Backoff, timeout: Int) {
        self.devices = devices
        self.timeout = timeout
        backoff = FlapBackoff(devices: devices.count, settle)
    }

    var isOpen: Bool { if case .open = state { true } else { false } }

    /// True if the device in use is being closed so that another one can be used.
    var isLeaving: Bool {
        switch returned {
        case .awaited, .withdrawn: true
        case .none, .waiting: false
        }
    }

    /// True if the device in use must be closed because another program uses it.
    var mustWithdraw: Bool {
        guard case .open = state, let route, withheld.contains(route) else { return false }
        return !isLeaving
    }

    /// The returned device that waits to be used again.
    var waiting: Int? { if case .waiting(let index) = returned { index } else { nil } }

    /// ALSA's name of the device in use, or last in use.
    var name: String { devices[route ?? 0].name }

    /// The device to try after the one in use.
    var next: Int { route.map { ($0 + 1) % devices.count } ?? 0 }

    /// The devices that are preferred to the one in use, and the time for which each must stay available before it is
    /// used.
    var preferred: [(index: Int, settle: Duration)] {
        (0..<(route ?? 0)).filter { !withheld.contains($0) }.map { ($0, backoff.settle(of: $0)) }
    }

    /// - Returns: the event to report if a preferred device has become unsteady because it has returned but could not
    ///   be opened.
    mutating func opened(_ configuration: PCMConfiguration, _ index: Int, at now: Int) -> PlaybackEvent? {
        self.configuration = configuration
        state = .open
        route = index
        isReopened = false
        defer {
            returned = .none
            backoff.opened(index, at: now)
        }
        return if case .awaited(let target) = returned, index > target { noteFlap(target) } else { nil }
    }

    /// Records that the device has been closed because nothing played.
    mutating func closed() { state = .closed }

    /// - Returns: the event to report if the device has become unsteady.
    mutating func lost(_ error: PCMError, at now: Int) -> PlaybackEvent? {
        returned = .none
        guard devices.count > 1 else {
            state = .lost
            return nil
        }
        let end = now + timeout
        switch state {
        case .lost: break
        case .closed: state = .replacing(error, until: end, wasInUse: isReopened)
        case .replacing(_, _, let wasInUse): state = .replacing(error, until: end, wasInUse: wasInUse)
        case .open: state = .replacing(error, until: end, wasInUse: true)
        }
        guard let route, backoff.lost(route, at: now) else { return nil }
        return noteFlap(route)
    }

    /// Records that the device has been closed so that a returned one can be used.
    mutating func left(at now: Int) {
        if let route { backoff.left(route) }
        state = .replacing(nil, until: now + timeout, wasInUse: true)
    }

    /// Records that no device replaces the lost one.
    mutating func giveUp() {
        state = .lost
        if case .withdrawn = returned { returned = .none }
    }

    /// Prepares for a sleep, for which the device is closed.
    mutating func release() { isReopened = isOpen }

    /// Uses the device again after a sleep.
    mutating func reacquire(at now: Int) {
        guard case .replacing(let error, _, let wasInUse) = state else { return }
        state = .replacing(error, until: now + timeout, wasInUse: wasInUse)
    }

    /// Records that a preferred device has returned.
    mutating func noteReturn(of index: Int) {
        guard let route, index < route, !withheld.contains(index) else { return }
        switch returned {
        case .none, .waiting: returned = .waiting(index)
        case .awaited: returned = .awaited(index)
        case .withdrawn: break
        }
    }

    /// Replaces the devices that must stay closed.
    mutating func withhold(_ devices: Set<Int>) {
        withheld = devices
        if case .waiting(let index) = returned, devices.contains(index) { returned = .none }
    }

    /// Closes the device in use because another program uses it.
    mutating func withdraw() { returned = .withdrawn }

    /// Closes the device in use so that a returned one can be used.
    mutating func leave(for index: Int) { returned = .awaited(index) }

    /// Doubles the settling time of a device.
    private mutating func noteFlap(_ index: Int) -> PlaybackEvent? {
        backoff.noteFlap(index) ? .routeUnsteady(device: devices[index].name, settle: backoff.settle(of: index)) : nil
    }
}
