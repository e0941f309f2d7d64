import AudioSession

/// The announcements that Tacet has accepted and that have not ended yet. Pure.
struct AnnouncementOutcomes: Hashable {
    enum Owner: Hashable {
        /// A request of the broker, by its id.
        case request(String)
        /// A message of Ruter's audio topic.
        case audioPart
    }

    private var owners: [Announcement.ID: Owner] = [:]
    /// How announcements have ended whose receipt is still on its way.
    private var early: [Announcement.ID: String] = [:]

    /// Tacet has accepted an announcement.
    /// - Returns: how it has ended already; nil if it has not.
    mutating func accept(_ id: Announcement.ID, for owner: Owner) -> String? {
        if let outcome = early.removeValue(forKey: id) { return outcome }
        owners[id] = owner
        return nil
    }

    /// An announcement has ended.
    /// - Parameter awaitsReceipt: whether it can be one whose receipt is still on its way.
    /// - Returns: whose it was; nil if it is not one of these.
    mutating func end(_ id: Announcement.ID, _ outcome: String, awaitsReceipt: Bool) -> Owner? {
        if let owner = owners.removeValue(forKey: id) { return owner }
        if awaitsReceipt { early[id] = outcome }
        return nil
    }

    /// No receipt is on its way.
    mutating func forgetEarly() { early = [:] }

    var haveAudioPart: Bool { owners.values.contains(.audioPart) }

    /// Nothing is heard any more, should an outcome have been missed.
    mutating func forgetAudioParts() { owners = owners.filter { $0.value != .audioPart } }

    /// All are lost.
    /// - Returns: the ids of the requests.
    mutating func removeAll() -> [String] {
        defer { owners = [:] }
        return owners.sorted { $0.key < $1.key }.compactMap {
            if case .request(let id) = $0.value { id } else { nil }
        }
    }

    var isEmpty: Bool { owners.isEmpty && early.isEmpty }
}
