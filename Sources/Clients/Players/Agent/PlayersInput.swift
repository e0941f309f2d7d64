import AudioSession

/// Something that happens to the agent.
public enum PlayersInput: Hashable, Sendable {
    /// Tacet is on the bus, at first or again.
    case daemonArrived
    case daemonLeft
    /// The answer to the effect `query`, which contains each player, or nil if there was none.
    case levels([String: PlayerLevel]?)
    /// The players that Tacet kept paused after an event.
    case kept(Set<String>)
    /// An order of Tacet to a player, with the number of the last order to pause or play.
    case order(String, PlayerCommand, UInt64)
    /// Tacet has not accepted a report.
    case reportFailed(String, isOwn: Bool)
    /// All programs of this player that were running at the start have appeared.
    case surveyed(String)
    /// The configuration no longer contains this player, or gives it another address.
    case removed(String)
    case appeared(PlayerInstance, PlayerIdentity, Sighting)
    /// A program has reported its state.
    case seen(PlayerInstance, Sighting)
    /// The program has received the order with this number, whether or not it accepts it.
    case answered(PlayerInstance, Int)
    /// The answer to the effect `look` with this number, or nil if there was none.
    case looked(PlayerInstance, Int, Sighting?)
    /// The program has ended, or cannot be reached.
    case vanished(PlayerInstance)
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
    case uncontrollable(String)
    case notResumed(String)
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
