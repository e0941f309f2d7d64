import SoundLab
import Testing

/// Runs a test in real time, and repeats it if it fails while the machine has stalled, because such a failure proves
/// nothing. A failure without a stall is final, as is any failure of the fifth attempt.
func retryOnStall(_ listen: () throws -> Void) throws {
    for _ in 0..<4 {
        let stalls = StallDetector()
        let invalidation = Invalidation()
        try withKnownIssue("the machine has stalled", isIntermittent: true) {
            try listen()
        } matching: { _ in
            if stalls.hasStalled { invalidation.value = true }
            return stalls.hasStalled
        }
        if !invalidation.value { return }
    }
    try listen()
}

/// A flag that indicates whether a stall has invalidated an attempt. Only the test's own thread uses it.
private final class Invalidation: @unchecked Sendable {
    var value = false
}
