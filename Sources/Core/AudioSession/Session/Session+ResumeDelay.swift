/// An episode and a duck that outlast their signals (contract, section 2: `ResumeDelay`; 13 n and o).
extension Session {
    /// When `Event.delayElapsed` is due, on the clock of the events; nil while no `ResumeDelay` runs.
    public var deadline: Duration? { DelayedEnd.allCases.compactMap { end(of: $0) }.min() }

    /// What is over by now, if anything: to be reported by `Event.delayElapsed`.
    public func elapsed(by now: Duration) -> DelayedEnd? {
        DelayedEnd.allCases.first { end(of: $0).map { $0 <= now } ?? false }
    }

    private func end(of delayed: DelayedEnd) -> Duration? {
        switch delayed {
        case .episode: facts.unblockedAt.map { $0 + policy.resumeDelay }
        case .duck: facts.heldDuck.map { $0.since + policy.resumeDelay }
        }
    }

    mutating func finish(_ delayed: DelayedEnd, since before: Session, at now: Duration) -> [Action] {
        guard end(of: delayed) != nil else { return [] }
        var reaction = Reaction()
        switch delayed {
        case .episode: reaction.notifications += closeEpisode()
        case .duck: facts.heldDuck = nil
        }
        return settle(since: before, at: now, reaction)
    }
}
