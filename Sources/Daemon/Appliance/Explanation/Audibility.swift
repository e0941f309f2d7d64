import AudioSession
import Supervisor

/// Whether anything is heard, and since when. The directive is not enough: the volume can be mute, the storage late or the
/// device stuck. Pure.
struct Audibility: Hashable {
    private struct Sound: Hashable {
        let directive: Directive
        let isMute: Bool
        let stall: QuietCause.Stall?

        var isQuiet: Bool { directive == .silent || directive == .play(.mute) || isMute || stall != nil }
    }

    private var sound: Sound?
    /// When it last changed; nil until the first report.
    private(set) var since: Duration?
    /// Whether the storage does not keep up, which means silence until it does.
    private var isStarved = false
    private var stallWatch = StallWatch()
    private var isStalled = false
    /// Nil while no search is in progress. A search through rubbish takes long, and is not the storage's fault.
    private(set) var skipped: SkippedFiles?

    /// What does not advance although the music should play.
    var stall: QuietCause.Stall? { sound?.stall }
    var isQuiet: Bool { sound?.isQuiet ?? true }

    /// - Parameters:
    ///   - session: the session after the report.
    ///   - isSearching: whether the supervisor searches for a track that can be played.
    mutating func note(_ report: Report, _ session: Session, isSearching: Bool = false) {
        if !isSearching { skipped = nil }
        switch report.cause {
        case .note(.playback(.storageStarved)): isStarved = true
        // A new player has not started to read.
        case .note(.playback(.storageRecovered)), .event(.boot, _):
            isStarved = false
            isStalled = false
            stallWatch = StallWatch()
        case .note(.trackSkipped(_, let reason, isPlayed: false)) where isSearching:
            skipped = SkippedFiles(count: (skipped?.count ?? 0) + 1, reason: reason)
        default: break
        }
        if session.directive == .silent { isStalled = false }
        update(session, stall: isStarved ? .storage : isStalled ? stall : nil, at: report.time)
    }

    /// Call this every `StallWatch.pace` while the directive is to play.
    /// - Parameters:
    ///   - isAdvancing: whether the device has just taken frames of the music.
    ///   - isLoading: whether the music waits for its file.
    /// - Returns: whether the result differs from before.
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

    /// Nothing has run for some time: that was no stall.
    mutating func wake() {
        stallWatch = StallWatch()
        isStalled = false
    }

    /// It was quiet before this process started, and it still is.
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
