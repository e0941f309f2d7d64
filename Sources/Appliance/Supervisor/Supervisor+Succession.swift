import AudioSession
import Playback

/// Continues after another supervisor of the same process has retired, so that followers see the end of each begin.
extension Supervisor {
    /// The lines' conditioning knows their faults. Faults that the predecessor reported are not reported again.
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

    /// Reports faults that have cleared, or whose signal no longer exists.
    func tellClearedFaults(of predecessor: Supervisor?) {
        for fault in predecessor?.session.faults ?? [] where !session.faults.contains(fault) {
            finish(Report(time: world.now, happening: .cleared(fault)))
        }
    }

    /// If the predecessor had lost the device, its first opening is its return. A loss is followed by a return of its own.
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
