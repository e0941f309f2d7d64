/// A request to play a sound once, over the music. See <doc:Semantics#Sounds>.
public struct Announcement: Hashable, Sendable {
    /// The number of a request, which its notifications repeat. The program around the session numbers the requests,
    /// and uses each number once while the power is on.
    public typealias ID = UInt64

    public var sound: SoundID
    /// The number of the request, or 0 if it has not been numbered yet.
    public var id: ID
    /// The priority that the command requests, within `SoundPolicy.priorities`, or nil to use that of the sound.
    public var priority: Int?
    /// The highest priority that the request may have, even if the priority of the sound is higher, or nil if there is
    /// no limit.
    public var maximumPriority: Int?
    /// The time after which the request is dropped if it has not become due.
    public var expire: Expire
    /// True if the request plays its own content, which the session does not handle, in place of the file of the sound.
    /// In that case, it does not matter whether that file can be read.
    public var hasOwnContent: Bool

    /// The time for which a request waits.
    public enum Expire: Hashable, Sendable {
        /// The time in the policy of the sound.
        case asConfigured
        case after(Duration)
        case never
    }

    public init(
        _ sound: SoundID, id: ID = 0, priority: Int? = nil, maximumPriority: Int? = nil, expire: Expire = .asConfigured,
        hasOwnContent: Bool = false
    ) {
        self.sound = sound
        self.id = id
        self.priority = priority
        self.maximumPriority = maximumPriority
        self.expire = expire
        self.hasOwnContent = hasOwnContent
    }

    /// Returns the priority that the request has.
    /// - Parameter own: the priority of the sound.
    public func effectivePriority(own: Int) -> Int { min(priority ?? own, maximumPriority ?? .max) }

    /// Returns the time for which the request waits, or nil if it waits for ever.
    /// - Parameter own: the time in the policy of the sound.
    public func timeout(own: Duration?) -> Duration? {
        switch expire {
        case .asConfigured: own
        case .after(let time): time
        case .never: nil
        }
    }
}
