import AudioSession
import Playback

/// The announcements whose files are being read, in the order of their requests. The type is pure and uses neither a
/// clock nor a thread.
///
/// Announcements of the same priority are passed to the session in the order of their requests, even if the files take
/// different times to read.
struct LoadingAnnouncements {
    struct Item {
        /// The number that the loader returned.
        let number: Int
        let announcement: Announcement
        let path: String
        /// The level of the file relative to the sound's own level.
        let level: Level
        /// The priority of the announcement or of its sound.
        let priority: Int
        let issuer: Issuer
        let requested: Duration
        /// The time after the request within which the announcement may begin, or nil if it may begin at any time.
        let timeout: Duration?
        /// Called once with the answer and the announcement's number.
        let then: (Answer, Announcement.ID) -> Void
        /// The result, or nil while the file is being read.
        fileprivate(set) var clip: Result<SoundClip, DecoderError>?

        init(
            _ announcement: Announcement, path: String, level: Level = .full, number: Int, priority: Int,
            from issuer: Issuer, at requested: Duration, timeout: Duration?,
            then: @escaping (Answer, Announcement.ID) -> Void
        ) {
            self.announcement = announcement
            self.path = path
            self.level = level
            self.number = number
            self.priority = priority
            self.issuer = issuer
            self.requested = requested
            self.timeout = timeout
            self.then = then
        }

        /// The time at which the wait for the file ends.
        var deadline: Duration { requested + min(timeout ?? longestWait, longestWait) }

        /// Returns the announcement's `expire` if it is passed to the session now.
        func expire(at now: Duration) -> Announcement.Expire {
            timeout.map { .after(max(.zero, requested + $0 - now)) } ?? .never
        }
    }

    /// The longest time that reading a file may take. After that, the file is treated as unreadable. Callers on the bus
    /// wait for 25 s unless they specify another time.
    static let longestWait = Duration.seconds(20)

    private var items: [Item] = []

    var count: Int { items.count }
    /// The time at which the wait for the next announcement ends, or nil if there is none.
    var deadline: Duration? { items.map(\.deadline).min() }

    mutating func add(_ item: Item) { items.append(item) }

    /// Records that a file has been read or cannot be read. Does nothing if its announcement is no longer pending.
    mutating func loaded(_ number: Int, _ clip: Result<SoundClip, DecoderError>) {
        guard let index = items.firstIndex(where: { $0.number == number }) else { return }
        items[index].clip = clip
    }

    /// Removes the first announcement whose deadline has passed.
    mutating func takeOverdue(by now: Duration) -> Item? { take { $0.deadline <= now } }

    /// Removes the first announcement whose file cannot be read, or whose file and the files of all earlier
    /// announcements of its priority have been read.
    mutating func takeLoaded() -> (item: Item, clip: Result<SoundClip, DecoderError>)? {
        var delayed: Set<Int> = []
        for (index, item) in items.enumerated() {
            switch item.clip {
            case .success? where delayed.contains(item.priority): break
            case let clip?:
                items.remove(at: index)
                return (item, clip)
            case nil: delayed.insert(item.priority)
            }
        }
        return nil
    }

    /// Removes all announcements, oldest first.
    mutating func takeAll() -> [Item] {
        defer { items = [] }
        return items
    }

    private mutating func take(where condition: (Item) -> Bool) -> Item? {
        items.firstIndex(where: condition).map { items.remove(at: $0) }
    }
}
