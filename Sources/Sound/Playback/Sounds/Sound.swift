/// A sound that an engine plays over the programme: a cue or an announcement.
public struct Sound: Sendable, Hashable {
    /// A sound longer than this is read from the disk beyond it, while it plays.
    public static let longestInMemory = Duration.seconds(60)

    public let file: Track
    /// The linear gain, 0…1, independent of the programme's.
    public let gain: Float

    public init(file: Track, gain: Float) {
        self.file = file
        self.gain = gain
    }
}
