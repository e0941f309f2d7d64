extension JournalEntry {
    /// How many of its kind are told; nil: always all.
    ///
    /// What answers why it was quiet is told in full. What a loose wire, a flaky device or a mad program repeats is not.
    var limiter: Limiter? {
        switch event {
        case .fault, .faultCleared, .mediaServicesLost, .mediaServicesReset, .configurationChanged, .signalSuppressed,
            .storageLost, .storageBack, .remark, .microphone:
            Limiter(burst: 6)
        case .trackSkipped: Limiter(burst: 20)
        // No hand is as quick, nor as patient.
        case .command: Limiter(burst: 100, pace: .everySecond)
        default: nil
        }
    }

    /// What it is one of.
    var kind: [String] { [event.rawValue] + self[.signal] + self[.button] + self[.fault] }
}
