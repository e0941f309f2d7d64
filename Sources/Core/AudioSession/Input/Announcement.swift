/// A request to play a sound once, over the music. See <doc:Semantics#Sounds>.
public struct Announcement: Hashable, Sendable {
    /// The number of a request, which its notifications contain. The program that runs the session numbers the
    /// requests, and does not reuse a number while the power is on.
    public typealias ID = UInt64

    public var sound: SoundID
    /// The number of the request, or 0 if it has not been numbered yet.
    public var id: ID
    /// The priority that the command requests, within `SoundPolicy.priorities`, or nil to use the priority of the
    /// sound.
    public var priority: Int?
    /// The highest priority that the request may have, even if the priority of the sound is higher, or nil if there is
    /// no limit.
    public var maximumPriority: Int?
    /// The time after which the request is dropped if it has not become due.
    public var expire: Expire
    /// True if the request plays its own content in place of the sound's file. The session does not handle that
    /// content, and does not check whether the file can be read.
    public var hasOwnContent: Bool

    /// The time for which a request waits.
    public enum Expire: Hashable, Sendable {
        /// The time that the policy of the sound specifies.
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

    /// Returns the priority at which the request plays.
    /// - Parameter own: the priority of the sound.
    public func effectivePriority(own: Int) -> Int { min(priority ?? own, maximumPriority ?? .max) }

    /// Returns the time for which the request waits, or nil if it never expires.
    /// - Parameter own: the time in the policy of the sound.
    public func timeout(own: Duration?) -> Duration? {
        switch expire {
        case .asConfigured: own
        case .after(let time): time
        case .never: nil
        }
    }
}
