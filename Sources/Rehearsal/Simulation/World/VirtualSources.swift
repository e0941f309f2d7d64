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

    mutating func set(_ input: InputID, _ arrives: Bool) {
        if arrives { arriving.insert(input) } else { arriving.remove(input) }
    }

    func isArriving(_ input: InputID) -> Bool { arriving.contains(input) }

    mutating func set(_ player: PlayerID, _ report: PlayerReport, isTouched: Bool) {
        players[player] = report == .gone ? nil : report
        if isTouched { touched.insert(player) }
    }

    /// Carries out an order. A player of a rehearsal confirms it at once.
    mutating func carryOut(_ command: PlayerCommand, _ player: PlayerID) {
        guard players[player] != nil else { return }
        switch command {
        case .play: players[player] = .playing
        case .pause: players[player] = .paused
        case .next, .previous, .seek: break
        }
    }

    /// Describes the sources for a boot.
    mutating func describe(in facts: inout StartingFacts) {
        facts.arrivals = arriving
        facts.players = players
        facts.touchedPlayers = touched
        touched = []
    }
}
