/// The kinds of journal entries of `tacet-stream`, which are the values of `TACET_EVENT`. They are permanent, because
/// people filter by them.
public enum StreamJournalEvent: String, Hashable, Sendable, CaseIterable {
    case playing = "stream-playing"
    case failed = "stream-failed"
    case entriesLost = "stream-entries-lost"

    /// The `MESSAGE_ID`, by which `journalctl -x` finds the explanation in the catalog. It is permanent.
    public var messageID: String { row.messageID }

    /// The event's row of the table in tacet.journal(7).
    var row: JournalRow {
        switch self {
        case .playing:
            JournalRow(
                "d6f089427d01403f947ce881cf6c0d52",
                "A stream is received, and its audio reaches Tacet.")
        case .failed:
            JournalRow(
                "d9420186731148e69e88f36890d2e33d",
                """
                A stream cannot be received. tacet-stream(8) tries again after one second, and then after pauses of up to \
                a minute. Tacet plays its library meanwhile.
                """,
                """
                The message contains the reason. Check the network and From= in tacet.conf(5), and whether the station \
                still exists.
                """)
        case .entriesLost:
            JournalRow(
                "6446d49fbb074cb1b7480f6d4bf5bdb4",
                "The journal did not accept entries in time, so TACET_COUNT= of them are lost.",
                "Check systemd-journald.service.")
        }
    }
}
