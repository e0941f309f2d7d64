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
        /// Several requests have the same announcement if it was restarted, or if later ones were ignored.
        var owners: [Owner] = []
        /// The time of the first one, on the monotonic clock.
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
        entries[id, default: Entry(accepted: now)].owners.append(owner)
        return nil
    }

    /// Notes that an announcement has ended.
    /// - Parameter awaitsReceipt: true if its receipt may still be on its way.
    /// - Returns: its owners, of which there are none if this program did not request it.
    mutating func end(_ id: Announcement.ID, _ outcome: String, awaitsReceipt: Bool) -> [Owner] {
        // The receipt of another request for the same announcement may follow.
        if awaitsReceipt { early[id] = outcome }
        return entries.removeValue(forKey: id)?.owners ?? []
    }

    /// Drops the early outcomes, because no receipt is on its way.
    mutating func forgetEarly() { early = [:] }

    var haveAudioPart: Bool { entries.values.contains { $0.owners.contains(.audioPart) } }

    /// Drops the parts of Ruter's messages when nothing is being played any more, in case an outcome was missed.
    mutating func forgetAudioParts() {
        for id in entries.keys { entries[id]?.owners.removeAll { $0 == .audioPart } }
        entries = entries.filter { !$0.value.owners.isEmpty }
    }

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
        return lost.sorted { $0.key < $1.key }.flatMap(\.value.owners).compactMap {
            if case .request(let id) = $0 { id } else { nil }
        }
    }

    /// The number of announcements that have not ended.
    var count: Int { entries.count }

    var isEmpty: Bool { entries.isEmpty && early.isEmpty }
}
