import AudioSession

/// The announcements that Tacet has accepted and that have not ended yet. Pure.
struct AnnouncementOutcomes: Hashable {
    enum Owner: Hashable {
        /// A request of the broker, by its id.
        case request(String)
        /// A message of Ruter's audio topic.
        case audioPart
    }

    private struct Entry: Hashable {
        let owner: Owner
        /// By the monotonic clock.
        let accepted: Duration
    }

    /// After this long, an announcement that is neither heard nor waits has ended, and that was missed.
    private static let patience = Duration.seconds(30)

    private var entries: [Announcement.ID: Entry] = [:]
    /// How announcements have ended whose receipt is still on its way.
    private var early: [Announcement.ID: String] = [:]

    /// Tacet has accepted an announcement.
    /// - Returns: how it has ended already; nil if it has not.
    mutating func accept(_ id: Announcement.ID, for owner: Owner, at now: Duration) -> String? {
        if let outcome = early.removeValue(forKey: id) { return outcome }
        entries[id] = Entry(owner: owner, accepted: now)
        return nil
    }

    /// An announcement has ended.
    /// - Parameter awaitsReceipt: whether it can be one whose receipt is still on its way.
    /// - Returns: whose it was; nil if it is not one of these.
    mutating func end(_ id: Announcement.ID, _ outcome: String, awaitsReceipt: Bool) -> Owner? {
        if let entry = entries.removeValue(forKey: id) { return entry.owner }
        if awaitsReceipt { early[id] = outcome }
        return nil
    }

    /// No receipt is on its way.
    mutating func forgetEarly() { early = [:] }

    var haveAudioPart: Bool { entries.values.contains { $0.owner == .audioPart } }

    /// Nothing is heard and nothing waits any more, should an outcome have been missed.
    /// - Returns: the ids of the requests that are lost.
    mutating func removeMissed(at now: Duration) -> [String] {
        remove { $0.owner == .audioPart || now - $0.accepted >= AnnouncementOutcomes.patience }
    }

    /// All are lost.
    /// - Returns: the ids of the requests.
    mutating func removeAll() -> [String] { remove { _ in true } }

    private mutating func remove(where isLost: (Entry) -> Bool) -> [String] {
        let lost = entries.filter { isLost($0.value) }
        for id in lost.keys { entries[id] = nil }
        return lost.sorted { $0.key < $1.key }.compactMap {
            if case .request(let id) = $0.value.owner { id } else { nil }
        }
    }

    /// How many have not ended.
    var count: Int { entries.count }

    var isEmpty: Bool { entries.isEmpty && early.isEmpty }
}
