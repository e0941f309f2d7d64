import Recording
import Time

/// The state of the disk as the recorder reports it. The type is pure.
struct RecordingDisk {
    /// The time that a call has taken, or nil if the disk is not considered slow.
    private var slowCall: Duration?
    private var failure: String?

    /// True if the disk rejects the recording, which then waits in memory.
    var hasFailed: Bool { failure != nil }

    /// The reason why the recording is not written, or nil if there is no problem.
    var problem: String? {
        failure
            ?? slowCall.map { "the disk of the recordings is slow: one call has taken \($0.wholeTenths) s" }
    }

    mutating func fails(_ error: RecordingError) { failure = "\(error)" }
    mutating func isSlow(_ call: Duration) { slowCall = call }

    /// Records that the slow call has returned.
    /// - Returns: True if that ends the problem.
    mutating func callReturned() -> Bool {
        defer { slowCall = nil }
        return slowCall != nil && failure == nil
    }
}

extension Duration {
    /// The time in seconds with one decimal.
    fileprivate var wholeTenths: String {
        (wholeNanoseconds / 100_000_000).decimal(places: 1)
    }
}
