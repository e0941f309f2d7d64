import AudioSession
import Supervisor

/// What can be heard, and since when: more than the directive says, as the volume may be mute, the storage late or the
/// device stuck. Pure.
struct Audibility: Hashable {
    private struct Sound: Hashable {
        let directive: Directive
        let isMute: Bool
        let stall: QuietCause.Stall?

        var isQuiet: Bool { directive == .silent || directive == .play(.mute) || isMute || stall != nil }
    }

    private var sound: Sound?
    /// When it last changed; nil where nothing is known yet.
    private(set) var since: Duration?
    /// Whether the storage does not keep up, so that there is silence until it does.
    private var isStarved = false
    private var stallWatch = StallWatch()
    private var isStalled = false

    /// What does not advance although it should.
    var stall: QuietCause.Stall? { sound?.stall }
    var isQuiet: Bool { sound?.isQuiet ?? true }

    /// - Parameter session: after what is reported.
    mutating func note(_ report: Report, _ session: Session) {
        switch report.happening {
        case .noticed(.storageStarved): isStarved = true
        // Another player has read nothing yet that could be late.
        case .noticed(.storageRecovered), .boot:
            isStarved = false
            isStalled = false
            stallWatch = StallWatch()
        default: break
        }
        if session.directive == .silent { isStalled = false }
        update(session, stall: isStarved ? .storage : isStalled ? stall : nil, at: report.time)
    }

    /// To be called every `StallWatch.pace` while the directive is to play.
    /// - Parameters:
    ///   - isAdvancing: whether the device has just taken frames of the programme.
    ///   - isLoading: whether the programme waits for its file.
    /// - Returns: whether it changed what is heard.
    mutating func look(isAdvancing: Bool, isLoading: Bool, _ session: Session, at now: Duration) -> Bool {
        let before = sound
        let stalledSince = stallWatch.look(
            isDue: session.directive != .silent, isAdvancing: isAdvancing, at: now)
        isStalled = stalledSince != nil
        let stall: QuietCause.Stall? =
            isStarved || isStalled && isLoading ? .storage : isStalled ? .device : nil
        update(session, stall: stall, at: stalledSince ?? now)
        return sound != before
    }

    /// It was quiet before this process started, and still is.
    mutating func wasQuiet(since time: Duration) {
        guard isQuiet, let since, time < since else { return }
        self.since = time
    }

    private mutating func update(_ session: Session, stall: QuietCause.Stall?, at time: Duration) {
        let now = Sound(directive: session.directive, isMute: session.volume == .mute, stall: stall)
        guard now != sound else { return }
        sound = now
        since = time
    }
}
