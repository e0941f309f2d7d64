/// The kinds of journal entries of `tacet-players`, which are the values of `TACET_EVENT`. They are permanent, because
/// people filter by them.
public enum PlayersJournalEvent: String, Hashable, Sendable, CaseIterable {
    case paused = "player-paused"
    case resumed = "player-resumed"
    case touched = "player-touched"
    case uncontrollable = "player-uncontrollable"
    case notResumed = "player-not-resumed"
    case unreachable = "player-unreachable"
    case reachable = "player-reachable"
    case memoryFailed = "players-memory-failed"
    case entriesLost = "players-entries-lost"

    /// The `MESSAGE_ID`, by which `journalctl -x` finds the explanation in the catalog. It is permanent.
    public var messageID: String { row.messageID }

    /// The event's row of the table in tacet.journal(7).
    var row: JournalRow {
        switch self {
        case .paused:
            JournalRow(
                "c43a42699d9f418ea968b03c6c09a6cb",
                "A player has paused, because Tacet plays something else or is interrupted.")
        case .resumed:
            JournalRow(
                "db5ff782eab749518f67f60b30b2abf8",
                "A player that Tacet had paused plays again.")
        case .touched:
            JournalRow(
                "51f93e2868b14a7a9a67bbac73ff7936",
                """
                Somebody has used a player while Tacet kept it paused, or it has ended. Tacet does not resume it any \
                more.
                """)
        case .uncontrollable:
            JournalRow(
                "e819a43e4de94678aafe322c45cb637e",
                """
                A player still plays after it was ordered to pause three times. Tacet leaves it alone until it changes \
                on its own.
                """,
                """
                Check whether the player can be paused with ‘playerctl -p NAME pause’ or ‘mpc pause’, and whether the \
                policy of the bus permits the user tacet-players to call it.
                """)
        case .notResumed:
            JournalRow(
                "6138b04154f2419ab7e61c321142aa76",
                "A player did not play after it was ordered to resume three times.",
                "Check the player. Its playlist may have ended, or its output may be missing.")
        case .unreachable:
            JournalRow(
                "ddba17b748bd4285a6826c60850ade70",
                "A bus or the socket of a player cannot be reached. tacet-players(8) keeps trying.",
                "The message contains the reason. Check whether the program is running, and check MPD= in tacet.conf(5)."
            )
        case .reachable:
            JournalRow(
                "ae66f17472f64854923372d33644ed1c",
                "The bus or the socket of a player can be reached again.")
        case .memoryFailed:
            JournalRow(
                "a1458ee2ff32405388f9ffc4936b6be6",
                """
                The file in which tacet-players(8) remembers the players that it has paused cannot be read or written. \
                If the program restarts meanwhile, these players stay paused.
                """,
                "Check whether the disk is full or read-only. The message names the file.")
        case .entriesLost:
            JournalRow(
                "a33028b0da504c47a27be0eec74d5925",
                "The journal did not accept entries in time, so TACET_COUNT= of them are lost.",
                "Check systemd-journald.service.")
        }
    }
}
