/// How a session treats one sound: a `[Sound NAME]` section of the configuration. See <doc:Semantics#Sounds>.
public struct SoundPolicy: Hashable, Sendable {
    /// What an announcement of a sound does to the music. For a cue, its signal's effect decides instead.
    public enum Effect: Hashable, Sendable {
        /// Attenuates the music to this level. In the mode `spokenAudio` it pauses instead.
        case duck(Level)
        /// Pauses the music. This is not an interruption.
        case pause
        /// Leaves the music as it is.
        case mix

        /// Every effect; a duck is to the default level.
        package static let all: [Effect] = [.duck(.defaultDuck), .pause, .mix]

        package var isDuck: Bool { if case .duck = self { true } else { false } }

        /// The name in the configuration: `duck`, `pause`, `mix`.
        package var name: String {
            switch self {
            case .duck: "duck"
            case .pause: "pause"
            case .mix: "mix"
            }
        }
    }

    /// The priorities of sounds and signals: 0 to 100.
    public static let priorities = 0...100

    public var id: SoundID
    /// What an announcement of the sound does to the music.
    public var effect: Effect
    /// The priority of the sound's announcements, unless the command states another; within `priorities`.
    public var priority: Int
    /// An announcement that has not become due this long after its request is dropped; nil: never.
    public var expire: Duration?
    /// Whether a cue of the sound repeats for as long as its signal is active.
    public var repeats: Bool

    public init(
        id: SoundID, effect: Effect = .duck(.defaultDuck), priority: Int = 30,
        expire: Duration? = .seconds(10), repeats: Bool = false
    ) {
        self.id = id
        self.effect = effect
        self.priority = priority
        self.expire = expire
        self.repeats = repeats
    }
}

/// The name of a sound, such as `gong`: the NAME in the configuration's `[Sound NAME]`.
public struct SoundID: RawRepresentable, Hashable, Comparable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ name: String) { rawValue = name }
    public init(stringLiteral name: String) { rawValue = name }

    /// Whether a text that comes from outside can be a sound's name: a longer one, or one with spaces or control
    /// characters, would only clutter the journal.
    public static func canBeName(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
    }

    public var description: String { rawValue }
    public static func < (a: SoundID, b: SoundID) -> Bool { a.rawValue < b.rawValue }
}

extension Policy {
    /// The level to which an announcement of this sound attenuates the music: `mute` if it pauses, nil if it does
    /// nothing to it.
    func ceiling(of effect: SoundPolicy.Effect) -> Level? {
        if pauses(effect) { return .mute }
        guard case .duck(let level) = effect else { return nil }
        return level
    }

    /// Whether an announcement of this sound pauses the music.
    func pauses(_ effect: SoundPolicy.Effect) -> Bool {
        switch effect {
        case .duck: mode == .spokenAudio
        case .pause: true
        case .mix: false
        }
    }

    /// The level to which a signal with this effect attenuates the music: `mute` if it blocks, nil if it does nothing
    /// to it.
    func ceiling(of effect: Effect) -> Level? {
        interruptionReason(of: effect) == nil ? duckLevel(of: effect) : .mute
    }
}
