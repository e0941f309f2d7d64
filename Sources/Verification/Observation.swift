import AudioSession

/// What an observer of the notifications thinks.
enum Observation: UInt8 {
    case quiet, interrupted, beganTwice, endedWithoutBegin

    init(interrupted: Bool) { self = interrupted ? .interrupted : .quiet }

    mutating func hear(_ notification: Notification) {
        switch (notification, self) {
        case (.began, .quiet): self = .interrupted
        case (.began, .interrupted): self = .beganTwice
        case (.ended, .interrupted): self = .quiet
        case (.ended, .quiet): self = .endedWithoutBegin
        default: break
        }
    }
}
