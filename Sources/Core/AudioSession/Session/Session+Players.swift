/// Other programs that play by themselves, and pause while something takes their place (see <doc:Semantics#Players>).
extension Session {
    /// The players that Tacet keeps paused, in the order of the policy.
    public var keptPlayers: [PlayerID] {
        zip(policy.players, facts.sources.players).filter { $1.pause != nil }.map(\.0)
    }

    /// The last report of each player that is not gone.
    public var playerReports: [PlayerID: PlayerReport] {
        Dictionary(
            zip(policy.players, facts.sources.players).compactMap { $1.report == .gone ? nil : ($0, $1.report) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the index of the input with its own intent whose commands concern this player, or nil if the library's
    /// do.
    func owner(ofPlayer player: Int) -> Int? { input(ofPlayer: player).flatMap(owner(ofInput:)) }

    private func input(ofPlayer player: Int) -> Int? {
        policy.inputs.firstIndex { $0.player == policy.players[player] }
    }

    private func player(of input: Int) -> Int? {
        policy.inputs[input].player.flatMap { policy.players.firstIndex(of: $0) }
    }

    /// Returns the indices of the players of this source's inputs, which are the automatic ones for the library.
    private func players(of owner: Int?) -> [Int] {
        facts.sources.players.indices.filter { player in
            guard let input = input(ofPlayer: player), policy.inputs[input].role != .page else { return false }
            return self.owner(ofInput: input) == owner
        }
    }

    /// Returns true if something else is heard in the player's place. The library never takes the place of a player.
    func isHeld(player: Int) -> Bool {
        if facts.episode != nil { return true }
        if let effect = announcementEffect, policy.pauses(effect) { return true }
        guard let selectedInput else { return false }
        guard let input = input(ofPlayer: player) else { return true }
        return input != selectedInput && facts.sources.sounding.contains(input)
    }

    /// Returns true if Tacet keeps the player of this input paused, so that the input counts as sounding.
    func isPlayerPaused(of input: Int) -> Bool {
        player(of: input).map { facts.sources.players[$0].pause != nil } ?? false
    }

    /// The inputs that count as sounding because Tacet keeps their players paused.
    public var heldInputs: [InputID] {
        policy.inputs.indices.filter(isPlayerPaused).map { policy.inputs[$0].id }
    }

    // MARK: Events

    /// Handles a report that the player makes on its own, which means that somebody has touched it.
    mutating func handle(_ report: PlayerReport, from id: PlayerID, at now: Duration) {
        guard let player = policy.players.firstIndex(of: id) else { return }
        let wasPaused = facts.sources.players[player].pause
        facts.sources.players[player].report = report
        facts.sources.players[player].pause = nil
        // A player that starts in spite of a hold is paused again (see `settlePlayers`).
        guard report == .playing, wasPaused == .command else { return }
        play(owner(ofPlayer: player), because: .user, at: now)
        dropStuck(at: now)
    }

    /// Handles the state in which a player was found. Nobody has touched it.
    mutating func find(_ id: PlayerID, _ report: PlayerReport, _ reaction: inout Reaction) {
        guard let player = policy.players.firstIndex(of: id) else { return }
        let isKept = facts.sources.players[player].pause != nil
        // This confirms the pause.
        if isKept, report == .paused { return }
        // A player that does not pause counts as gone until it reports something on its own. Otherwise, it would be
        // ordered to pause for ever.
        facts.sources.players[player].report = isKept ? .gone : report
        facts.sources.players[player].pause = nil
        reaction.reportingPlayer = id
    }

    /// Pauses the players of a source, because the user has paused it, or because its intent is no longer to play. The
    /// automatic inputs share the library's intent, so they also share its pause.
    mutating func pausePlayers(of owner: Int?) {
        for player in players(of: owner)
        where facts.sources.players[player].pause != nil || facts.sources.players[player].report == .playing {
            facts.sources.players[player].report = .paused
            facts.sources.players[player].pause = .command
        }
    }

    /// Lets the players of a source resume that Tacet keeps paused for a command.
    mutating func resumePlayers(of owner: Int?) {
        for player in players(of: owner) where facts.sources.players[player].pause == .command {
            facts.sources.players[player].pause = .hold
        }
    }

    /// Returns the player of an input if it plays or is paused, so that commands can be passed to it.
    func livePlayer(of input: Int) -> PlayerID? {
        guard let player = player(of: input), facts.sources.players[player].report != .gone else { return nil }
        return policy.players[player]
    }

    // MARK: Consequences

    /// Releases the players that stay paused after an episode.
    ///
    /// - Parameters:
    ///   - waits: true if nothing resumes unless the user has played it.
    ///   - lastCommand: returns the user's last command about a source in the episode.
    mutating func releasePlayers(waits: Bool, _ lastCommand: (Int?) -> Episode.LastCommand?) {
        for player in facts.sources.players.indices where facts.sources.players[player].pause == .hold {
            guard lastCommand(owner(ofPlayer: player)).map({ $0 != .play }) ?? waits else { continue }
            facts.sources.players[player].pause = nil
        }
    }

    /// Pauses the players in whose place something else is heard, and resumes the others if the user has not paused
    /// their source meanwhile.
    ///
    /// - Parameters:
    ///   - before: the players before the event.
    ///   - reporting: the player whose report is the event, or nil if it is another event.
    /// - Returns: the orders to the players.
    mutating func settlePlayers(since before: [PlayerFacts], reporting: PlayerID? = nil) -> [Action] {
        var orders: [Action] = []
        for (player, id) in policy.players.enumerated() {
            var now = facts.sources.players[player]
            if isHeld(player: player) {
                if now.report == .playing {
                    now.report = .paused
                    now.pause = .hold
                }
            } else {
                if now.pause == .hold {
                    now.pause = nil
                    if now.lastCommand ?? .play == .play { now.report = .playing }
                }
                now.lastCommand = nil
            }
            facts.sources.players[player] = now
            if now.pause != nil, before[player].pause == nil || id == reporting {
                orders.append(.player(id, .pause))
            } else if now.report == .playing, before[player].report == .paused, id != reporting {
                orders.append(.player(id, .play))
            }
        }
        return orders
    }
}
