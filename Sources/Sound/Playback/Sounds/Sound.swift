/// A sound that an engine plays over the programme: a cue or an announcement.
public struct Sound: Sendable, Hashable {
    public let file: Track
    /// The linear gain, 0…1, independent of the programme's.
    public let gain: Float

    public init(file: Track, gain: Float) {
        self.file = file
        self.gain = gain
    }
}
