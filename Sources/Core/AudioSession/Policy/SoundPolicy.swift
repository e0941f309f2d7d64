/// The way in which a session handles one sound. It corresponds to a `[Sound NAME]` section of the configuration. See
/// <doc:Semantics#Sounds>.
public struct SoundPolicy: Hashable, Sendable {
    /// The effect of an announcement on the music. For a cue, the effect of its signal applies instead.
    public enum Effect: Hashable, Sendable {
        /// Attenuates the music to this level. In the mode `spokenAudio`, it pauses the music instead.
        case duck(Level)
        /// Pauses the music. This is not an interruption.
        case pause
        /// Does not affect the music.
        case mix

        /// Every effect. The duck has the default level.
        package static let all: [Effect] = [.duck(.defaultDuck), .pause, .mix]

        package var isDuck: Bool { if case .duck = self { true } else { false } }

        /// The name in the configuration, which is `duck`, `pause` or `mix`.
        package var name: String {
            switch self {
            case .duck: "duck"
            case .pause: "pause"
            case .mix: "mix"
            }
        }
    }

    /// What a request for an announcement of the sound does while another one of it is due or waits.
    public enum Again: String, Hashable, Sendable, CaseIterable {
        /// Both are played.
        case queue
        /// Nothing changes.
        case ignore
        /// The due announcement begins again from its start. If the other one only waits, nothing changes.
        case restart
    }

    /// The range of the priorities of sounds and signals.
    public static let priorities = 0...100

    public var id: SoundID
    /// The effect of an announcement of the sound on the music.
    public var effect: Effect
    /// The priority of the sound's announcements, unless the command specifies another one. It is within `priorities`.
    public var priority: Int
    /// The time after which an announcement that has not become due is dropped, or nil if it never is.
    public var expire: Duration?
    /// True if a cue of the sound repeats for as long as its signal is active.
    public var repeats: Bool
    /// What a request for an announcement does while another one of the sound is due or waits.
    public var again: Again
    /// The time after an accepted request for an announcement during which further requests are ignored, or zero if
    /// none is ignored.
    public var once: Duration
    /// True if a cue or an announcement of the sound that was cut continues where it stopped when it is due again. Once
    /// such an announcement has become due, it does not expire.
    public var continues: Bool

    public init(
        id: SoundID, effect: Effect = .duck(.defaultDuck), priority: Int = 30,
        expire: Duration? = .seconds(10), repeats: Bool = false, again: Again = .queue, once: Duration = .zero,
        continues: Bool = false
    ) {
        self.id = id
        self.effect = effect
        self.priority = priority
        self.expire = expire
        self.repeats = repeats
        self.again = again
        self.once = once
        self.continues = continues
    }
}

/// The name of a sound, such as `gong`. It is the NAME in the configuration's `[Sound NAME]`.
public struct SoundID: NamedID {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Returns true if a text from another program is acceptable as the name of a sound. A longer text, or one with
    /// spaces or control characters, would only clutter the journal.
    public static func canBeName(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
    }
}

extension Policy {
    /// Returns the level to which an announcement of this sound attenuates the music, which is `mute` if it pauses the
    /// music, or nil if it does not affect the music.
    func ceiling(of effect: SoundPolicy.Effect) -> Level? {
        if pauses(effect) { return .mute }
        guard case .duck(let level) = effect else { return nil }
        return level
    }

    /// Returns true if an announcement of this sound pauses the music.
    func pauses(_ effect: SoundPolicy.Effect) -> Bool {
        switch effect {
        case .duck: mode == .spokenAudio
        case .pause: true
        case .mix: false
        }
    }

    /// Returns the level to which a signal with this effect attenuates the music, which is `mute` if the signal blocks,
    /// or nil if it does not affect the music.
    func ceiling(of effect: Effect) -> Level? {
        interruptionReason(of: effect) == nil ? duckLevel(of: effect) : .mute
    }
}
