import AudioSession

/// The announcements that Tacet has accepted and that have not ended yet. It has no side effects.
struct AnnouncementOutcomes: Hashable {
    enum Owner: Hashable {
        /// A request of the broker, by its id.
        case request(String)
        /// A message of Ruter's audio topic.
        case audioPart
    }

    private var owners: [Announcement.ID: Owner] = [:]
    /// The outcomes of announcements that ended before Tacet's receipt for them arrived.
    private var early: [Announcement.ID: String] = [:]

    /// Notes that Tacet has accepted an announcement.
    /// - Returns: its outcome if it has already ended, or nil if it has not.
    mutating func accept(_ id: Announcement.ID, for owner: Owner) -> String? {
        if let outcome = early.removeValue(forKey: id) { return outcome }
        owners[id] = owner
        return nil
    }

    /// Notes that an announcement has ended.
    /// - Parameter awaitsReceipt: true if its receipt may still be on its way.
    /// - Returns: its owner, or nil if this program did not request it.
    mutating func end(_ id: Announcement.ID, _ outcome: String, awaitsReceipt: Bool) -> Owner? {
        if let owner = owners.removeValue(forKey: id) { return owner }
        if awaitsReceipt { early[id] = outcome }
        return nil
    }

    /// Drops the early outcomes, because no receipt is on its way.
    mutating func forgetEarly() { early = [:] }

    var haveAudioPart: Bool { owners.values.contains(.audioPart) }

    /// Drops the parts of Ruter's messages when nothing is being played any more, in case an outcome was missed.
    mutating func forgetAudioParts() { owners = owners.filter { $0.value != .audioPart } }

    /// Removes all announcements because they are lost.
    /// - Returns: the ids of the requests.
    mutating func removeAll() -> [String] {
        defer { owners = [:] }
        return owners.sorted { $0.key < $1.key }.compactMap {
            if case .request(let id) = $0.value { id } else { nil }
        }
    }

    var isEmpty: Bool { owners.isEmpty && early.isEmpty }
}
