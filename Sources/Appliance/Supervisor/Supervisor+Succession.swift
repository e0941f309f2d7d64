import AudioSession
import Playback

/// Going on where another supervisor has retired in the same process: whoever follows sees each begin's end.
extension Supervisor {
    /// What is wrong with the lines is known from their conditioning. What was so before is no news.
    func inheritFaults(of predecessor: Supervisor?, _ report: inout Report) {
        let known = predecessor?.session.faults ?? []
        for fault in signals.faults where !session.faults.contains(fault) {
            if known.contains(fault) {
                handle(.fault(fault), &report)
            } else {
                pending.append(.fault(fault))
            }
        }
    }

    /// What was wrong and is no longer: mended, or of a signal that there no longer is.
    func tellClearedFaults(of predecessor: Supervisor?) {
        for fault in predecessor?.session.faults ?? [] where !session.faults.contains(fault) {
            finish(Report(time: world.now, happening: .cleared(fault)))
        }
    }

    /// The first opening of a device that a predecessor had lost is its return. A loss comes with a return of its own.
    func follow(_ event: PlaybackEvent) {
        guard awaitsDevice else { return }
        switch event {
        case .deviceOpened:
            awaitsDevice = false
            pending.insert(.deviceReset, at: 0)
        case .deviceLost: awaitsDevice = false
        default: break
        }
    }
}
