/// Recognises by its position that a program plays, although it reports something else. It is a pure value.
///
/// The position of a stopped program does not change, so one advance is enough. A person may seek in a paused one, so
/// it must advance twice in a row, about as fast as time passes.
struct Motion: Hashable, Sendable {
    private enum Verdict: Hashable, Sendable { case still, advanced, advancesAgain }

    private struct Sample: Hashable, Sendable {
        let position: Duration
        let time: Duration
    }

    private var verdict = Verdict.still
    private var sample: Sample?
    /// True if another look soon could decide.
    private(set) var isUncertain = false

    /// The shortest time between two positions that can be compared, and the longest for which the comparison is meaningful.
    private static let shortest = Duration.milliseconds(200)
    private static let longest = Duration.seconds(5)

    /// Forgets the last position, because an order that follows may start or stop the program.
    mutating func restart() { sample = nil }

    /// Returns what the program does, and forgets its position.
    mutating func judge(_ sighting: Sighting, at now: Duration) -> Sighting {
        var judged = sighting
        judged.position = nil
        guard sighting.status != .playing else {
            self = Motion()
            return judged
        }
        if let position = sighting.position { compare(position, at: now) }
        if sample.map({ now - $0.time > Self.longest }) ?? false { self = Motion() }
        switch verdict {
        case .still: break
        case .advanced: if sighting.status == .stopped { judged.status = .playing }
        case .advancesAgain: judged.status = .playing
        }
        return judged
    }

    private mutating func compare(_ position: Duration, at now: Duration) {
        guard let before = sample, now - before.time <= Self.longest else {
            if sample != nil { verdict = .still }
            sample = Sample(position: position, time: now)
            isUncertain = true
            return
        }
        let elapsed = now - before.time
        guard elapsed >= Self.shortest else { return }
        sample = Sample(position: position, time: now)
        let advance = position - before.position
        if advance == .zero {
            (verdict, isUncertain) = (.still, false)
        } else if advance < elapsed / 4 || advance > elapsed * 4 + .milliseconds(100) {
            // It has jumped, so the next position decides.
            isUncertain = true
        } else {
            isUncertain = verdict == .still
            verdict = verdict == .still ? .advanced : .advancesAgain
        }
    }
}
