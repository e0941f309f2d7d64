extension JournalEntry {
    /// How many of its kind are told in a row; nil: always all.
    ///
    /// What answers why it was quiet is told in full. What a loose wire or a flaky device repeats is not.
    var burst: Int? {
        switch event {
        case .fault, .faultCleared, .mediaServicesLost, .mediaServicesReset, .configurationChanged, .signalSuppressed,
            .storageLost, .storageBack, .remark, .microphone:
            6
        case .trackSkipped: 20
        default: nil
        }
    }

    /// What it is one of.
    var kind: [String] { [event.rawValue] + self[.signal] + self[.fault] }
}
