import AudioSession
import Playback

/// Takes over from a retired supervisor of the same process, so that followers see an end for each begin.
extension Supervisor {
    /// Adopts the faults that the lines' conditioners have inherited. Faults that the predecessor reported are not reported
    /// again.
    func inheritFaults(of predecessor: Supervisor?, _ report: inout Report) {
        let known = predecessor?.session.faults ?? []
        for fault in signals.faults where !session.faults.contains(fault) {
            if known.contains(fault) {
                handle(.fault(fault), &report)
            } else {
                pending.append(.event(.fault(fault)))
            }
        }
    }

    /// Continues the numbers of announcements, keeps what they are heard with, and knows which sounds could not be read, until the player reports them.
    func inheritSounds(of predecessor: Supervisor?) {
        guard let predecessor else { return }
        announcements = predecessor.announcements
        clips = predecessor.clips
        for (sound, problem) in predecessor.soundProblems
        where configuration.sounds[sound]?.file == predecessor.configuration.sounds[sound]?.file {
            soundProblems[sound] = problem
        }
    }

    /// Reports faults that have cleared, or whose signal no longer exists.
    func reportClearedFaults(of predecessor: Supervisor?) {
        for fault in predecessor?.session.faults ?? [] where !session.faults.contains(fault) {
            let event = fault == .capture ? Event.captureReturned : .cleared(fault)
            finish(Report(time: world.now, cause: .event(event)))
            guard case .sound(let sound) = fault.subject else { continue }
            pending.removeAll { $0 == .event(.soundReadable(sound, true)) }
        }
    }

    /// If the predecessor had lost the device, reports the first opening as its return. After another loss, the player
    /// reports the return.
    func follow(_ event: PlaybackEvent) {
        guard awaitsDevice else { return }
        switch event {
        case .deviceOpened:
            awaitsDevice = false
            pending.insert(.event(.mediaServicesReset), at: 0)
        case .deviceLost: awaitsDevice = false
        default: break
        }
    }
}
