import AudioSession
import Supervisor

/// The inputs at which audio arrives, and the other programs that play by themselves. They also change while the power
/// of the board is off.
struct VirtualSources {
    private var arriving: Set<InputID> = []
    /// The states of the players. A player that is not listed is gone.
    private var players: [PlayerID: PlayerReport] = [:]
    /// The players that have reported something while the power was off.
    private var touched: Set<PlayerID> = []
    /// The players that do not pause when they are ordered to.
    private var refusing: Set<PlayerID> = []

    mutating func set(_ input: InputID, _ arrives: Bool) {
        if arrives { arriving.insert(input) } else { arriving.remove(input) }
    }

    func isArriving(_ input: InputID) -> Bool { arriving.contains(input) }

    /// - Parameters:
    ///   - isTouched: true if the player has reported this while the power was off.
    ///   - isFound: true if the player has not reported this on its own.
    mutating func set(_ player: PlayerID, _ report: PlayerReport, isTouched: Bool = false, isFound: Bool = false) {
        players[player] = report == .gone ? nil : report
        if report == .gone || isFound { refusing.remove(player) }
        if isTouched { touched.insert(player) }
    }

    /// Makes a player ignore orders to pause until it is found or has ended.
    mutating func refuse(_ player: PlayerID) { refusing.insert(player) }

    /// Carries out an order. A player of a rehearsal confirms it at once, unless it refuses.
    /// - Returns: the state of a player that has paused.
    mutating func carryOut(_ command: PlayerCommand, _ player: PlayerID) -> PlayerReport? {
        guard players[player] != nil else { return nil }
        switch command {
        case .play: players[player] = .playing
        case .pause where !refusing.contains(player):
            players[player] = .paused
            return .paused
        case .pause, .next, .previous, .seek: break
        }
        return nil
    }

    /// Describes the sources for a boot.
    mutating func describe(in facts: inout StartingFacts) {
        facts.arrivals = arriving
        facts.players = players
        facts.touchedPlayers = touched
        touched = []
    }
}
