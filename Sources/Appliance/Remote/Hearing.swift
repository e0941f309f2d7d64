import AudioSession
import Supervisor

/// What can be heard, and since when: more than the directive says, as the volume may be mute or the storage late. Pure.
struct Hearing: Hashable {
    private struct Sound: Hashable {
        let directive: Directive
        let isMute: Bool
        let isStarved: Bool
    }

    private var sound: Sound?
    /// When it last changed; nil where nothing is known yet.
    private(set) var since: Duration?
    /// Whether the storage does not keep up, so that there is silence until it does.
    private(set) var isStarved = false

    /// - Parameter session: after what is reported.
    mutating func note(_ report: Report, _ session: AudioSession) {
        switch report.happening {
        case .noticed(.storageStarved): isStarved = true
        // Another player has read nothing yet that could be late.
        case .noticed(.storageRecovered), .boot: isStarved = false
        default: break
        }
        let now = Sound(directive: session.directive, isMute: session.volume == .mute, isStarved: isStarved)
        guard now != sound else { return }
        sound = now
        since = report.time
    }
}
