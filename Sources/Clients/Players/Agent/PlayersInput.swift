import AudioSession

/// Something that happens to the agent.
public enum PlayersInput: Hashable, Sendable {
    /// Tacet is on the bus, at first or again.
    case daemonArrived
    case daemonLeft
    /// The answer to the effect `query`, which contains each player, or nil if there was none.
    case levels([String: PlayerLevel]?)
    /// The players that Tacet kept paused after an event, and those in whose place something else was heard.
    case kept(Set<String>, displaced: Set<String> = [])
    /// An order of Tacet to a player, with the number of the last order to pause or play.
    case order(String, PlayerCommand, UInt64)
    /// Tacet has not accepted a report.
    case reportFailed(String, isOwn: Bool)
    /// Tacet has not accepted the report of a problem.
    case problemReportFailed(String)
    /// All programs of this player that were running at the start have appeared.
    case surveyed(String)
    /// The configuration no longer contains this player, or gives it another address.
    case removed(String)
    case appeared(PlayerInstance, PlayerIdentity, Sighting)
    /// A program has reported its state.
    case seen(PlayerInstance, Sighting)
    /// The program has received the order with this number, and may have refused it for the given reason.
    case answered(PlayerInstance, Int, refusal: String? = nil)
    /// The answer to the effect `look` with this number, or nil if there was none.
    case looked(PlayerInstance, Int, Sighting?)
    /// The program has ended, or cannot be reached.
    case vanished(PlayerInstance)
    /// The place, such as a bus or a program, is the reason why the player cannot be controlled, or no longer is.
    case problem(String, at: String, String?)
    /// Time has passed. Send this at the agent's `deadline`.
    case time
}

/// An action that the shell carries out for the agent.
public enum PlayersEffect: Hashable, Sendable {
    /// Writes these records in place of the earlier ones. They must be readable by another process before the next
    /// effect.
    case remember([PlayerRecord])
    /// Sends an order to a program. Unless the number is 0, the input `answered` follows the answer or the error.
    case send(PlayerInstance, PlayerCommand, Int)
    /// Ends the session of the program's sender, if the program receives what another device sends and can do so.
    case disconnect(PlayerInstance)
    /// Asks a program for its state after everything that was sent to it before.
    case look(PlayerInstance, Int)
    /// Reports to Tacet what a player does. Tacet ignores the report unless the number is that of its last order to the
    /// player. Each order to pause or play is followed by a report.
    case report(String, PlayerReport, isOwn: Bool, after: UInt64)
    /// Reports to Tacet why a player cannot be controlled. The text is empty if it can be.
    case reportProblem(String, String)
    /// Asks Tacet for its players.
    case query
    case log(PlayersNews)
}

/// What the journal says about players.
public enum PlayersNews: Hashable, Sendable {
    case paused(String)
    case resumed(String)
    /// A program has changed on its own, or has ended, while Tacet kept it paused.
    case touched(String)
    /// A program has not followed an order, perhaps because it has refused it for the given reason.
    case uncontrollable(String, String?), notResumed(String, String?)
}

/// What Tacet says about a player.
public struct PlayerLevel: Hashable, Sendable {
    /// The last report. An order counts as its own report until there is another one.
    public var report: PlayerReport
    /// True if Tacet keeps the player paused.
    public var isKept: Bool
    /// The number of the last order to pause or play.
    public var order: UInt64

    public init(_ report: PlayerReport, isKept: Bool, order: UInt64) {
        self.report = report
        self.isKept = isKept
        self.order = order
    }
}
