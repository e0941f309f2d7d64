import AudioSession

/// The announcements that Tacet has accepted and that have not ended yet. It has no side effects.
struct AnnouncementOutcomes: Hashable {
    enum Owner: Hashable {
        /// A request from the broker, by its id.
        case request(String)
        /// A message on Ruter's audio topic.
        case audioPart
    }

    private struct Entry: Hashable {
        let owner: Owner
        /// The time on the monotonic clock.
        let accepted: Duration
    }

    /// The time after which an announcement that is neither played nor queued is dropped, because its outcome must have
    /// been missed.
    private static let timeout = Duration.seconds(30)

    private var entries: [Announcement.ID: Entry] = [:]
    /// The outcomes of announcements that ended before Tacet's receipt for them arrived.
    private var early: [Announcement.ID: String] = [:]

    /// Notes that Tacet has accepted an announcement.
    /// - Returns: its outcome if it has already ended, or nil if it has not.
    mutating func accept(_ id: Announcement.ID, for owner: Owner, at now: Duration) -> String? {
        if let outcome = early.removeValue(forKey: id) { return outcome }
        entries[id] = Entry(owner: owner, accepted: now)
        return nil
    }

    /// Notes that an announcement has ended.
    /// - Parameter awaitsReceipt: true if its receipt may still be on its way.
    /// - Returns: its owner, or nil if this program did not request it.
    mutating func end(_ id: Announcement.ID, _ outcome: String, awaitsReceipt: Bool) -> Owner? {
        if let entry = entries.removeValue(forKey: id) { return entry.owner }
        if awaitsReceipt { early[id] = outcome }
        return nil
    }

    /// Drops the early outcomes, because no receipt is on its way.
    mutating func forgetEarly() { early = [:] }

    var haveAudioPart: Bool { entries.values.contains { $0.owner == .audioPart } }

    /// Drops the parts of Ruter's messages when nothing is being played any more, in case an outcome was missed.
    mutating func forgetAudioParts() { entries = entries.filter { $0.value.owner != .audioPart } }

    /// Removes the announcements that were accepted long ago. Call this while no sound is played and none is queued.
    /// - Returns: the ids of the requests that are lost.
    mutating func removeMissed(at now: Duration) -> [String] {
        remove { now - $0.accepted >= AnnouncementOutcomes.timeout }
    }

    /// Removes all announcements because they are lost.
    /// - Returns: the ids of the requests.
    mutating func removeAll() -> [String] { remove { _ in true } }

    private mutating func remove(where isLost: (Entry) -> Bool) -> [String] {
        let lost = entries.filter { isLost($0.value) }
        for id in lost.keys { entries[id] = nil }
        return lost.sorted { $0.key < $1.key }.compactMap {
            if case .request(let id) = $0.value.owner { id } else { nil }
        }
    }

    /// The number of announcements that have not ended.
    var count: Int { entries.count }

    var isEmpty: Bool { entries.isEmpty && early.isEmpty }
}
