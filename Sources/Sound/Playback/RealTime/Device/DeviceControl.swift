import ALSA
import Threads

/// The device of a `RealTimeEngine`, as control knows it, and which of several is to be used: a pure machine. Times are
/// nanoseconds of CLOCK_MONOTONIC.
struct DeviceControl {
    enum State {
        case closed, open
        /// Lost, with this error, or left for another one, and perhaps replaced before this time. `wasInUse`: whether it was
        /// open, or closed only for a sleep.
        case replacing(PCMError?, until: Int, wasInUse: Bool)
        /// Lost, and not opened again yet.
        case lost
    }

    /// A device that is preferred to the one in use, and has returned.
    private enum Returned {
        case none
        case waiting(Int)
        /// The one in use is being closed for it.
        case awaited(Int)
    }

    private let devices: [PCMAddress]
    /// How long another device may take to replace a lost one.
    private let timeout: Int
    private(set) var state = State.closed
    /// The configuration of the device last opened, and its index in the order of preference; nil before the first opening.
    private(set) var configuration: PCMConfiguration?
    private(set) var route: Int?
    private var returned = Returned.none
    /// Whether a released device was open.
    private(set) var isReopened = false
    /// How far each device can be trusted to stay.
    private var backoff: FlapBackoff

    init(_ devices: [PCMAddress], settle: Backoff, timeout: Int) {
        self.devices = devices
        self.timeout = timeout
        backoff = FlapBackoff(devices: devices.count, settle)
    }

    var isOpen: Bool { if case .open = state { true } else { false } }

    /// Whether the device in use is being closed for another one.
    var isLeaving: Bool { if case .awaited = returned { true } else { false } }

    /// The returned device that waits to be used again.
    var waiting: Int? { if case .waiting(let index) = returned { index } else { nil } }

    /// ALSA's name of the device in use, or last in use.
    var name: String { devices[route ?? 0].name }

    /// The device to try after the one in use.
    var next: Int { route.map { ($0 + 1) % devices.count } ?? 0 }

    /// The devices preferred to the one in use, and how long each must stay available before it is used.
    var preferred: [(index: Int, settle: Duration)] { (0..<(route ?? 0)).map { ($0, backoff.settle(of: $0)) } }

    /// - Returns: the event if a preferred device has become unsteady: it has returned, but could not be opened.
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

    /// It has been closed because nothing played.
    mutating func closed() { state = .closed }

    /// - Returns: the event if the device has become unsteady.
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

    /// It has been closed so that a returned one can be used.
    mutating func left(at now: Int) {
        if let route { backoff.left(route) }
        state = .replacing(nil, until: now + timeout, wasInUse: true)
    }

    /// No device replaces it.
    mutating func giveUp() { state = .lost }

    /// Closes it for a sleep.
    mutating func release() { isReopened = isOpen }

    /// Uses it again after a sleep.
    mutating func reacquire(at now: Int) {
        guard case .replacing(let error, _, let wasInUse) = state else { return }
        state = .replacing(error, until: now + timeout, wasInUse: wasInUse)
    }

    /// A preferred device has returned.
    mutating func noteReturn(of index: Int) {
        guard let route, index < route else { return }
        returned = isLeaving ? .awaited(index) : .waiting(index)
    }

    /// Closes the device in use for a returned one.
    mutating func leave(for index: Int) { returned = .awaited(index) }

    /// Trusts a device less.
    private mutating func noteFlap(_ index: Int) -> PlaybackEvent? {
        backoff.noteFlap(index) ? .routeUnsteady(device: devices[index].name, settle: backoff.settle(of: index)) : nil
    }
}
