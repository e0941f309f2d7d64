import SoundLab
import Testing

/// Listens in real time, and listens again if the machine stood still meanwhile: what was heard then proves nothing.
/// Whatever goes wrong while it did not is the programme's fault, and so is what goes wrong five times.
func inPeace(_ listen: () throws -> Void) throws {
    for _ in 0..<4 {
        let stalls = StallDetector()
        let spoilt = Spoilt()
        try withKnownIssue("the machine stood still", isIntermittent: true) {
            try listen()
        } matching: { _ in
            if stalls.hasStalled { spoilt.value = true }
            return stalls.hasStalled
        }
        if !spoilt.value { return }
    }
    try listen()
}

/// Tests run on one thread each.
private final class Spoilt: @unchecked Sendable {
    var value = false
}
