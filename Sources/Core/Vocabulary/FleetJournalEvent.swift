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
    public var messageID: String {
        switch self {
        case .brokerConnected: "65718c9c36ef417f9644303be04b7941"
        case .brokerLost: "c014aca54b294777ac590aa0a73c82a7"
        case .brokerRefused: "af749505fde64772a0b1d603b03a2c49"
        case .storageFailed: "349740495321435a852e15acbd702afb"
        case .request: "3b78b7843de8436dab091781a8eaf80c"
        case .requestRejected: "b963810e7c634618aa4a3b9330dc057d"
        case .flood: "c195ed15f275483e9bd2b105d4a546f9"
        case .brokerUnstable: "c3aaff9169db45f48127e6669e331e33"
        case .entriesLost: "67e490f762db4b77bd9b0d6c30db77c2"
        }
    }
}
