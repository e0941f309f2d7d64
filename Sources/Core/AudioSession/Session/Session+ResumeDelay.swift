/// Episodes and ducks that outlast their signals (see <doc:Semantics#Resume-delay>), and other deadlines.
extension Session {
    /// The time at which `Event.delayElapsed`, `Event.announcementExpired` or the event of `playerFault(by:)` must be sent
    /// next, on the clock of the events, or nil if none is pending.
    public var deadline: Duration? {
        (DelayedEnd.allCases.map { end(of: $0) } + [nextExpiry, playerDeadline]).compactMap { $0 }.min()
    }

    /// Returns the sound of the announcement that `Event.announcementExpired` will drop, or nil if none has expired by
    /// now. If several have expired, query again after the event.
    public func expiredAnnouncement(by now: Duration) -> SoundID? { firstExpired(by: now).map(name(of:)) }

    /// Returns the delay that has elapsed by now, to be passed to the session with `Event.delayElapsed`, or nil if none
    /// has. If both have elapsed, query again after the first event.
    public func elapsed(by now: Duration) -> DelayedEnd? {
        DelayedEnd.allCases.first { end(of: $0).map { $0 <= now } ?? false }
    }

    private func end(of delayed: DelayedEnd) -> Duration? {
        switch delayed {
        case .episode: facts.delay.unblockedAt.map { $0 + policy.resumeDelay }
        case .duck: facts.delay.heldDuck.map { $0.since + policy.resumeDelay }
        }
    }

    mutating func finish(_ delayed: DelayedEnd, since before: Session, at now: Duration) -> [Action] {
        guard end(of: delayed) != nil else { return [] }
        var reaction = Reaction()
        switch delayed {
        case .episode: reaction.notifications += closeEpisode()
        case .duck: facts.delay.heldDuck = nil
        }
        return settle(since: before, at: now, reaction)
    }
}
