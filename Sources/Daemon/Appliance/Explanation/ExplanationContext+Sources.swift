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

    /// Returns a clause such as `Tacet keeps the player mpd paused`, or nil if it does not keep any player paused.
    var playersClause: String? {
        let players = session.keptPlayers
        guard !players.isEmpty else { return nil }
        return "Tacet keeps the player\(players.count > 1 ? "s" : "") \(players.map(\.rawValue).enumeration) paused"
    }
}
