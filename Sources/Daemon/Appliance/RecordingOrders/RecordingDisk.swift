import Recording
import Time

/// What the recorder reports of its disk. Pure.
struct RecordingDisk {
    /// How long a call has taken on a disk that counts as slow.
    private var slowCall: Duration?
    private var failure: String?

    /// Whether it rejects the recording, which waits in memory.
    var hasFailed: Bool { failure != nil }

    /// Why the recording is not written; nil while all is well.
    var problem: String? {
        failure
            ?? slowCall.map { "the disk of the recordings is slow: one call has taken \($0.wholeTenths) s" }
    }

    mutating func fails(_ error: RecordingError) { failure = "\(error)" }
    mutating func isSlow(_ call: Duration) { slowCall = call }

    /// The slow call has returned.
    /// - Returns: whether that ends the problem.
    mutating func callReturned() -> Bool {
        defer { slowCall = nil }
        return slowCall != nil && failure == nil
    }
}

extension Duration {
    /// In seconds, with one decimal.
    fileprivate var wholeTenths: String {
        (wholeNanoseconds / 100_000_000).decimal(places: 1)
    }
}
