/// Other programs that play by themselves, and pause while something takes their place (see <doc:Semantics#Players>).
extension Session {
    /// The time within which a player must confirm that it has paused.
    public static let pauseTime = Duration.seconds(2)
    /// The time after a restart within which a player must confirm that it is still paused. The program that asks it may
    /// start later than Tacet.
    public static let restartTime = Duration.seconds(30)

    /// The players that Tacet has ordered to pause, and to stay paused, in the order of the policy.
    public var keptPlayers: [PlayerID] { players { $0.pause != nil } }

    /// The players that Tacet keeps paused, as they have confirmed, in the order of the policy.
    public var pausedPlayers: [PlayerID] { players(where: \.isPaused) }

    /// The players in whose place something else is heard, in the order of the policy.
    public var displacedPlayers: [PlayerID] {
        policy.players.indices.filter(isHeld(player:)).map { policy.players[$0] }
    }

    private func players(where isIncluded: (PlayerFacts) -> Bool) -> [PlayerID] {
        zip(policy.players, facts.sources.players).filter { isIncluded($1) }.map(\.0)
    }

    /// The last report of each player that is not gone. A player that has not confirmed that it has paused plays.
    public var playerReports: [PlayerID: PlayerReport] {
        reports { $0.pause != nil && !$0.isPaused ? .playing : $0.report }
    }

    /// The reports from which a successor starts in a reload. An order counts as a report.
    public var inheritedReports: [PlayerID: PlayerReport] { reports(\.report) }

    private func reports(_ report: (PlayerFacts) -> PlayerReport) -> [PlayerID: PlayerReport] {
        Dictionary(
            zip(policy.players, facts.sources.players).compactMap { $1.report == .gone ? nil : ($0, report($1)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The faults of players that have not confirmed that they have paused.
    var playerFaults: [Fault] {
        let unconfirmed = players { facts in
            switch facts.doubt {
            case .unconfirmed, .resolved: true
            case .awaited, nil: false
            }
        }
        return unconfirmed.map { Fault(player: $0, .unconfirmed) }
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

    /// The time at which `playerFault(by:)` next returns an event, or nil if there is none.
    var playerDeadline: Duration? {
        facts.sources.players.compactMap { player in
            switch player.doubt {
            case .awaited(let time), .resolved(let time): time
            case .unconfirmed, nil: nil
            }
        }.min()
    }

    /// Returns the event that reports that a player has not confirmed its pause in time, or that this fault is over, or nil
    /// if there is none by now. If there are several, query again after the event.
    public func playerFault(by now: Duration) -> Event? {
        for (player, facts) in zip(policy.players, facts.sources.players) {
            switch facts.doubt {
            case .awaited(let deadline) where deadline <= now: return .fault(Fault(player: player, .unconfirmed))
            case .resolved: return .cleared(Fault(player: player, .unconfirmed))
            default: break
            }
        }
        return nil
    }

    mutating func setDoubt(_ doubt: PauseDoubt?, about id: PlayerID) {
        policy.players.firstIndex(of: id).map { facts.sources.players[$0].doubt = doubt }
    }

    /// Handles a report that the player makes on its own, which means that somebody has touched it.
    mutating func handle(_ report: PlayerReport, from id: PlayerID, at now: Duration) {
        guard let player = policy.players.firstIndex(of: id) else { return }
        let wasPaused = facts.sources.players[player].pause
        facts.sources.players[player].report = report
        facts.sources.players[player].pause = nil
        facts.sources.players[player].removeDoubt(at: now)
        // A player that starts in spite of a hold is paused again (see `settlePlayers`).
        guard report == .playing, wasPaused == .command else { return }
        play(owner(ofPlayer: player), because: .user, at: now)
        dropStuck(at: now)
    }

    /// Handles the state in which a player was found. Nobody has touched it.
    mutating func find(_ id: PlayerID, _ report: PlayerReport, at now: Duration, _ reaction: inout Reaction) {
        guard let player = policy.players.firstIndex(of: id) else { return }
        if report != .playing { facts.sources.players[player].removeDoubt(at: now) }
        if facts.sources.players[player].pause != nil, report != .gone {
            // A player that does not pause is not ordered again, because it would be ordered for ever. It counts as kept
            // until the end, in case that it pauses late.
            if report == .playing { facts.sources.players[player].expectPause(by: now) }
            return
        }
        facts.sources.players[player].report = report
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
    mutating func settlePlayers(
        since before: [PlayerFacts], at now: Duration, reporting: PlayerID? = nil
    ) -> [Action] {
        var orders: [Action] = []
        for (player, id) in policy.players.enumerated() {
            var state = facts.sources.players[player]
            var isToPause = state.pause != nil && (before[player].pause == nil || id == reporting)
            let isHeld = isHeld(player: player)
            if state.report == .playing, isHeld || state.pause == .command {
                state.report = .paused
                state.pause = state.pause ?? .hold
                isToPause = true
            }
            if !isHeld {
                if state.pause == .hold {
                    state.pause = nil
                    isToPause = false
                    if state.lastCommand ?? .play == .play { state.report = .playing }
                }
                state.lastCommand = nil
            }
            if isToPause {
                state.expectPause(by: now + Self.pauseTime)
                orders.append(.player(id, .pause))
            } else if state.report == .playing, before[player].report == .paused, id != reporting {
                orders.append(.player(id, .play))
            }
            // Nothing is awaited of a player that may play again.
            if state.pause == nil, case .awaited = state.doubt { state.doubt = nil }
            facts.sources.players[player] = state
        }
        return orders
    }
}
