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
