import AudioSession
import Playback

/// The announcements whose files are being read, in the order of their requests. Pure: it knows neither clock nor thread.
///
/// Announcements of one priority are requested of the session in their order, however long their files take.
struct LoadingAnnouncements {
    struct Item {
        /// The loader's.
        let number: Int
        let announcement: Announcement
        let path: String
        /// The file's, relative to the sound's own.
        let level: Level
        /// The announcement's, or its sound's.
        let priority: Int
        let issuer: Issuer
        let requested: Duration
        /// How long after the request it may begin; nil: at any time.
        let timeout: Duration?
        /// Called once, with the answer and the announcement's number.
        let then: (Answer, Announcement.ID) -> Void
        /// nil while the file is being read.
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

        /// When it is no longer waited for.
        var deadline: Duration { requested + min(timeout ?? longestWait, longestWait) }

        /// The announcement's `expire`, if it is requested of the session now.
        func expire(at now: Duration) -> Announcement.Expire {
            timeout.map { .after(max(.zero, requested + $0 - now)) } ?? .never
        }
    }

    /// A file that takes longer to read cannot be read. Callers on the bus wait for 25 s, unless they say otherwise.
    static let longestWait = Duration.seconds(20)

    private var items: [Item] = []

    var count: Int { items.count }
    /// When the next announcement is no longer waited for; nil if there is none.
    var deadline: Duration? { items.map(\.deadline).min() }

    mutating func add(_ item: Item) { items.append(item) }

    /// A file has been read, or cannot be. Does nothing if its announcement is no longer waited for.
    mutating func loaded(_ number: Int, _ clip: Result<SoundClip, DecoderError>) {
        guard let index = items.firstIndex(where: { $0.number == number }) else { return }
        items[index].clip = clip
    }

    /// Removes the first announcement that is no longer waited for.
    mutating func takeOverdue(by now: Duration) -> Item? { take { $0.deadline <= now } }

    /// Removes the first announcement whose file cannot be read, or has been read, as have all of its priority before it.
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

    /// Removes all, oldest first.
    mutating func takeAll() -> [Item] {
        defer { items = [] }
        return items
    }

    private mutating func take(where condition: (Item) -> Bool) -> Item? {
        items.firstIndex(where: condition).map { items.remove(at: $0) }
    }
}
