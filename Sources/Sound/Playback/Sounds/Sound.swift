/// A sound that an engine plays over the music. It is a cue or an announcement.
public struct Sound: Sendable, Hashable {
    /// The maximum length of the part of a sound that is kept in memory. The rest of a longer sound is read from the
    /// disk while it plays.
    public static let longestInMemory = Duration.seconds(60)

    public let file: Track
    /// The linear gain, 0…1, which is independent of the gain of the music.
    public let gain: Float
    /// The length of the part that is kept in memory. It is greater than 0.
    let head: Duration

    public init(file: Track, gain: Float) {
        self.init(file: file, gain: gain, head: Self.longestInMemory)
    }

    init(file: Track, gain: Float, head: Duration) {
        self.file = file
        self.gain = gain
        self.head = head
    }
}
