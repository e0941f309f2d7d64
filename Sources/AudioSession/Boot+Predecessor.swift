extension Boot {
    /// What a session knew whose place another takes while the power is on. What it has told of is no news, and what of
    /// that is over has an end to be told.
    public struct Predecessor: Hashable, Sendable {
        let episode: Episode?
        let duckLevel: Level?
        let servicesAvailable: Bool
        let playedWhileLost: Bool
        let rewinds: Bool

        public init(_ session: AudioSession) {
            episode = session.facts.episode
            duckLevel = session.duckLevel
            servicesAvailable = session.facts.servicesAvailable
            playedWhileLost = session.facts.playedWhileLost
            rewinds = session.facts.rewinds
        }
    }
}
