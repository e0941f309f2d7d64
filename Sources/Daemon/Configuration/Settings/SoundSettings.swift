import AudioSession

/// The file and level of a sound. `SoundPolicy` defines its effect.
public struct SoundSettings: Hashable, Sendable {
    /// The audio file. A relative path starts at the folder of the file that sets it.
    public var file: String
    /// The sound's own level.
    public var level: Level
    /// What the sound follows in addition to its own level.
    public var follow: Follow

    public enum Follow: String, Hashable, Sendable, CaseIterable {
        case none
        /// The music's volume, which is at most `MaximumVolume`.
        case volume
    }

    public init(file: String, level: Level = .full, follow: Follow = .none) {
        self.file = file
        self.level = level
        self.follow = follow
    }
}

/// The keys of a section `[Sound NAME]`.
struct SoundKeys: Hashable, Sendable {
    var file: String?
    var level = Level.full
    var follow = SoundSettings.Follow.none
    /// The effect. The level of a duck is in `duckLevel`.
    var effect = SoundPolicy.Effect.duck(.defaultDuck)
    var duckLevel = Level.defaultDuck
    var repeats = false
    var priority = 30
    var expire: Duration? = .seconds(10)
    var again = SoundPolicy.Again.queue
    var once = Duration.zero
    var continues = false
    var isEnabled = true

    func policy(id: SoundID) -> SoundPolicy {
        SoundPolicy(
            id: id, effect: effect.isDuck ? .duck(duckLevel) : effect, priority: priority, expire: expire,
            repeats: repeats, again: again, once: once, continues: continues)
    }
}
