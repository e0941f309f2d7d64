import AudioSession
import Configuration
import Spelling

/// What helpers have reported about inputs and players, and the problems of pipes. This type is pure.
struct HelperReports {
    /// What plays at an input, as its helper has reported it. Both texts may be empty.
    struct Programme: Hashable {
        var title = ""
        var artist = ""
    }

    private var programmes: [InputID: Programme] = [:]
    /// The problems of pipes, and those that helpers have reported.
    private var pipes: [InputID: String] = [:]
    private var helpers: [InputID: String] = [:]
    /// The inputs that are played but not heard.
    private var unheard: Set<InputID> = []
    /// The reasons why players cannot be controlled, as their helper has reported them.
    private var players: [PlayerID: String] = [:]

    /// The longest text that is kept, in bytes.
    static let longestText = 300

    subscript(input: InputID) -> Programme? { programmes[input] }

    /// Returns the problems of the inputs and players that cannot be used, as faults.
    /// - Parameter isMissing: Returns true if a helper is missing, so that its reports no longer count.
    func problems(_ configuration: Configuration, isMissing: (Helper) -> Bool) -> [Fault: String] {
        var problems: [Fault: String] = [:]
        let (streams, control) = (isMissing(.streams), isMissing(.players))
        for input in configuration.inputs {
            // Without a pipe, no audio of the helper could arrive.
            let isStream = if case .stream = input.origin { true } else { false }
            let problem = streams && isStream ? Helper.streams.absence : helpers[input.id]
            problems[Fault(input: input.id)] =
                pipes[input.id] ?? problem ?? (unheard.contains(input.id) ? Self.unheardWords : nil)
        }
        for player in configuration.players {
            problems[Fault(player: player.id, .lost)] = control ? Helper.players.absence : players[player.id]
        }
        return problems
    }

    mutating func take(pipe problem: String?, of input: InputID) { pipes[input] = problem }

    mutating func take(isHeard: Bool, of input: InputID) {
        if isHeard { unheard.remove(input) } else { unheard.insert(input) }
    }

    /// Takes a report of a helper, whose texts come from strangers.
    /// - Parameter problem: an empty text if the stream works.
    mutating func take(title: String, artist: String, problem: String, of input: InputID) {
        let programme = Programme(title: Self.text(title), artist: Self.text(artist))
        programmes[input] = programme == Programme() ? nil : programme
        helpers[input] = problem.isEmpty ? nil : Self.text(problem)
    }

    /// - Parameter problem: an empty text if the player can be controlled, or is not running.
    mutating func take(problem: String, of player: PlayerID) {
        players[player] = problem.isEmpty ? nil : Self.text(problem)
    }

    private static let unheardWords = "nothing can be heard of what arrives, so the input is begun anew"

    private static func text(_ text: String) -> String { text.visible(limit: longestText) }

    /// Keeps the reports of the predecessor about streams and players that have stayed the same, because their helpers
    /// repeat only what has changed.
    mutating func resume(after predecessor: HelperReports, _ former: Configuration, _ configuration: Configuration) {
        for player in configuration.players where former.players.contains(player) {
            players[player.id] = predecessor.players[player.id]
        }
        for input in configuration.inputs {
            guard case .stream(let url) = input.origin,
                former.inputs.contains(where: { $0.id == input.id && $0.origin == .stream(url) })
            else { continue }
            programmes[input.id] = predecessor.programmes[input.id]
            helpers[input.id] = predecessor.helpers[input.id]
        }
    }
}
