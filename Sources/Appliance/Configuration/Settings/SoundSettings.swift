import AudioSession

/// What a sound sounds like; `SoundPolicy` has what it does.
public struct SoundSettings: Hashable, Sendable {
    /// The audio file; a relative path starts at the file that sets it.
    public var file: String
    /// The sound's own level, independent of the programme's volume.
    public var level: Level

    public init(file: String, level: Level = .full) {
        self.file = file
        self.level = level
    }
}

/// The keys of a section `[Sound NAME]`.
struct SoundKeys: Hashable, Sendable {
    enum EffectName: String, Hashable, Sendable, CaseIterable { case duck, pause, mix }

    var file: String?
    var level = Level.full
    var effect = EffectName.duck
    /// As for a signal. −14 dB is in range, so `mute` is never used.
    var duckLevel = Level(decibels: -14) ?? .mute
    var repeats = false
    var priority = 30
    var expire: Duration? = .seconds(10)
    var isEnabled = true

    func policy(id: SoundID) -> SoundPolicy {
        let effect: SoundPolicy.Effect =
            switch self.effect {
            case .duck: .duck(duckLevel)
            case .pause: .pause
            case .mix: .mix
            }
        return SoundPolicy(id: id, effect: effect, priority: priority, expire: expire, repeats: repeats)
    }
}
