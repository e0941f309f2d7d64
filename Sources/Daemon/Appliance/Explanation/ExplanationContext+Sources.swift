import AudioSession
import Spelling

/// The texts about inputs and players.
extension ExplanationContext {
    /// Returns what follows the selected input, such as `the library continues with ‘One.flac’ at 2:31 when it ends`, or
    /// nil if the library is selected.
    var inputSequel: String? {
        guard case .input = session.source else { return nil }
        switch session.outlookWhenInputCeases(at: now) {
        case (.input(let next), .plays): return "the input \(next) continues when it ends"
        case (.input(let next), .stays(let intent)): return "the input \(next) stays \(intent.rawValue) when it ends"
        case (.input(let next), .waitsForPlay): return "the input \(next) waits for ‘tacet play’ when it ends"
        case (.library, .plays): return "the library continues with \(placeInLibrary(.full)) when it ends"
        case (.library, _) where session.track == nil: return "there is nothing else to play when it ends"
        case (.library, .stays(let intent)): return "the library stays \(intent.rawValue) when it ends"
        case (.library, .waitsForPlay): return "the library waits for ‘tacet play’ when it ends"
        }
    }

    /// The clauses about the players that must not play now, such as `Tacet keeps the player mpd paused`. They state what
    /// the players have confirmed.
    var playerClauses: [String] {
        let lost = session.displacedPlayers.filter { health.lost[Fault(player: $0, .lost)] != nil }
        let paused = session.pausedPlayers.filter { !lost.contains($0) }
        let ordered = session.keptPlayers.filter { !lost.contains($0) && !paused.contains($0) }
        let unconfirmed = ordered.filter { session.faults.contains(Fault(player: $0, .unconfirmed)) }
        let awaited = ordered.filter { !unconfirmed.contains($0) }
        func named(_ players: [PlayerID]) -> String {
            "the player\(players.count > 1 ? "s" : "") \(players.map(\.rawValue).enumeration)"
        }
        let clauses: [String?] = [
            paused.isEmpty ? nil : "Tacet keeps \(named(paused)) paused",
            awaited.isEmpty ? nil : "Tacet has ordered \(named(awaited)) to pause",
            unconfirmed.isEmpty
                ? nil
                : "\(named(unconfirmed)) \(unconfirmed.count > 1 ? "have" : "has") not confirmed the pause and may still play",
        ]
        return clauses.compactMap(\.self) + lost.compactMap { health.clause(Fault(player: $0, .lost)) }
    }
}
