import HelperLog
import Players
import Spelling
import Systemd
import Time
import Vocabulary

/// The program's entries in the journal. Each case has a fixed MESSAGE_ID, which the catalog explains.
enum PlayersJournal {
    enum Entry {
        case news(PlayersNews)
        /// A bus or a socket cannot be reached for the given reason.
        case unreachable(String, player: String?, reason: String)
        case reachable(String, player: String?)
        /// Nothing listens at the socket of a player, which is normal.
        case notRunning(String)
        case memoryFailed(String)
        case entriesLost(Int)
    }

    /// A stuck reader of the journal must not delay an order to a player.
    private static let log = HelperLog(thread: "players-log") { fields(.entriesLost($0)) }

    static func write(_ entry: Entry) { log.write(fields(entry), limiter: limiter(of: entry)) }

    /// The limit for entries of a kind about one player. A program or another user may cause them repeatedly.
    private static func limiter(of entry: Entry) -> RepetitionLimiter {
        switch entry {
        case .news: RepetitionLimiter(burst: 30, pace: .everySecond)
        case .unreachable, .reachable, .notRunning, .memoryFailed, .entriesLost: RepetitionLimiter(burst: 6)
        }
    }

    /// Waits until everything has been written, but not for a reader that is stuck. Call it before the process ends.
    static func flush() { log.flush() }

    static func fields(_ entry: Entry) -> HelperLog.Fields {
        let (event, priority, message, fields) = contents(entry)
        return HelperLog.fields(
            of: "tacet-players", event.rawValue, id: event.messageID, priority, message, fields)
    }

    private static func contents(
        _ entry: Entry
    ) -> (event: PlayersJournalEvent, priority: Journal.Priority, message: String, fields: [(String, String)]) {
        func clause(_ refusal: String?) -> String { refusal.map { " and refuses them: \($0)" } ?? "" }
        func named(_ player: String?) -> [(String, String)] { player.map { [(JournalField.player.name, $0)] } ?? [] }
        switch entry {
        case .news(.paused(let player)):
            return (.paused, .info, "The player \(player) has paused.", named(player))
        case .news(.resumed(let player)):
            return (.resumed, .info, "The player \(player) plays again.", named(player))
        case .news(.touched(let player)):
            return (
                .touched, .info,
                "The player \(player) has changed on its own or has ended, so Tacet does not resume it.", named(player)
            )
        case .news(.uncontrollable(let player, let refusal)):
            return (
                .uncontrollable, .warning,
                "The player \(player) did not pause after three orders\(clause(refusal)). It is left alone until it changes on its own or Tacet orders it to pause again.",
                named(player)
            )
        case .news(.notResumed(let player, let refusal)):
            return (
                .notResumed, .warning, "The player \(player) did not play after three orders\(clause(refusal)).",
                named(player)
            )
        case .notRunning(let player):
            return (
                .unreachable, .info, "The player \(player) is not running. Tacet controls it as soon as it is.",
                named(player)
            )
        case .unreachable(let place, let player, let reason):
            return (
                .unreachable, .warning, "\(place.sentenceCased) cannot be reached: \(reason). This is tried again.",
                named(player) + [(JournalField.reason.name, reason)]
            )
        case .reachable(let place, let player):
            return (.reachable, .notice, "\(place.sentenceCased) can be reached again.", named(player))
        case .memoryFailed(let reason):
            return (
                .memoryFailed, .error, "Paused players cannot be remembered: \(reason).",
                [(JournalField.reason.name, reason)]
            )
        case .entriesLost(let count):
            return (
                .entriesLost, .warning,
                HelperLog.lossMessage(count),
                [(JournalField.count.name, "\(count)")]
            )
        }
    }
}
