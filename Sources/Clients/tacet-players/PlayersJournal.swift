import Glibc
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
        case memoryFailed(String)
        case entriesLost(Int)
    }

    typealias Fields = [(name: String, value: String)]

    private static let toJournal = getenv("JOURNAL_STREAM") != nil

    /// A queue, because a stuck reader of the journal must not delay an order to a player.
    private static let queue = LogQueue<Fields>("players-log") { fields, delay in
        deliver(delayed(fields, by: delay))
    } describeLoss: {
        fields(.entriesLost($0))
    }

    static func write(_ entry: Entry) {
        let fields = fields(entry)
        queue.add(fields, size: fields.reduce(128) { $0 + $1.name.utf8.count + $1.value.utf8.count })
    }

    /// Waits until everything has been written, but not for a reader that is stuck. Call it before the process ends.
    static func flush() { queue.flush(within: .seconds(2)) }

    private static func delayed(_ fields: Fields, by delay: Duration) -> Fields {
        guard delay >= .seconds(1) else { return fields }
        return fields + [(name: JournalField.delay.name, value: "\(delay.wholeNanoseconds / 1000)")]
    }

    private static func deliver(_ fields: Fields) {
        guard toJournal else { return StandardError.write((fields.first?.value ?? "") + "\n") }
        try? Journal.send(fields)
    }

    static func fields(_ entry: Entry) -> Fields {
        let (event, priority, message, fields) = contents(entry)
        // Names and messages from other programs must neither control the terminal nor forge a line.
        let text = message.visibleLines(joinedBy: " ")
        let head = [
            ("MESSAGE", text), ("MESSAGE_ID", event.messageID), ("PRIORITY", "\(priority.rawValue)"),
            (JournalField.event.name, event.rawValue), ("SYSLOG_IDENTIFIER", "tacet-players"),
        ]
        return head + fields
    }

    private static func contents(
        _ entry: Entry
    ) -> (event: PlayersJournalEvent, priority: Journal.Priority, message: String, fields: [(String, String)]) {
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
        case .news(.uncontrollable(let player)):
            return (
                .uncontrollable, .warning,
                "The player \(player) did not pause after three orders. It is left alone until it changes on its own.",
                named(player)
            )
        case .news(.notResumed(let player)):
            return (.notResumed, .warning, "The player \(player) did not play after three orders.", named(player))
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
                "The journal did not accept entries in time, and \(count) of them \(count == 1 ? "is" : "are") lost.",
                [(JournalField.count.name, "\(count)")]
            )
        }
    }
}
