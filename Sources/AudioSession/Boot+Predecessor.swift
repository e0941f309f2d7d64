extension Boot {
    /// State carried across a reload. The new session does not repeat its predecessor's notifications, and reports the
    /// end of anything that has ended since.
    public struct Predecessor: Hashable, Sendable {
        let episode: Episode?
        let unblockedAt: Duration?
        let duckLevel: Level?
        let activeDuckLevel: Level?
        let heldDuck: Facts.HeldDuck?
        let servicesAvailable: Bool
        let playedWhileLost: Bool
        let isOnFallback: Bool

        public init(_ session: AudioSession) {
            episode = session.facts.episode
            unblockedAt = session.facts.unblockedAt
            duckLevel = session.duckLevel
            activeDuckLevel = session.activeDuckLevel
            heldDuck = session.facts.heldDuck
            servicesAvailable = session.facts.servicesAvailable
            playedWhileLost = session.facts.playedWhileLost
            isOnFallback = session.facts.isOnFallback
        }
    }
}
