/// A request to play a sound once, over the music. See <doc:Semantics#Sounds>.
public struct Announcement: Hashable, Sendable {
    /// Identifies a request. The sender of the command chooses it; it should not repeat while the power is on.
    public typealias ID = UInt64

    public var sound: SoundID
    public var id: ID
    /// nil: the sound's own; otherwise within `SoundPolicy.priorities`.
    public var priority: Int?
    /// The highest priority that the request may have, also if the sound's own is higher; nil if there is no limit.
    public var maximumPriority: Int?
    /// The request is dropped if it has not become due after this long.
    public var expire: Expire
    /// Whether it is heard with content of its own, whose name is not the session's business. Then it does not matter whether
    /// the sound's file can be read.
    public var hasOwnContent: Bool

    /// How long a request waits.
    public enum Expire: Hashable, Sendable {
        /// As long as the sound's policy says.
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

    /// The priority that the request has.
    /// - Parameter own: the sound's.
    public func effectivePriority(own: Int) -> Int { min(priority ?? own, maximumPriority ?? .max) }
}
