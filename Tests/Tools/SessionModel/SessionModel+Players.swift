import AudioSession

/// The players, which are other programs that Tacet pauses.
extension SessionModel {
    struct Player {
        /// The reason why Tacet keeps a player paused.
        enum Keeping {
            /// An episode, an announcement or another source. The player resumes afterwards.
            case meanwhile
            /// The user has paused the player's input, or Tacet has, as the user would.
            case paused
        }

        let name: String
        /// The index of the player's input, or nil if it has none.
        let input: Int?
        /// The state of the program, even while Tacet is not running.
        var state = PlayerReport.gone
        var keeping: Keeping?
        /// The last command that was given to the player's source since something took the player's place.
        var lastCommand: String?
        /// True if the player has reported something while Tacet was not running.
        var isTouched = false
        /// True if the player ignores orders to pause.
        var refuses = false
        /// The time by which the player must confirm that it has paused.
        var confirmsBy: Duration?
        /// True while it is a fault that the player has not confirmed that it has paused.
        var isUnconfirmed = false
        /// True if that fault has ended but the `cleared` row has not been written yet.
        var isCleared = false
    }

    // MARK: Derived state

    /// The names of the players that Tacet keeps paused, as they have confirmed.
    var keptPlayers: [String] {
        let kept = players.filter { $0.keeping != nil && $0.confirmsBy == nil && (!$0.isUnconfirmed || $0.isCleared) }
        return kept.map(\.name).sorted()
    }

    var playerFaults: [String] { players.filter(\.isUnconfirmed).map { "player \($0.name):unconfirmed" } }

    func isPlayerKept(of input: Int) -> Bool { players.contains { $0.input == input && $0.keeping != nil } }

    private func owner(ofPlayer index: Int) -> Owner { owner(of: players[index].input) }

    /// Returns true if a player may not play now.
    private func mustPause(_ player: Player) -> Bool {
        if episode != nil || duePauses { return true }
        guard let selected else { return false }
        return player.input.map { $0 != selected && inputs.all[$0].sounds } ?? true
    }

    // MARK: Events

    mutating func report(_ index: Int, _ report: PlayerReport) {
        let keeping = players[index].keeping
        release(player: index)
        resolve(player: index)
        players[index].state = report
        if report == .gone { players[index].refuses = false }
        if keeping == .paused, report == .playing { play(owner(ofPlayer: index)) }
        settle()
    }

    /// Handles the state in which a player is found, although nobody has touched it.
    mutating func find(_ index: Int, _ report: PlayerReport) {
        players[index].refuses = false
        if report != .playing { resolve(player: index) }
        if players[index].keeping != nil, report != .gone {
            if report == .playing, !players[index].isUnconfirmed || players[index].isCleared {
                expectPause(of: index, by: now)
            }
        } else {
            release(player: index)
            // The report of a player that plays is an order if it must pause.
            players[index].state = report
        }
        settle()
    }

    /// Makes the players follow, after the event's other consequences are known.
    mutating func settlePlayers() {
        guard isOn, wakes == nil else { return }
        for index in players.indices {
            if players[index].state == .playing, mustPause(players[index]), players[index].keeping == nil {
                keep(player: index, .meanwhile)
            }
            guard !mustPause(players[index]) else { continue }
            let word = players[index].lastCommand
            players[index].lastCommand = nil
            guard players[index].keeping == .meanwhile else { continue }
            release(player: index)
            if word == nil || word == "play" { players[index].state = .playing }
        }
    }

    /// Ends what an episode did to the players. A player whose source does not resume is no longer kept.
    /// - Parameter waits: True if nothing resumes unless the user has played it.
    mutating func releasePlayers(waits: Bool, _ episode: Episode) {
        for index in players.indices where players[index].keeping == .meanwhile {
            let word = episode.lastCommands[owner(ofPlayer: index)]
            if word.map({ $0 != "play" }) ?? waits { release(player: index) }
        }
    }

    // MARK: Commands

    mutating func pausePlayers(of owner: Owner) {
        for index in players.indices where players[index].input != nil && self.owner(ofPlayer: index) == owner {
            if players[index].state == .playing || players[index].keeping != nil { keep(player: index, .paused) }
        }
    }

    mutating func resumePlayers(of owner: Owner) {
        for index in players.indices where self.owner(ofPlayer: index) == owner && players[index].keeping == .paused {
            players[index].keeping = .meanwhile
        }
    }

    mutating func noteWord(_ word: String, to owner: Owner) {
        for index in players.indices where self.owner(ofPlayer: index) == owner {
            players[index].lastCommand = word
        }
    }

    private mutating func keep(player index: Int, _ keeping: Player.Keeping) {
        let isOrdered = players[index].keeping == nil
        players[index].keeping = keeping
        if isOrdered { order(player: index) }
    }

    /// Orders a player to pause, which it confirms at once unless it refuses.
    private mutating func order(player index: Int) {
        if players[index].refuses, players[index].state == .playing {
            expectPause(of: index, by: now + .seconds(2))
        } else {
            players[index].state = .paused
            resolve(player: index)
        }
    }

    private mutating func expectPause(of index: Int, by deadline: Duration) {
        if players[index].isUnconfirmed {
            players[index].isCleared = false
        } else {
            players[index].confirmsBy = deadline
        }
    }

    /// Ends the wait for a player's confirmation, or the fault that it is missing.
    private mutating func resolve(player index: Int) {
        players[index].confirmsBy = nil
        if players[index].isUnconfirmed { players[index].isCleared = true }
    }

    private mutating func release(player index: Int) {
        guard players[index].keeping != nil else { return }
        players[index].confirmsBy = nil
        players[index].keeping = nil
        if let input = players[index].input { inputs.all[input].kept = now }
    }

    // MARK: Power

    /// Handles what the players reported while nothing was running.
    /// - Returns: The sources whose players were played although the user had paused them.
    mutating func bootPlayers() -> [Owner] {
        var played: [Owner] = []
        for index in players.indices {
            (players[index].confirmsBy, players[index].isUnconfirmed, players[index].isCleared) = (nil, false, false)
        }
        for index in players.indices where players[index].isTouched {
            if players[index].keeping == .paused, players[index].state == .playing {
                played.append(owner(ofPlayer: index))
            }
            release(player: index)
            players[index].isTouched = false
        }
        // A player that has not paused is ordered again.
        for index in players.indices where players[index].keeping != nil && players[index].state == .playing {
            order(player: index)
        }
        return played
    }
}
