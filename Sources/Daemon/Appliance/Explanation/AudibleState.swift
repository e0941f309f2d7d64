import AudioSession
import Supervisor

/// Determines whether anything is audible, and the time of the last change. The directive is not sufficient, because
/// the volume may be mute, the storage late or the device stuck. The type is pure.
struct AudibleState: Hashable {
    private struct Sound: Hashable {
        let source: Source
        let directive: Directive
        let isMute: Bool
        let stall: QuietCause.Stall?

        var isQuiet: Bool { directive == .silent || directive == .play(.mute) || isMute || stall != nil }
    }

    private var sound: Sound?
    /// The time at which the sound last changed, or nil until the first report.
    private(set) var since: Duration?
    /// True if the storage does not keep up, which causes silence until it does.
    private var isStarved = false
    private var stallWatch = StallWatch()
    private var isStalled = false
    /// The files that the search in progress has skipped, or nil if there is no search. A search through many
    /// unplayable files takes a long time, but this is not a fault of the storage.
    private(set) var skipped: SkippedFiles?

    /// The component that prevents the music from advancing or from being heard, or nil if there is none.
    var stall: QuietCause.Stall? { sound?.stall }
    var isQuiet: Bool { sound?.isQuiet ?? true }

    /// - Parameters:
    ///   - session: The session after the report.
    ///   - isSearching: True if the supervisor searches for a track that can be played.
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
        update(
            session, stall: isStarved && session.source == .library ? .storage : isStalled ? stall : nil,
            at: report.time)
    }

    /// Checks for a stall. Call this regularly while the directive is to play, and every `StallWatch.pace` while the
    /// music does not advance.
    /// - Parameters:
    ///   - advancesUntil: The time until which the music advances, as far as is known.
    ///   - isLoading: True if the music waits for its file.
    /// - Returns: True if the result differs from the previous one.
    mutating func look(advancesUntil: Duration, isLoading: Bool, _ session: Session, at now: Duration) -> Bool {
        let before = sound
        let stalledSince = stallWatch.look(
            isDue: session.directive != .silent, advancesUntil: advancesUntil, at: now)
        isStalled = stalledSince != nil
        let stall: QuietCause.Stall? =
            (isStarved || isStalled && isLoading) && session.source == .library ? .storage : isStalled ? .device : nil
        update(session, stall: stall, at: stalledSince ?? now)
        return sound != before
    }

    /// Starts over after a period in which nothing was running, because that was not a stall.
    mutating func wake() {
        stallWatch = StallWatch()
        isStalled = false
    }

    /// Records that it was quiet before this process started and still is.
    mutating func wasQuiet(since time: Duration) {
        guard isQuiet, let since, time < since else { return }
        self.since = time
    }

    private mutating func update(_ session: Session, stall: QuietCause.Stall?, at time: Duration) {
        let now = Sound(
            source: session.source, directive: session.directive, isMute: session.volume == .mute,
            stall: stall ?? (session.isMutedFromOutside ? .output : nil))
        guard now != sound else { return }
        sound = now
        since = time
    }
}
