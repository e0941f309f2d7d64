/// The kinds of journal entries of `tacet-mqtt`, which are the values of `TACET_EVENT`. They are permanent, because
/// people filter by them.
public enum FleetJournalEvent: String, Hashable, Sendable, CaseIterable {
    case brokerConnected = "broker-connected"
    case brokerLost = "broker-lost"
    case brokerRefused = "broker-refused"
    case storageFailed = "fleet-storage-failed"
    case request = "fleet-request"
    case requestRejected = "fleet-request-rejected"
    case flood = "fleet-flood"
    case brokerUnstable = "broker-unstable"
    case entriesLost = "fleet-entries-lost"

    /// The `MESSAGE_ID`, by which `journalctl -x` finds the explanation in the catalog. It is permanent.
    public var messageID: String { row.messageID }

    /// The event's row of the table in tacet.journal(7).
    var row: JournalRow {
        switch self {
        case .brokerConnected:
            JournalRow(
                "65718c9c36ef417f9644303be04b7941",
                "The board is connected to the broker.")
        case .brokerLost:
            JournalRow(
                "c014aca54b294777ac590aa0a73c82a7",
                """
                The board is not connected to the broker. It keeps trying, and meanwhile music, alarms and wires work \
                as before.
                """,
                """
                The message contains the cause. Check whether the broker is running, and check Host=, Port=, TLS=, \
                the user and the certificates in mqtt.conf(5).
                """)
        case .brokerRefused:
            JournalRow(
                "af749505fde64772a0b1d603b03a2c49",
                "The broker refuses a topic, a message or a subscription.",
                """
                Check the access list of the broker. The file mosquitto.acl in /usr/share/doc/tacet-mqtt/examples \
                contains the topics that a board needs.
                """)
        case .storageFailed:
            JournalRow(
                "349740495321435a852e15acbd702afb",
                "A file of tacet-mqtt(8) cannot be read or written.",
                "Check whether the disk is full or read-only. The message names the file.")
        case .request:
            JournalRow(
                "3b78b7843de8436dab091781a8eaf80c",
                "A request of the broker was passed on to the daemon, whose own entries contain the outcome.")
        case .requestRejected:
            JournalRow(
                "b963810e7c634618aa4a3b9330dc057d",
                """
                A request of the broker was rejected. The message contains the topic and the reason, which the sender \
                also receives.
                """,
                """
                Publish commands and announcements without the retain flag. If the clock is not synchronised, check \
                timedatectl, or set TrustClock=yes.
                """)
        case .flood:
            JournalRow(
                "c195ed15f275483e9bd2b105d4a546f9",
                """
                The broker delivers more messages than the board accepts or logs. This is logged at most once a \
                minute.
                """,
                "Find out who publishes these messages.")
        case .brokerUnstable:
            JournalRow(
                "c3aaff9169db45f48127e6669e331e33",
                "The connection to the broker was established and lost again several times within ten minutes.",
                "Check whether two boards have the same Name= or ClientID=, and check the network.")
        case .entriesLost:
            JournalRow(
                "67e490f762db4b77bd9b0d6c30db77c2",
                "The journal did not accept entries in time, so TACET_COUNT= of them are lost.",
                "Check systemd-journald.service.")
        }
    }
}
