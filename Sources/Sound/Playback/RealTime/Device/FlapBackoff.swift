import Threads
import Time

/// How long each of several devices must have been available again before it is used: a pure machine. It bounds how often
/// a device that flaps is opened, and so how often the route changes. Times are nanoseconds of CLOCK_MONOTONIC.
struct FlapBackoff {
    private let first: Duration
    private let longest: Duration
    private var settles: [Duration]
    /// When each device was last opened.
    private var openedAt: [Int?]

    init(devices: Int, _ settle: Backoff) {
        first = settle.first
        longest = max(settle.first, settle.longest)
        settles = Array(repeating: first, count: devices)
        openedAt = Array(repeating: nil, count: devices)
    }

    func settle(of device: Int) -> Duration { settles[device] }

    mutating func opened(_ device: Int, at now: Int) {
        // A device that is opened again after a pause has not been interrupted.
        openedAt[device] = openedAt[device] ?? now
    }

    /// Another device replaced it, although it was available.
    mutating func left(_ device: Int) { openedAt[device] = nil }

    /// - Returns: whether it was lost soon after it had been opened.
    mutating func lost(_ device: Int, at now: Int) -> Bool {
        defer { openedAt[device] = nil }
        guard let opened = openedAt[device] else { return false }
        if now - opened < longest.wholeNanoseconds { return true }
        settles[device] = first
        return false
    }

    /// Doubles the time.
    /// - Returns: whether the device has just become unsteady: it has now been doubted for the third time in a row.
    mutating func noteFlap(_ device: Int) -> Bool {
        let before = settles[device]
        settles[device] = min(before * 2, longest)
        let limit = min(first * 8, longest)
        return before < limit && settles[device] >= limit
    }
}
