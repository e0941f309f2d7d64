import Threads
import Time

/// The time for which each of several devices must have been available again before it is used. This is a pure state
/// machine. It limits how often a flapping device is opened, and therefore how often the route changes. Times are in
/// nanoseconds of CLOCK_MONOTONIC.
struct FlapBackoff {
    private let first: Duration
    private let longest: Duration
    private var settles: [Duration]
    /// The time at which each device was last opened.
    private var openedAt: [Int?]

    init(devices: Int, _ settle: Backoff) {
        first = settle.first
        longest = max(settle.first, settle.longest)
        settles = Array(repeating: first, count: devices)
        openedAt = Array(repeating: nil, count: devices)
    }

    func settle(of device: Int) -> Duration { settles[device] }

    mutating func opened(_ device: Int, at now: Int) {
        // Keep the earlier time if there is one, because a device that is only reopened after a pause has not been
        // interrupted.
        openedAt[device] = openedAt[device] ?? now
    }

    /// Records that another device has replaced this one, although it was available.
    mutating func left(_ device: Int) { openedAt[device] = nil }

    /// - Returns: true if the device was lost soon after it had been opened.
    mutating func lost(_ device: Int, at now: Int) -> Bool {
        defer { openedAt[device] = nil }
        guard let opened = openedAt[device] else { return false }
        if now - opened < longest.wholeNanoseconds { return true }
        settles[device] = first
        return false
    }

    /// Doubles the settling time of a device.
    /// - Returns: true if the device has just become unsteady, because its time has now been doubled for the third time
    ///   in a row.
    mutating func noteFlap(_ device: Int) -> Bool {
        let before = settles[device]
        settles[device] = min(before * 2, longest)
        let limit = min(first * 8, longest)
        return before < limit && settles[device] >= limit
    }
}
