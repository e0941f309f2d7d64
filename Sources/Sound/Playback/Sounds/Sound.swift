/// A sound that an engine plays over the music: a cue or an announcement.
public struct Sound: Sendable, Hashable {
    /// A sound longer than this is read from the disk beyond it, while it plays.
    public static let longestInMemory = Duration.seconds(60)

    public let file: Track
    /// The linear gain, 0…1, independent of the music's.
    public let gain: Float
    /// The part that is held in memory; more than 0.
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
